/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that reports must name: those of comments in the sources. */
#ifndef CHECKING_LINES_H
#define CHECKING_LINES_H

#include <check.h>
#include <stdio.h>
#include <string.h>

/* The number of the line with the comment "NAME: ROLE"; 0: there is none. */
static inline size_t line_of(const char *directory, const char *file, const char *name, const char *role)
{
    char path[512], line[512], wanted[128];
    size_t number = 0, found = 0;
    snprintf(path, sizeof path, "%s/%s", directory, file);
    snprintf(wanted, sizeof wanted, "/* %s: %s */", name, role);
    FILE *from = fopen(path, "r");
    ck_assert_msg(from != NULL, "%s", path);
    while (fgets(line, sizeof line, from) != NULL) {
        ++number;
        if (strstr(line, wanted) != NULL)
            found = number;
    }
    fclose(from);
    return found;
}

#endif
