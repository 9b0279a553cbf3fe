/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many elements a block likes to have, by the caches of the CPUs that run it. It depends on machine, kernel and extent
 * alone, never on what was measured: so a program that adds up in blocks gets the same sum every time. What launches cost
 * is for the executors, which hand out many blocks at once (cost.h).
 */
#ifndef ACCEL_CPU_DIVISION_H
#define ACCEL_CPU_DIVISION_H

#include "plugins/cpu/machine/mask.h"

#include <accel/plugin.h>

/* What one CPU has of them: caches that CPUs of the device share are divided among these, and of unlike CPUs the least
 * counts. */
typedef struct cpu_caches {
    size_t first, second; /* bytes; not 0 */
    size_t third;         /* divided among all CPUs of the machine that share it; 0: none, or unknown */
} cpu_caches;

/* For a device on the CPUs of `mask`; `root` as in control_group.h. Where the system does not tell, what is usual. */
void cpu_caches_find(cpu_caches *, const char *root, const uint8_t mask[CPU_MASK_BYTES]);

/* Fills blocks, chunk and, if struct_size reaches as far, cache_elems. `parts`: blocks that keep the executor's threads
 * busy. */
void cpu_division_suggest(const cpu_caches *, uint32_t parts, accel_suggestion *);

#endif
