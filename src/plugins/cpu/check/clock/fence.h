/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fences and atomics order. A thread releases what lies before a fence by an atomic behind it, and what others of its
 * block have done before a barrier. It acquires by an atomic, and a fence behind it, what was released before the atomic; the
 * other threads of its block do behind the next barrier. At which place atomics meet is not looked at: with another place,
 * too, all that was released counts. As one block runs after the other, time is a number that grows with each release.
 */
#ifndef ACCEL_CPU_CHECK_FENCE_H
#define ACCEL_CPU_CHECK_FENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void check_fence_launch(size_t blocks);
void check_fence_block(void);
/* A barrier, or the block's begin. */
void check_fence_epoch(void);
/* The running thread fences, for the device or for its block alone. */
void check_fence_pass(int device);
/* It does an atomic operation. */
void check_fence_atomic(void);
/* Was this context of another thread released, and has the running one acquired that? */
bool check_fence_orders(uint64_t context);

#endif
