/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/command.h"

#include "base/arena.h"
#include "base/process.h"
#include "base/workspace.h"
#include "compile/check.h"
#include "compile/diagnostics.h"
#include "compile/patterns.h"
#include "output/object.h"

#include <string.h>

/*
 * Flags of every host object. The user's flags come later and take precedence. -ffp-contract follows them and is the same
 * on every target, because compilers differ in their default (gcc -std=c11 off, gcc -std=gnu11 and GPU compilers on).
 * -fno-math-errno: kernels have no errno, as on GPUs, and sqrt becomes an instruction. In the same way they have no
 * floating-point exceptions: clang's default, and gcc's in add_exception_flags.
 */
static const char *const compile_flags[] = {"-O3", "-fPIC", "-fvisibility=hidden", "-fno-math-errno"};

/*
 * What means something else on GPUs, where kernels are C++, or is refused there. An undeclared function would be one that
 * returns an int, and an element without a return would be any value. The first list is for C, the second for both
 * languages, the third for clang, whose -Wfloat-conversion leaves double to float out.
 */
static const char *const c_errors[] = {"-Werror=implicit-function-declaration", "-Werror=implicit-int",
                                       "-Werror=int-conversion", "-Werror=incompatible-pointer-types"};
static const char *const meaning_flags[] = {"-Wfloat-conversion", "-Werror=return-type"};
static const char *const clang_warnings[] = {"-Wimplicit-float-conversion", "-Wno-implicit-int-float-conversion"};

static void add_meaning_flags(const accelcc_job *job, const char *source, list *command)
{
    if (!options_is_cxx(source))
        list_add_words(command, c_errors, sizeof c_errors / sizeof c_errors[0]);
    list_add_words(command, meaning_flags, sizeof meaning_flags / sizeof meaning_flags[0]);
    if (job->compiler->is_clang)
        list_add_words(command, clang_warnings, sizeof clang_warnings / sizeof clang_warnings[0]);
}

/* gcc keeps arithmetic behind a condition scalar, lest a vector raise exceptions that the source does not. Results are the same
 * bits. cpu-check asks which exceptions a kernel raises. */
static void add_exception_flags(const accelcc_job *job, list *command)
{
    if (!job->compiler->is_clang && !job->target->driver->checked)
        list_add(command, "-fno-trapping-math");
}

void command_add_target(const accelcc_job *job, list *command)
{
    for (const char *const *flag = job->target->flags; *flag != NULL; ++flag)
        list_add(command, *flag);
    for (const char *const *flag = job->target->gcc_flags; *flag != NULL && !job->compiler->is_clang; ++flag)
        list_add(command, *flag);
}

bool command_is_sanitized(const accelcc_options *options, const char *name)
{
    for (size_t i = 0; i < options->link.count; ++i) {
        const char *flag = options->link.items[i];
        if (strncmp(flag, "-fsanitize", 10) == 0 && (name == NULL || strstr(flag, name) != NULL))
            return true;
    }
    return false;
}

/* accel/kernel/vector_mathematics.h says the same to gcc. */
static void add_vector_math_flags(const accelcc_job *job, list *command)
{
    list_add(command, "-DACCEL_VECTOR_MATH");
    if (job->compiler->is_clang)
        list_add(command, "-fveclib=libmvec");
}

/* clang makes variables larger by what AddressSanitizer puts behind them, and programs would see the larger size. */
static void add_sanitizer_flags(const accelcc_job *job, list *command)
{
    if (job->compiler->is_clang && command_is_sanitized(job->options, "address")) {
        list_add(command, "-mllvm");
        list_add(command, "-asan-globals=0");
    }
}

void command_make(const accelcc_job *job, const char *source, list *command)
{
    list_extend(command, &job->compiler->command);
    list_add_words(command, compile_flags, sizeof compile_flags / sizeof compile_flags[0]);
    if (patterns_in(source)) {
        list_add(command, "-ffp-contract=off");
    } else {
        list_add(command, "-ffp-contract=fast");
        list_add(command, "-D" PATTERNS_NONE);
    }
    list_add(command, options_is_cxx(source) ? job->options->cxx_standard : job->options->c_standard);
    command_add_target(job, command);
    add_meaning_flags(job, source, command);
    add_exception_flags(job, command);
    if (job->options->vector_math)
        add_vector_math_flags(job, command);
    const char *colour = diagnostics_colour_flag();
    if (colour != NULL)
        list_add(command, colour);
    if (job->target->driver->checked)
        check_flags(job, command);
    list_extend(command, &job->options->compile);
    add_sanitizer_flags(job, command);
    list_add(command, "-isystem");
    list_add(command, job->include_directory);
}

bool command_assembly(const accelcc_job *job, const char *source, const list *flags, const char *name,
                      const char **text)
{
    static const char *const last[] = {"-g0", "-fno-lto", "-w", "-S"};
    list command = {0};
    process_result result;
    size_t size = 0;
    *text = NULL;
    command_make(job, source, &command);
    list_extend(&command, flags);
    list_add_words(&command, last, sizeof last / sizeof last[0]);
    list_add(&command, source);
    list_add(&command, "-o");
    list_add(&command, workspace_path(name));
    if (!process_run(&command, NULL, job->options->verbose, &result))
        return false;
    if (result.status != 0)
        return true;
    const unsigned char *data = object_read(workspace_path(name), &size);
    if (data != NULL)
        *text = arena_copy((const char *)data, size);
    return data != NULL;
}
