/* SPDX-License-Identifier: Apache-2.0 */
/* What the system tells about the machine's CPUs, as far as a device uses them. */
#ifndef ACCEL_CPU_TOPOLOGY_H
#define ACCEL_CPU_TOPOLOGY_H

#include "plugins/cpu/machine/mask.h"

#include <accel/plugin.h>

/* Fills caches and counts; leaves at 0, or -1, what the system does not tell. The files of
 * processors and nodes are looked for below `root`, which is "" but for tests. */
void cpu_topology_fill(const char *root, const uint8_t mask[CPU_MASK_BYTES], accel_device_properties *);

#endif
