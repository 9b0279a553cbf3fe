/* SPDX-License-Identifier: Apache-2.0 */
/* What the system says of the processor's name and clock, and of memory. `root` as in control_group.h. */
#ifndef ACCEL_CPU_SYSTEM_H
#define ACCEL_CPU_SYSTEM_H

#include <accel/plugin.h>

/* Fills description and, for this CPU, clock_mhz; leaves what the system does not say. */
void cpu_system_describe(const char *root, unsigned cpu, accel_device_properties *properties);
/* Bytes, now: the machine's, or less where a control group has less. 0 if unknown. */
void cpu_system_memory(const char *root, uint64_t *available, uint64_t *total);

#endif
