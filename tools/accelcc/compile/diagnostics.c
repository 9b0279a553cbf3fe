/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/diagnostics.h"

#include "base/message.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What to do about warnings that accelcc itself asks for, by their names in the compiler's output. */
static const struct remedy {
    const char *warning, *text;
} remedies[] = {
    {"implicit-function-declaration", "kernels call the functions of C that docs/mathematics.md lists, those of "
                                      "accel/kernel.h, and helpers that ACCEL_FN defines before their use"},
    {"float-conversion", "where a conversion is meant, write it: (int)x, (float)x; otherwise use constants, variables "
                         "and functions of the type: 0.5f, size_t n, abs of a float"},
};

static void show_remedies(const char *output, list *shown)
{
    for (size_t i = 0; i < sizeof remedies / sizeof remedies[0]; ++i) {
        if (strstr(output, remedies[i].warning) == NULL || list_contains(shown, remedies[i].text))
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
