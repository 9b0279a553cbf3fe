/* SPDX-License-Identifier: Apache-2.0 */
/* A driver's library: the first of its names that the dynamic linker finds, never closed again. */
#ifndef ACCEL_GPU_LIBRARY_H
#define ACCEL_GPU_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

enum { GPU_LIBRARY_OPEN, GPU_LIBRARY_ABSENT, GPU_LIBRARY_UNUSABLE, GPU_LIBRARY_SHORT };

typedef struct gpu_library {
    void *handle;
    const char *name; /* under which it was found */
} gpu_library;

/* Tries the names in order until one opens; NULL ends them. Otherwise `text` says what was tried: ABSENT, none of them is
 * there; UNUSABLE, one is there but cannot be loaded, and its name and the linker's words are the text. A file that is
 * there but broken ends the search: an older one would only hide it. SHORT: the process lacks memory or descriptors, the
 * text as before, and errno says what. */
int gpu_library_open(gpu_library *, const char *const names[], char *text, size_t size);

/* NULL if the library does not export it. */
void *gpu_library_symbol(const gpu_library *, const char *name);

#endif
