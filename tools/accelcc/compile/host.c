/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/host.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/process.h"
#include "base/workspace.h"
#include "compile/check.h"
#include "compile/command.h"
#include "compile/compile.h"
#include "compile/diagnostics.h"
#include "compile/light.h"
#include "inspect/barriers.h"
#include "inspect/contraction.h"
#include "inspect/frames.h"
#include "inspect/vector_math.h"
#include "output/object.h"

#include <string.h>

static bool compile_with(const accelcc_job *job, const char *source, const char *object, const char *dependencies,
                         const list *definitions)
{
    list command = {0};
    process_result result;
    command_make(job, source, &command);
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
    command_add_target(job, &command);
    list_add(&command, "-Wl,-Bsymbolic");
    if (!command_is_sanitized(job->options, NULL)) /* clang leaves the sanitizer's functions to the program */
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
