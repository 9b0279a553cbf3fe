/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many elements a block likes to have, by the caches of the CPUs that run it. It depends on machine, kernel and extent
 * alone, never on what was measured: so a program that adds up in blocks gets the same sum every time. What launches cost
 * is for the executors, which hand out many blocks at once (cost.h).
 */
#ifndef ACCEL_CPU_DIVISION_H
#define ACCEL_CPU_DIVISION_H

#include "plugins/cpu/machine/caches.h"

#include <accel/plugin.h>

/* Fills blocks, chunk and, if struct_size reaches as far, cache_elems. `parts`: blocks that keep the executor's threads
 * busy. */
void cpu_division_suggest(const cpu_caches *, uint32_t parts, accel_suggestion *);

#endif
