/* SPDX-License-Identifier: Apache-2.0 */
/* The names of shared arrays in the source, from those that compilers give them. */
#ifndef ACCEL_CPU_CHECK_ARRAY_NAME_H
#define ACCEL_CPU_CHECK_ARRAY_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* `text` becomes the source's name, cut off if it is longer. Does it stand in a function, as shared arrays do? */
bool check_array_name(const char *symbol, char *text, size_t size);

#endif
