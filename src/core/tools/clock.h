/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CLOCK_MONOTONIC for tools, which read it two or three times per launch. Where the system itself derives it from the
 * processor's counter (x86-64, clocksource tsc), it is derived here, too: from where the counter stood when the system was
 * asked last, and the rate that was measured. That takes half the time of clock_gettime.
 */
#ifndef ACCEL_CORE_TOOLS_CLOCK_H
#define ACCEL_CORE_TOOLS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds. Never runs backwards in a thread, and is off by some tens of nanoseconds. It is not ordered with the memory
 * accesses around it: the processor may read its counter while earlier ones are under way. Any thread. */
uint64_t accel_tools_clock(void);
/* Has the rate been measured? Else the system is asked each time. */
bool accel_tools_clock_is_own(void);

#endif
