/* SPDX-License-Identifier: Apache-2.0 */
/* Ordered lists of directories to be searched. The working directory never gets in: only absolute entries do. */
#ifndef ACCEL_CORE_PATHS_H
#define ACCEL_CORE_PATHS_H

#include "core/base/text.h"

/* Begins as {0}. */
typedef struct accel_paths {
    char **items; /* absolute, each once, without a '/' at the end; NULL-terminated; NULL while empty */
    size_t count;
    accel_text skipped; /* a line for each entry that was not taken, and why */
    accel_text ignored; /* the same entries by name: "k" of ACCEL_KERNEL_PATH, "" of ACCEL_KERNEL_PATH */
} accel_paths;

/* Adds one directory; `origin` says where it comes from, for the record of a skipped one. */
accel_status accel_paths_add(accel_paths *, const char *origin, const char *directory);
/* Adds the entries of a list separated by ':'; NULL and "" are empty lists. */
accel_status accel_paths_add_list(accel_paths *, const char *origin, const char *list);
void accel_paths_clear(accel_paths *);
/* Adds "A, B, C" to a text. */
void accel_paths_tell(const accel_paths *, accel_text *);

/* The directory of the running program, or of the file this library was loaded from: absolute, the caller's. NULL in
 * *out if it cannot be found out. */
accel_status accel_paths_program(char **out);
accel_status accel_paths_library(char **out);

#endif
