/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine's CPUs and how they lie together: packages, cores, kinds of cores, caches and NUMA nodes. hwloc finds them,
 * once per process, when something first asks. Without hwloc the topology is flat: it knows no CPUs, and cpu_locations
 * puts all of a device in one place.
 *
 * The whole machine is meant, also CPUs that this process may not use: a cache that they share is shared.
 */
#ifndef ACCEL_CPU_TOPOLOGY_H
#define ACCEL_CPU_TOPOLOGY_H

#include "plugins/cpu/machine/mask.h"

#include <accel/plugin.h>

enum { CPU_CACHE_LEVELS = 3 };
#define CPU_NO_NODE UINT32_MAX

typedef struct cpu_cache {
    uint64_t bytes;   /* 0: unknown */
    uint32_t line;    /* bytes; 0: unknown */
    uint32_t first;   /* lowest CPU that shares it, which names it */
    uint32_t sharers; /* CPUs of the machine; 0: there is no such cache */
} cpu_cache;

/* Where a CPU lies. CPUs with the same number share the thing. Cores and caches have the number of their lowest CPU, nodes
 * and packages the system's. */
typedef struct cpu_location {
    uint32_t cpu, node, package, core;
    uint32_t cache;                     /* the last level that it has; the package if there is none */
    uint32_t sibling;                   /* how many CPUs of the same core and the device come before it */
    uint32_t slow;                      /* 0 on the fastest kind of core of the machine, 1 on the next, ... */
    cpu_cache caches[CPU_CACHE_LEVELS]; /* of data */
} cpu_location;

typedef struct cpu_topology {
    /* Where it comes from: "hwloc, API 2.8", or "flat: ..." and what to do about that. */
    char source[128];
    bool imitated;                   /* HWLOC_XMLFILE, HWLOC_SYNTHETIC or the like stand for another machine */
    uint8_t allowed[CPU_MASK_BYTES]; /* that machine's, as far as a process there may use it; only if imitated */
    uint32_t count;                  /* 0: flat */
    cpu_location cpus[];             /* in the order of their numbers */
} cpu_topology;

/* The process's. The first call takes from one millisecond to some dozens, on large machines. In the child of a fork it is
 * the parent's. Errors: ACCEL_OUT_OF_MEMORY and ACCEL_IO, if the process lacks memory or descriptors to read it now;
 * *topology is then a flat one, and the next call reads again. */
accel_status cpu_topology_find(const cpu_topology **topology);
/* The same, for what can do without. Never NULL. */
const cpu_topology *cpu_topology_get(void);
/* Whether something has asked yet. */
bool cpu_topology_is_known(void);
/* A new one, for tests. Owned by the caller (free); NULL after an error. */
cpu_topology *cpu_topology_load(void);
/* Whether the environment makes hwloc imitate another machine, or may do so. Cheap. */
bool cpu_topology_may_be_imitated(void);

/* Fills what device properties say of the topology, for a device on these CPUs: 0, or -1, where it is flat. */
void cpu_topology_fill(const cpu_topology *topology, const uint8_t mask[CPU_MASK_BYTES],
                       accel_device_properties *properties);

/* The CPUs of the mask, neighbours side by side: by node, then package, cache, core. CPUs that the topology does not know
 * lie on package 0, each a core of its own. Owned by the caller; NULL if memory is short. *count is at least 1. */
cpu_location *cpu_locations(const cpu_topology *topology, const uint8_t mask[CPU_MASK_BYTES], uint32_t *count);
/* Puts the best `wanted` of them first, neighbours side by side: one CPU of each core before its siblings, and fast cores
 * before slow ones. */
void cpu_locations_choose(cpu_location *locations, uint32_t count, uint32_t wanted);

#endif
