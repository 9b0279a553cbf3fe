/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/diagnostics.h"

#include <stdio.h>
#include <unistd.h>

void diagnostics_show(const char *output, list *shown)
{
    if (*output == '\0' || list_contains(shown, output))
        return;
    fputs(output, stderr);
    list_add(shown, output);
}

const char *diagnostics_colour_flag(void)
{
    return isatty(STDERR_FILENO) ? "-fdiagnostics-color=always" : NULL;
}
