/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/report/array_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In C++ "_ZZL10accel_body_k...E5first", or "...E5first_0" if the function has several: its last name, "first". NULL: the symbol
 * is of another form. */
static const char *cxx_name(const char *symbol, size_t *length)
{
    if (strncmp(symbol, "_ZZ", 3) != 0)
        return NULL;
    for (size_t at = strlen(symbol); at > 3; --at) {
        char *name;
        if (symbol[at - 1] != 'E' || symbol[at] < '1' || symbol[at] > '9')
            continue;
        *length = strtoul(symbol + at, &name, 10);
        const size_t left = strlen(name);
        if (left == *length || (left > *length && name[*length] == '_'))
            return name;
    }
    return NULL;
}

/* "s.12" of gcc, "accel_body_k.s" of clang: s. */
bool check_array_name(const char *symbol, char *text, size_t size)
{
    size_t length = 0;
    const char *name = cxx_name(symbol, &length), *dot = strchr(symbol, '.');
    if (name == NULL) {
        name = dot != NULL && dot[1 + strspn(dot + 1, "0123456789")] != '\0' ? dot + 1 : symbol;
        length = strcspn(name, ".");
    }
    snprintf(text, size, "%.*s", (int)length, name);
    return name != symbol || dot != NULL;
}
