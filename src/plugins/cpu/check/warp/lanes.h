/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes of a block's warps: who waits, and where. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_LANES_H
#define ACCEL_CPU_CHECK_LANES_H

#include <accel/kernel/cpu/check_table.h>

struct cpu_fiber_pool;

extern uint32_t check_lanes_width; /* of a warp: 1, 32 or 64 */

/* A block of a thread kernel begins, or a region of a block kernel. pool: of its fibers; NULL: it has one thread. */
void check_lanes_begin(struct cpu_fiber_pool *pool, size_t threads);
/* The thread comes to a barrier of the block or to the end of its region, or has passed it. */
void check_lanes_arrive(size_t thread, const void *place);
void check_lanes_pass(size_t thread);
/* The running thread, of this number, asks for the operation's value. Its stack is left until that is known. */
uint64_t check_lanes_call(size_t thread, const accel_check_warp *, const void *place);

#endif
