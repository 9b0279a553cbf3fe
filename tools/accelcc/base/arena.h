/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that lives until the tool exits. A run is short, so nothing needs an owner of its own. */
#ifndef ACCELCC_ARENA_H
#define ACCELCC_ARENA_H

#include <stddef.h>

/* Zeroed. Never NULL: without memory the tool prints a message and exits with 1. */
void *arena_alloc(size_t size);
char *arena_copy(const char *text, size_t length);
char *arena_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* For atexit. */
void arena_release(void);

#endif
