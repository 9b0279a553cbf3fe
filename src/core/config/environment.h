/* SPDX-License-Identifier: Apache-2.0 */
/* The process's environment. The only file of core that reads it. */
#ifndef ACCEL_CORE_ENVIRONMENT_H
#define ACCEL_CORE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/* NULL if unset. */
const char *accel_environment_value(const char *name);
/* The next variable whose name begins with the prefix: its name's length, and its value as *value. *cursor begins as 0.
 * NULL behind the last one; otherwise the name, which no 0 ends. */
const char *accel_environment_next(const char *prefix, size_t *cursor, size_t *length, const char **value);
/* Does the process have rights that its user does not have (AT_SECURE: set-uid, capabilities)? */
bool accel_environment_is_secure(void);

#endif
