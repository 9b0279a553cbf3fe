/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"
#include "run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char tree_root[64];

void tree_make(void)
{
    strcpy(tree_root, "/tmp/accel-tree-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(tree_root));
}

void tree_remove(void)
{
    char command[128];

    snprintf(command, sizeof(command), "rm -r '%s'", tree_root);
    ck_assert_int_eq(system(command), 0);
}

void tree_put(const char *format, const char *text, ...)
{
    char path[512];
    va_list arguments;
    size_t length = strlen(strcpy(path, tree_root));

    va_start(arguments, text);
    vsnprintf(path + length, sizeof(path) - length, format, arguments);
    va_end(arguments);
    for (char *slash = path + length + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0755);
    }
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}
