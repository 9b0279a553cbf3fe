/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads a device has and where they may run: CPUs = min(affinity of the process, CPUs of its control group, the
 * group's quota). The system keeps the affinity within the group's CPUs, which is also what hwloc calls allowed; so hwloc
 * is not asked: for the rest, too, it reads the files that are read here.
 *
 * `root` stands before every path of the system that is read: "" but in tests.
 */
#ifndef ACCEL_CPU_PLACEMENT_H
#define ACCEL_CPU_PLACEMENT_H

#include "plugins/cpu/engine/settings.h"
#include "plugins/cpu/engine/export.h"
#include "plugins/cpu/machine/mask.h"

typedef struct cpu_placement {
    uint8_t mask[CPU_MASK_BYTES];  /* CPUs of the device */
    uint8_t whole[CPU_MASK_BYTES]; /* CPUs of the process */
    uint32_t units;                /* threads of one launch, its caller included; at least 1 */
    uint32_t pin;                  /* CPU_PIN_* */
    const char *root;
} cpu_placement;

/* Where a CPU lies. Numbers are the system's; CPUs with the same number share the thing. */
typedef struct cpu_location {
    uint32_t cpu, node, package, cache, core;
    uint32_t sibling; /* how many CPUs of the same core and the mask come before it */
    uint32_t slow;    /* 0 on the fastest kind of core, more on slower ones */
} cpu_location;

/* For a device on the CPUs of `mask`, a part of `whole`, those of the process. */
void cpu_placement_find(cpu_placement *, const char *root, const uint8_t whole[CPU_MASK_BYTES],
                        const uint8_t mask[CPU_MASK_BYTES], const cpu_settings *);

/* The CPUs of the mask, neighbours side by side: by node, then package, cache, core. Owned by the caller; NULL if memory
 * is short. *count is at least 1. */
cpu_location *cpu_locations(const char *root, const uint8_t mask[CPU_MASK_BYTES], uint32_t *count);
/* Puts the best `wanted` of them first, neighbours side by side: fast cores before slow ones, one CPU of each core
 * before its siblings. */
void cpu_locations_choose(cpu_location *, uint32_t count, uint32_t wanted);

/* Masks of the device's threads 1 to units-1, by ACCEL_CPU_PIN: the caller of a launch is thread 0. */
CPU_EXPORT void cpu_placement_masks(const cpu_placement *, uint8_t (*masks)[CPU_MASK_BYTES]);

#endif
