/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/host.h"

#include "base/arena.h"
#include "compile/barriers.h"
#include "compile/check.h"
#include "compile/compile.h"
#include "compile/contraction.h"
#include "compile/diagnostics.h"
#include "compile/frames.h"
#include "compile/light.h"
#include "compile/patterns.h"
#include "compile/vector_math.h"
#include "base/message.h"
#include "output/object.h"
#include "base/process.h"
#include "base/workspace.h"

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

static void add_target_flags(const accelcc_job *job, list *command)
{
    for (const char *const *flag = job->target->flags; *flag != NULL; ++flag)
        list_add(command, *flag);
    for (const char *const *flag = job->target->gcc_flags; *flag != NULL && !job->compiler->is_clang; ++flag)
        list_add(command, *flag);
}

/* Whether the user asked for a sanitizer, or for the one named; NULL: for any. */
static bool is_sanitized(const accelcc_options *options, const char *name)
{
    for (size_t i = 0; i < options->link.count; ++i) {
        const char *flag = options->link.items[i];
        if (strncmp(flag, "-fsanitize", 10) == 0 && (name == NULL || strstr(flag, name) != NULL))
            return true;
    }
    return false;
}

/* clang makes variables larger by what AddressSanitizer puts behind them, and programs would see the larger size. */
static void add_sanitizer_flags(const accelcc_job *job, list *command)
{
    if (job->compiler->is_clang && is_sanitized(job->options, "address")) {
        list_add(command, "-mllvm");
        list_add(command, "-asan-globals=0");
    }
}

void host_compile_command(const accelcc_job *job, const char *source, list *command)
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
    add_target_flags(job, command);
    add_meaning_flags(job, source, command);
    add_exception_flags(job, command);
    if (job->options->vector_math)
        vector_math_flags(job, command);
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

bool host_assembly(const accelcc_job *job, const char *source, const list *flags, const char *name, const char **text)
{
    static const char *const last[] = {"-g0", "-fno-lto", "-w", "-S"};
    list command = {0};
    process_result result;
    size_t size = 0;
    *text = NULL;
    host_compile_command(job, source, &command);
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

static bool compile_with(const accelcc_job *job, const char *source, const char *object, const char *dependencies,
                         const list *definitions)
{
    list command = {0};
    process_result result;
    host_compile_command(job, source, &command);
    frames_flags(job, &command);
    list_extend(&command, definitions);
    list_add(&command, "-c");
    return compile_run(job, &command, source, object, dependencies, &result) &&
           compile_succeeded(job, &command, source, &result);
}

/* Once more if thread kernels turn out to be loops, or if the compiler fused what it must not: with the flags that it adds to
 * `own`, which are empty. */
static bool compile_source(const accelcc_job *job, const char *source, const char *object, const char *dependencies,
                           list *own)
{
    if (!compile_with(job, source, object, dependencies, own) ||
        (frames_has_threads(object) && !barriers_find(job, source, object, own)) ||
        (own->count != 0 && !compile_with(job, source, object, dependencies, own)))
        return false;
    const size_t before = own->count;
    if (!contraction_find(job, source, object, own) ||
        (own->count != before &&
         (!compile_with(job, source, object, dependencies, own) || !contraction_is_gone(job, source, object, own))))
        return false;
    if (!job->target->driver->checked) /* cpu-check gives threads longer stacks */
        frames_report(job, object);
    return true;
}

static bool link_objects(const accelcc_job *job, const list *objects, const char *output)
{
    list command = {0};
    process_result result;
    bool has_cxx = false;
    list_extend(&command, &job->compiler->command);
    list_add(&command, "-O3");
    list_add(&command, "-shared");
    list_add(&command, "-fPIC");
    add_target_flags(job, &command);
    list_add(&command, "-Wl,-Bsymbolic");
    if (!is_sanitized(job->options, NULL)) /* clang leaves the sanitizer's functions to the program */
        list_add(&command, "-Wl,-z,defs");
    for (size_t i = 0; i < objects->count; ++i)
        list_add(&command, workspace_path(objects->items[i]));
    if (job->target->driver->checked)
        check_link_flags(&command);
    for (size_t i = 0; i < job->options->sources.count; ++i)
        has_cxx = has_cxx || options_is_cxx(job->options->sources.items[i]);
    list_extend(&command, &job->options->link);
    list_add(&command, "-Wl,--as-needed");
    if (has_cxx)
        list_add(&command, "-lstdc++");
    list_add(&command, "-lm");
    list_add(&command, "-o");
    list_add(&command, workspace_path(output));
    if (!process_run(&command, NULL, job->options->verbose, &result))
        return false;
    diagnostics_show(result.output, job->shown);
    if (result.status == 0)
        return true;
    bool twice =
        strstr(result.output, "multiple definition") != NULL || strstr(result.output, "duplicate symbol") != NULL;
    message_error("library \"%s\" does not link for %s (%s: status %d)%s", job->options->name, job->name,
                  command.items[0], result.status, twice ? "; a kernel's name must be unique within the library" : "");
    return false;
}

static bool build(const accelcc_job *job, const char *output, list *dependencies)
{
    list objects = {0}, *own = arena_alloc(job->options->sources.count * sizeof *own);
    if (job->options->vector_math && !vector_math_check(job))
        return false;
    for (size_t i = 0; i < job->options->sources.count; ++i) {
        const char *source = job->options->sources.items[i], *slash = strrchr(source, '/');
        const char *object = arena_format("%s-%zu-%s.o", job->name, i, slash != NULL ? slash + 1 : source);
        const char *depends = arena_format("%s.d", object);
        if (!compile_source(job, source, object, depends, &own[i]))
            return false;
        list_add(&objects, object);
        if (job->options->dependencies)
            list_add(dependencies, depends);
    }
    if (job->target->driver->checked && (!check_add_stub(job, &objects) || !light_add(job, own, &objects)))
        return false;
    return link_objects(job, &objects, output) && object_check(job, workspace_path(output)) &&
           object_add_checksum(workspace_path(output));
}

static bool find(const accelcc_options *options, const accelcc_target *target, const char *name,
                 const accelcc_compiler *own, bool quiet, accelcc_compiler *compiler)
{
    (void)name;
    return compiler_find_for(options, target->architecture, own, quiet, compiler);
}

const accelcc_driver host_driver = {.format = "so", .find = find, .build = build};
const accelcc_driver check_driver = {.format = "so", .find = find, .build = build, .checked = true};
