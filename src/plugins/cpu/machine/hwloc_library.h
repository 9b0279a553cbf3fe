/* SPDX-License-Identifier: Apache-2.0 */
/* hwloc 2, opened at run time: the functions of it that the engine uses. Built only where hwloc's headers are. */
#ifndef ACCEL_CPU_HWLOC_LIBRARY_H
#define ACCEL_CPU_HWLOC_LIBRARY_H

#include <hwloc.h>
#include <stdbool.h>
#include <stddef.h>

/* Name of each function, without "hwloc_". */
#define CPU_HWLOC_FUNCTIONS(F)                                                                                         \
    F(get_api_version)                                                                                                 \
    F(topology_init)                                                                                                   \
    F(topology_set_flags)                                                                                              \
    F(topology_set_all_types_filter)                                                                                   \
    F(topology_set_type_filter)                                                                                        \
    F(topology_set_components)                                                                                         \
    F(topology_load)                                                                                                   \
    F(topology_destroy)                                                                                                \
    F(topology_is_thissystem)                                                                                          \
    F(topology_get_allowed_cpuset)                                                                                     \
    F(get_type_depth)                                                                                                  \
    F(get_nbobjs_by_depth)                                                                                             \
    F(get_obj_by_depth)                                                                                                \
    F(bitmap_alloc)                                                                                                    \
    F(bitmap_free)                                                                                                     \
    F(bitmap_isset)                                                                                                    \
    F(bitmap_weight)                                                                                                   \
    F(bitmap_first)                                                                                                    \
    F(bitmap_next)                                                                                                     \
    F(cpukinds_get_nr)                                                                                                 \
    F(cpukinds_get_info)

typedef struct cpu_hwloc {
#define CPU_HWLOC_MEMBER(name) __typeof__(&hwloc_##name) name;
    CPU_HWLOC_FUNCTIONS(CPU_HWLOC_MEMBER)
#undef CPU_HWLOC_MEMBER
} cpu_hwloc;

/* Opens `library`, or libhwloc.so.15 if that is NULL, for good. Returns false, and writes why, if it is not there or is
 * no hwloc from 2.4 on. *shortage: the errno if the process lacks memory or descriptors, else 0. */
bool cpu_hwloc_open(cpu_hwloc *hwloc, const char *library, char *reason, size_t size, int *shortage);

#endif
