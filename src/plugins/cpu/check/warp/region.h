/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of block kernels whose warps are emulated, and kernels without barriers, which are one region. The object has made each region a function, which loops over the threads
 * of the block, and asks which one comes next. It is called once for each thread, as a fiber: for that thread the loop has one
 * turn. So a thread can wait for the others of its warp. Under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_REGION_H
#define ACCEL_CPU_CHECK_REGION_H

#include "plugins/cpu/dispatch/launch.h"

/* Does a kernel have regions, or is it one? */
bool check_region_may_run(const accel_descriptor *);
/* The launch begins: its regions run so if `lanes`. */
void check_region_launch(const cpu_launch *, bool lanes);
/* Contract: accel_check_hooks.run. `place` is where the region begins. */
void check_region_run(void (*region)(void *), void *data, const void *place);
/* Is a fiber of a region running? */
bool check_region_is_running(void);
/* Of the running one. Contract: accel_check_hooks.region, part, order, row and along. */
int check_region_turn(int more, size_t t, int sync);
size_t check_region_order(size_t k, size_t n);
size_t check_region_row(size_t k, size_t n);
size_t check_region_along(size_t n);
/* An assertion has failed. In a region, whose threads have stacks of their own, it leaves the stack, and `fail` of the context is
 * called again behind it. */
void check_region_asserted(const accel_launch_context *, accel_assertion *);
/* The code of the region that runs; NULL: none. */
const void *check_region_code(void);

#endif
