/* SPDX-License-Identifier: Apache-2.0 */
/* The table for objects of target `check`: what kernels tell. Called under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_HOOKS_H
#define ACCEL_CPU_CHECK_HOOKS_H

#include <accel/kernel/cpu/check_table.h>
#include <accel/object.h>

extern const accel_check_hooks check_hooks;

/* Contract: cpu_observer.asserted. */
void check_hooks_asserted(const accel_launch_context *, accel_assertion *);

#endif
