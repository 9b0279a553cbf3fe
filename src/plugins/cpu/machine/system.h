/* SPDX-License-Identifier: Apache-2.0 */
/* What the system says of the processor's name and clock, and of memory. */
#ifndef ACCEL_CPU_SYSTEM_H
#define ACCEL_CPU_SYSTEM_H

#include <accel/plugin.h>

/* Fills description and, for this CPU, clock_mhz: 0 if the system does not say it. */
void cpu_system_describe(unsigned cpu, accel_device_properties *properties);
/* Bytes of the machine, or fewer where a control group has fewer, as of the last tenth of a second. 0 if unknown. */
uint64_t cpu_system_total_memory(void);
/* The same now, and what is available of it. `root` as in control_group.h. */
void cpu_system_memory(const char *root, uint64_t *available, uint64_t *total);

#endif
