/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warps of 32 or 64 lanes, on request. Each thread of a thread kernel is a fiber. At a warp operation it waits until no thread
 * of the block can go on; then each warp ends the operations whose lanes are all there. If a warp has none, some lane will
 * never come: that is reported, and the lanes that are there go on without it. Threads of a region are fibers, too (region.h).
 * Elsewhere threads run one after another, and a warp has one thread. Under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_WARP_H
#define ACCEL_CPU_CHECK_WARP_H

#include "plugins/cpu/dispatch/launch.h"

#include <accel/kernel/cpu/check_table.h>
#include <stdbool.h>

/* Lanes of a warp: 1, 32 or 64. */
void check_warp_choose(uint64_t lanes);
/* Lanes of a warp of this kernel. */
uint32_t check_warp_size(const accel_descriptor *);
void check_warp_launch(const cpu_launch *);
/* Returns the operation's value for the thread that runs, whose stack is left until it is known. */
uint64_t check_warp_call(const accel_check_warp *, const void *place);

#endif
