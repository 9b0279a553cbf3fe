/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/lint.h"

#include "base/message.h"
#include "base/process.h"
#include "compile/command.h"
#include "compile/diagnostics.h"
#include "compile/includes.h"
#include "lint/rules.h"

#include <string.h>

static bool check(const accelcc_job *job, const char *source, bool rules, process_result *result)
{
    list command = {0};
    command_make(job, source, &command);
    if (job->compiler->is_clang || !rules) {
        list_add(&command, "-fsyntax-only");
    } else { /* gcc finds return and goto out of a loop only when it generates code */
        static const char *const flags[] = {"-O0", "-S", "-o", "/dev/null"};
        list_add_words(&command, flags, sizeof flags / sizeof flags[0]);
    }
    if (rules) {
        list_add(&command, "-fopenmp-simd");
        list_add(&command, "-DACCEL_LINT");
        list_add(&command, "-w"); /* the compilation itself shows the warnings */
    }
    list_add(&command, source);
    return process_run(&command, NULL, job->options->verbose, result);
}

/* What the compiler cannot say, from the preprocessed text. */
static bool read_text(const accelcc_job *job, const char *source)
{
    list command = {0};
    process_result result;
    tokens all = {0};
    bool good = true;
    command_make(job, source, &command);
    list_add(&command, "-w");
    list_add(&command, "-E");
    list_add(&command, "-DACCEL_LINT_TEXT");
    list_add(&command, source);
    if (!process_run(&command, NULL, job->options->verbose, &result))
        return false;
    if (result.status != 0)
        return true;
    tokens_read(result.output, &all);
    for (size_t at = 0; at + 2 < all.count; ++at) {
        kernel_text kernel;
        if (!token_is(&all.items[at], "accel_lint_kernel") || !token_is(&all.items[at + 1], "("))
            continue;
        kernel_text_read(&all, at, &kernel);
        bool nesting = rules_nesting(&kernel), atomics = rules_atomics(&kernel);
        bool collectives = rules_collectives(&kernel), variables = rules_block_variables(&kernel);
        bool neighbours = rules_neighbours(&kernel), privates = rules_privates(&kernel);
        good = good && nesting && atomics && collectives && variables && neighbours && privates;
    }
    if (!good)
        message_error("\"%s\" breaks rules of block kernels, which accel/kernel.h lists; --no-lint skips this check",
                      source);
    return good;
}

bool lint_source(const accelcc_job *job, const char *source, bool rules_only)
{
    process_result rules, plain;
    if (!read_text(job, source))
        return false;
    if (!check(job, source, true, &rules))
        return false;
    if (rules.status == 0 && !rules_only)
        return true;
    if (!check(job, source, false, &plain))
        return false;
    if (rules.status == 0) { /* no host object is made, and nvcc does not warn of conversions */
        if (plain.status == 0)
            diagnostics_show(plain.output, job->shown);
        return true;
    }
    /* The rules are OpenMP's, whose name both compilers write. Anything else is found without them, too. */
    if (plain.status != 0 ? rules_only : strstr(rules.output, "OpenMP") == NULL)
        return true;
    if (plain.status != 0) {
        diagnostics_show(plain.output, job->shown);
        includes_show_missing(source, plain.output, job->shown);
        message_error("\"%s\" does not compile for %s (%s: status %d)", source, job->name,
                      job->compiler->command.items[0], plain.status);
        return false;
    }
    diagnostics_show(rules.output, job->shown);
    message_error("\"%s\": only \"continue\" may leave a region (ACCEL_THREADS, ACCEL_FOR_EACH and the like), not "
                  "break, return or goto; "
                  "--no-lint skips this check",
                  source);
    return false;
}
