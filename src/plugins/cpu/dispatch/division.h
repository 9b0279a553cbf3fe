/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preferred elements per block, from the cache sizes of the CPUs. They depend on machine, kernel and extent alone, never on
 * measured times: so a program that adds up in blocks gets the same sum every time. Measured times only decide how a launch
 * is dispatched (policy.h).
 */
#ifndef ACCEL_CPU_DIVISION_H
#define ACCEL_CPU_DIVISION_H

#include "plugins/cpu/machine/caches.h"

#include <accel/plugin.h>

/* Fills blocks, chunk and cache_elems. `parts`: blocks that keep the executor's threads busy. */
void cpu_division_suggest(const cpu_caches *, uint32_t parts, accel_suggestion *);

#endif
