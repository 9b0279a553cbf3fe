/* SPDX-License-Identifier: Apache-2.0 */
/* Where plugins are looked for, and which there are. */
#ifndef ACCEL_CORE_SEARCH_H
#define ACCEL_CORE_SEARCH_H

#include "core/config/config.h"
#include "core/base/paths.h"

typedef struct accel_search {
    accel_paths
        directories; /* ACCEL_PLUGIN_PATH, the program's, beside libaccel (DIR/accel, DIR), the compiled-in one */
    size_t shared;   /* index of DIR, where others keep libraries too; directories.count if it is not there */
    char **names;    /* all backends in order of preference: the known ones, then others found, alphabetically */
    size_t name_count;
} accel_search;

#define ACCEL_BACKEND_NAME_SIZE 32u

/* Clears up after itself on failure. */
accel_status accel_search_create(const accel_config *, const char *program_path, accel_search *);
void accel_search_destroy(accel_search *);
/* The path a plugin of that name has in a directory; the caller's. NULL with the error text set. */
char *accel_search_path(const accel_search *, size_t directory, const char *name);
/* Is the backend used only where it is named? Such a one is slow, and for finding errors. */
bool accel_search_on_request(const char *name);
/* Is anything there? */
bool accel_search_exists(const char *path);

#endif
