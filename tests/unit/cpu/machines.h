/* SPDX-License-Identifier: Apache-2.0 */
/* Machines that are not there, as hwloc imitates them. */
#ifndef MACHINES_H
#define MACHINES_H

#include "plugins/cpu/machine/topology.h"

/* Descriptions that hwloc understands, or names of files beside the tests. */
#define MACHINE_ONE_CPU "pack:1 core:1 pu:1"
#define MACHINE_SMT                                                                                                    \
    "pack:1 l3:1(size=16MiB) l2:4(size=1MiB) l1d:1(size=48kiB) core:1 pu:2(indexes=0,4,1,5,2,6,3,7)" /* siblings far apart */
#define MACHINE_CLUSTERS "pack:2 numa:2 l3:2(size=8MiB) l2:2(size=512kiB) l1d:1 core:1 pu:1"
#define MACHINE_NODE_GAPS "pack:4 numa:2(indexes=0,1,2,3,20,21,40,900) l3:1 core:2 pu:1"
#define MACHINE_FAST_MEMORY "pack:2 [numa] [numa] core:4 pu:1" /* two nodes beside each package's CPUs */
#define MACHINE_SHARED_CACHE                                                                                           \
    "pack:1 l3:1 numa:2 core:2 pu:1" /* of two nodes, as virtual machines are seen to have it */
#define MACHINE_128_CPUS "pack:2 numa:4 l3:2 l2:4 core:1 pu:2"
#define MACHINE_HYBRID "hybrid.xml"
#define MACHINE_OFFLINE "offline.xml"
#define MACHINE_FLAT ""

/* To be freed. */
cpu_topology *machine_load(const char *description);
/* The process's topology is this one, if it has not been asked for. */
void machine_imitate(const char *description);

#endif
