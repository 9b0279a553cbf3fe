/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/diagnostics.h"

#include "base/message.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NO_FINAL_PASS                                                                                                  \
    "ACCEL_SCAN_FINAL(NAME, ...) needs an ACCEL_FINAL_PASS(NAME, ...) behind it, as does ACCEL_SCAN_BY_KEY_FINAL"
#define NO_HEAD "ACCEL_SCAN_BY_KEY(NAME, ...) needs an ACCEL_SCAN_HEAD(NAME, ...), as does ACCEL_SCAN_BY_KEY_FINAL"
#define NO_REDUCER                                                                                                     \
    "a reducer is a word of accel/kernel/reducer.h, as ACCEL_SUM, or defined before its use by ACCEL_REDUCER"

/* What to do about warnings that accelcc itself asks for, by their names in the compiler's output, and about what macros need and
 * do not find, which compilers and linkers only name. Both texts stand in the output. */
static const struct remedy {
    const char *warning, *also, *text;
} remedies[] = {
    {"accel_final_", "function body not available", NO_FINAL_PASS},
    {"accel_final_", "internal linkage but is not defined", NO_FINAL_PASS},
    {"accel_head_", "function body not available", NO_HEAD},
    {"accel_head_", "internal linkage but is not defined", NO_HEAD},
    {"accel_reducer_", "undeclared", NO_REDUCER},
    {"accel_reducer_", "not declared", NO_REDUCER},
    {"implicit-function-declaration", "",
     "kernels call the functions of C that docs/mathematics.md lists, those of "
     "accel/kernel.h, and helpers that ACCEL_FN defines before their use"},
    {"float-conversion", "",
     "where a conversion is meant, write it: (int)x, (float)x; otherwise use constants, variables "
     "and functions of the type: 0.5f, size_t n, abs of a float"},
};

static void show_remedies(const char *output, list *shown)
{
    for (size_t i = 0; i < sizeof remedies / sizeof remedies[0]; ++i) {
        if (strstr(output, remedies[i].warning) == NULL || strstr(output, remedies[i].also) == NULL ||
            list_contains(shown, remedies[i].text))
            continue;
        message_note("%s", remedies[i].text);
        list_add(shown, remedies[i].text);
    }
}

void diagnostics_show(const char *output, list *shown)
{
    if (*output == '\0' || list_contains(shown, output))
        return;
    fputs(output, stderr);
    list_add(shown, output);
    show_remedies(output, shown);
}

const char *diagnostics_colour_flag(void)
{
    return isatty(STDERR_FILENO) ? "-fdiagnostics-color=always" : NULL;
}
