/* SPDX-License-Identifier: Apache-2.0 */
#include "core/config/environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Hidden and weak, as in allocate.c: a static test pretends to be set-uid. */
__attribute__((weak, visibility("hidden"))) bool accel_environment_pretend_secure(void);

const char *accel_environment_value(const char *name)
{
    return getenv(name);
}

const char *accel_environment_next(const char *prefix, size_t *cursor, size_t *length, const char **value)
{
    for (; environ != NULL && environ[*cursor] != NULL; ++*cursor) {
        const char *entry = environ[*cursor];
        if (strncmp(entry, prefix, strlen(prefix)) != 0)
            continue;
        ++*cursor;
        *length = strcspn(entry, "=");
        *value = entry[*length] == '=' ? entry + *length + 1 : "";
        return entry;
    }
    return NULL;
}

bool accel_environment_is_secure(void)
{
    if (accel_environment_pretend_secure != NULL && accel_environment_pretend_secure())
        return true;
    return getauxval(AT_SECURE) != 0;
}
