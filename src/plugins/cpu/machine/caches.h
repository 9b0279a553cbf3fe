/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCEL_CPU_CACHES_H
#define ACCEL_CPU_CACHES_H

#include "plugins/cpu/machine/topology.h"

#include <stdbool.h>

/* What one CPU has of the caches. Of unlike CPUs the least counts. */
typedef struct cpu_caches {
    size_t first, second; /* bytes, divided among the CPUs of the device that share it; not 0 */
    size_t third;         /* divided among all CPUs of the machine that share it; 0: none, or unknown */
    bool third_is_victim; /* AMD's: a few CPUs share it, and it takes what they write as fast as they do */
} cpu_caches;

/* For a device on the CPUs of `mask`. Sizes that the topology does not know are the system's, or else what is usual. */
void cpu_caches_find(cpu_caches *caches, const cpu_topology *topology, const uint8_t mask[CPU_MASK_BYTES]);

#endif
