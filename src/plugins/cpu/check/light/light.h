/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The light version of kernels, for blocks outside the share of ACCEL_CHECK_SHARE. It tells nothing of what it does, and asks
 * the poison (poison.h) before each access. What it would crash at becomes a report by way of signals. Under the lock of
 * check.c.
 */
#ifndef ACCEL_CPU_CHECK_LIGHT_H
#define ACCEL_CPU_CHECK_LIGHT_H

#include "plugins/cpu/dispatch/launch.h"

/* Are light versions to be run? false: they are, but cannot, as there is no room for the poison. */
bool check_light_choose(bool wanted);
bool check_light_is_chosen(void);
/* A launch begins. `light` becomes it, of the kernel's light version; false: there is none, or none is to be run. `stack`: of
 * the caller, above all frames of the kernel. */
bool check_light_begin(const cpu_launch *launch, cpu_launch *light, const void *stack);
/* Can blocks of it run? What it poisons has to stay where it is: the first block that runs with this scratch makes it. */
bool check_light_is_ready(const cpu_launch *light, const cpu_scratch *);
/* A block of the light version, if it is ready. */
accel_status check_light_run(const cpu_launch *light, cpu_scratch *scratch, size_t block);
/* In the code of the kernel whose block runs. */
const void *check_light_place(void);
/* The launch is over. `well`: all threads have come to their end. */
void check_light_end(bool well);

#endif
