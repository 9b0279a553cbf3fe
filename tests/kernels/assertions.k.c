/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions that hold for all threads but one. One dimension, unless said otherwise. */
#include <accel/kernel/debug.h>
#include "assertions.h"

ACCEL_KERNEL(assert_in_region, assertions_args, args)
{
    const size_t first = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_SHARED(acc, uint32_t, seen[1024]);
    ACCEL_THREADS(acc, t)
        seen[t] = (uint32_t)t;
    ACCEL_THREADS(acc, t) {
        args.line[first + t] = __LINE__;
        ACCEL_ASSERT(acc, first + seen[t] != args.bad);
        args.after[first + t] = 1;
    }
}

/* Blocks of two dimensions, side by side. */
ACCEL_KERNEL(assert_in_rows, assertions_args, args)
{
    const size_t width = accel_block_extent(acc).x;
    const size_t first = accel_block_index(acc).x * width * accel_block_extent(acc).y;
    ACCEL_THREADS_2D(acc, ty, tx) {
        args.line[first + ty * width + tx] = __LINE__;
        ACCEL_ASSERT(acc, first + ty * width + tx != args.bad);
        args.after[first + ty * width + tx] = 1;
    }
}

/* The block knows its first thread only. */
ACCEL_KERNEL(assert_in_block, assertions_args, args)
{
    const size_t first = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_ONCE(acc)
        args.line[first] = __LINE__;
    ACCEL_ASSERT(acc, args.bad / accel_block_extent(acc).x != accel_block_index(acc).x);
    ACCEL_THREADS(acc, t)
        args.after[first + t] = 1;
}

ACCEL_KERNEL(assert_in_loop, assertions_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.line[i] = __LINE__;
        ACCEL_ASSERT(acc, i != args.bad);
        args.after[i] = 1;
    }
}

ACCEL_FN void assert_not(const accel_thread_handle acc, const assertions_args args, size_t i)
{
    args.line[i] = __LINE__;
    ACCEL_ASSERT(acc, i != args.bad);
    args.after[i] = 1;
}

/* The others do not wait at the barrier for a thread whose assertion failed. */
ACCEL_THREAD_KERNEL(assert_in_thread, assertions_args, args)
{
    const int all = accel_sync_block_count(acc, 1);
    if (all == (int)accel_block_extent(acc).x)
        assert_not(acc, args, accel_global_index(acc).x);
    accel_sync_block(acc);
}

ACCEL_THREAD_KERNEL_NOSYNC(assert_in_nosync, assertions_args, args)
{
    assert_not(acc, args, accel_global_index(acc).x);
}
