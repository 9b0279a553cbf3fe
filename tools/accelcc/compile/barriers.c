/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/barriers.h"

#include "base/arena.h"
#include "base/process.h"
#include "base/workspace.h"
#include "compile/frames.h"
#include "compile/host.h"
#include "output/object.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What accel/kernel.h calls at a barrier where ACCEL_FIND_BARRIERS is defined. */
static const char barrier[] = "accel_cpu_barrier_found";

static bool compile(const accelcc_job *job, const char *source, const char *assembly, process_result *result)
{
    /* The last word is ours: nothing but calls is to be seen. */
    static const char *const flags[] = {"-DACCEL_FIND_BARRIERS", "-O1", "-g0", "-fno-lto",
                                        "-fno-sanitize=all",     "-w",  "-S"};
    list command = {0};
    host_compile_command(job, source, &command);
    list_add_words(&command, flags, sizeof flags / sizeof flags[0]);
    list_add(&command, source);
    list_add(&command, "-o");
    list_add(&command, workspace_path(assembly));
    return process_run(&command, NULL, job->options->verbose, result);
}

/* The kernel of a label "accel_fiber_NAME:" or, in C++, "_ZL15accel_fiber_NAME...:"; also of "accel_fiber_NAME.cold:". */
static const char *kernel_of(const char *label)
{
    size_t length = strlen(FRAMES_PREFIX);
    const char *name = strstr(label, FRAMES_PREFIX), *digits = name;
    if (name == NULL)
        return NULL;
    while (digits > label && isdigit((unsigned char)digits[-1]))
        --digits;
    size_t whole = digits < name ? strtoul(digits, NULL, 10) : strcspn(name, ".:");
    return whole > length ? arena_copy(name + length, whole - length) : NULL;
}

static bool is_label(const char *line)
{
    return (isalpha((unsigned char)*line) || *line == '_') && line[strcspn(line, ": \t")] == ':';
}

bool barriers_find(const accelcc_job *job, const char *source, const char *object, list *definitions)
{
    const char *assembly = arena_format("%s.s", object), *kernel = NULL;
    list lines = {0}, kernels = {0}, synchronised = {0};
    process_result result;
    size_t size = 0;
    if (!compile(job, source, assembly, &result))
        return false;
    if (result.status != 0) /* the compilation itself says what is wrong */
        return true;
    const unsigned char *data = object_read(workspace_path(assembly), &size);
    if (data == NULL)
        return false;
    list_split(&lines, arena_copy((const char *)data, size), "\n");
    for (size_t i = 0; i < lines.count; ++i) {
        if (is_label(lines.items[i])) {
            kernel = kernel_of(lines.items[i]);
            if (kernel != NULL && !list_contains(&kernels, kernel))
                list_add(&kernels, kernel);
        } else if (strstr(lines.items[i], barrier) != NULL) {
            if (kernel == NULL) /* a function that is not inlined: any kernel may call it */
                return true;
            list_add(&synchronised, kernel);
        }
    }
    for (size_t i = 0; i < kernels.count; ++i) {
        if (!list_contains(&synchronised, kernels.items[i]))
            list_add(definitions, arena_format("-Daccel_loop_%s=~,~", kernels.items[i]));
    }
    return true;
}
