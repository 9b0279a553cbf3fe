/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/barriers.h"

#include "base/arena.h"
#include "compile/command.h"
#include "inspect/frames.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What accel/kernel.h calls at a barrier where ACCEL_FIND_BARRIERS is defined. */
static const char barrier[] = "accel_cpu_barrier_found";

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
    static const char *const flags[] = {"-DACCEL_FIND_BARRIERS", "-O1",
                                        "-fno-sanitize=all"}; /* only calls are of interest */
    const char *text, *kernel = NULL;
    list own = {0}, lines = {0}, kernels = {0}, synchronised = {0};
    list_add_words(&own, flags, sizeof flags / sizeof flags[0]);
    if (!command_assembly(job, source, &own, arena_format("%s.s", object), &text))
        return false;
    if (text == NULL)
        return true;
    list_split(&lines, text, "\n");
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
