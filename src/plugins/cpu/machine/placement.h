/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads a device has and where they may run. Their number is min(CPUs of the device, quota of the control group);
 * the system keeps the affinity of the process, and so the device, within the CPUs that hwloc calls allowed.
 *
 * `root` as in control_group.h.
 */
#ifndef ACCEL_CPU_PLACEMENT_H
#define ACCEL_CPU_PLACEMENT_H

#include "plugins/cpu/engine/settings.h"
#include "plugins/cpu/engine/export.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/machine/topology.h"

/* So many threads of one node are one group, whatever caches their CPUs share. */
enum { CPU_PLACE_FEW = 8 };

typedef struct cpu_placement {
    uint8_t mask[CPU_MASK_BYTES];  /* CPUs of the device */
    uint8_t whole[CPU_MASK_BYTES]; /* CPUs of the process */
    uint32_t units;                /* threads of one launch, its caller included; at least 1 */
    uint32_t pin;                  /* CPU_PIN_* */
    const char *root;
    const cpu_topology *topology; /* NULL: the process's, if it is needed */
} cpu_placement;

/* For a device on the CPUs of `mask`, a part of `whole`, those of the process. */
void cpu_placement_find(cpu_placement *place, const char *root, const uint8_t whole[CPU_MASK_BYTES],
                        const uint8_t mask[CPU_MASK_BYTES], const cpu_settings *settings);

/* The CPU that a thread would have if each had one, and where it lies. */
typedef struct cpu_seat {
    uint32_t cpu, node, cache; /* as in cpu_location */
} cpu_seat;

/* Masks of the device's threads 1 to units-1, by ACCEL_CPU_PIN: the caller of a launch is thread 0. `seats`: NULL, or room for
 * those of all `units` threads. */
CPU_EXPORT void cpu_placement_masks(const cpu_placement *place, uint8_t (*masks)[CPU_MASK_BYTES], cpu_seat *seats);

#endif
