/* SPDX-License-Identifier: Apache-2.0 */
/* What the system tells about the caches of a CPU. `root` as in placement.h. */
#ifndef ACCEL_CPU_CACHE_FILE_H
#define ACCEL_CPU_CACHE_FILE_H

#include "plugins/cpu/machine/mask.h"

enum { CPU_CACHE_LEVELS = 3 };

typedef struct cpu_cache {
    int index;      /* of the file system's; before the first: -1 */
    uint32_t level; /* 1 to CPU_CACHE_LEVELS */
    uint64_t bytes; /* 0: not told */
} cpu_cache;

/* Goes on to the next cache that holds data, from {.index = -1}; false: there is none. */
bool cpu_cache_next(const char *root, unsigned cpu, cpu_cache *);
/* Bytes of a line; 0: not told. */
uint32_t cpu_cache_line(const char *root, unsigned cpu, const cpu_cache *);
/* CPUs of the mask (NULL: of the machine) that share it, at least 1. */
uint32_t cpu_cache_sharers(const char *root, unsigned cpu, const cpu_cache *, const uint8_t *mask);

#endif
