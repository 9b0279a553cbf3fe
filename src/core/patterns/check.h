/* SPDX-License-Identifier: Apache-2.0 */
/* What reductions and scans are given, and how their indices become blocks. */
#ifndef ACCEL_CORE_PATTERN_CHECK_H
#define ACCEL_CORE_PATTERN_CHECK_H

#include "core/api/queue.h"
#include "core/launch/kernel.h"
#include "core/memory/buffer.h"

#define ACCEL_PATTERN_THREADS (ACCEL_TILE_LANES * ACCEL_TILE_PIECES) /* of a block */

/* Is there a kernel, for the queue's device, and has that device such blocks? */
accel_status accel_pattern_check_kernel(const char *function, const accel_queue *, const accel_kernel *);
/* Is the result on a device that can be used, with elements of the kernel's size? */
accel_status accel_pattern_check_result(const char *function, const accel_kernel *, const accel_buffer *result);
/* Writes the checked arguments to `all`, what the kernel is handed, and returns where behind them the places go. */
size_t accel_pattern_set_args(unsigned char *all, const accel_kernel *, const void *args, size_t args_size);
/* Work of at least so many blocks times elems, for indices from 0 to count - 1. */
accel_work accel_pattern_work(const accel_kernel *, size_t count);

#endif
