/* SPDX-License-Identifier: Apache-2.0 */
/* The known name nearest to a mistyped one, for error texts. */
#ifndef ACCEL_CORE_NEAREST_H
#define ACCEL_CORE_NEAREST_H

#include <stddef.h>

/* Damerau-Levenshtein distance (optimal string alignment), ignoring case. */
size_t accel_nearest_distance(const char *a, const char *b);
/* The name with the least distance, or NULL if none is near enough (distance over a third of the length plus one). */
const char *accel_nearest(const char *name, const char *const names[], size_t count);

#endif
