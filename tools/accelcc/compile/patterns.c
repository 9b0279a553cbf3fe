/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/patterns.h"

#include <stdio.h>
#include <string.h>

/* "# include <accel/kernel/pattern.h>" or another of these, or with quotes. */
static bool includes(const char *line)
{
    static const char directive[] = "include";
    static const char *const headers[] = {"accel/kernel/pattern.h", "accel/kernel/collective.h", "accel/kernel/row.h"};
    line += strspn(line, " \t");
    if (*line != '#')
        return false;
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, directive, sizeof directive - 1) != 0)
        return false;
    line += sizeof directive - 1;
    line += strspn(line, " \t");
    for (size_t i = 0; (*line == '<' || *line == '"') && i < sizeof headers / sizeof headers[0]; ++i) {
        if (strncmp(line + 1, headers[i], strlen(headers[i])) == 0)
            return true;
    }
    return false;
}

/* A line that is longer than the buffer is read in parts, of which only the first can begin with '#'. A source that cannot
 * be read is the compiler's to report. */
bool patterns_in(const char *source)
{
    FILE *file = fopen(source, "r");
    char line[256];
    bool found = false, begins = true;
    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        found = begins && includes(line);
        begins = strchr(line, '\n') != NULL;
    }
    fclose(file);
    return found;
}
