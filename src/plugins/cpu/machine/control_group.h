/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the control groups of this process, and all groups above them, limit: versions 1 and 2 of Linux's cgroups.
 *
 * `root` stands before every path that is read: "" except in tests.
 */
#ifndef ACCEL_CPU_CONTROL_GROUP_H
#define ACCEL_CPU_CONTROL_GROUP_H

#include "plugins/cpu/engine/export.h"

#include <stdint.h>

/* CPUs that the quota of CPU time is worth, rounded up, as of the last tenth of a second; UINT32_MAX without a quota. */
CPU_EXPORT uint32_t cpu_group_quota(const char *root);
/* Number of CPUs in the cpuset; UINT32_MAX if there is none. */
uint32_t cpu_group_cpus(const char *root);
/* Lowers both numbers of bytes to what the groups leave. Page cache that the kernel can drop counts as available. */
void cpu_group_memory(const char *root, uint64_t *available, uint64_t *total);

#endif
