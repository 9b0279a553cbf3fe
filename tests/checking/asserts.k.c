/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels with assertions whose warps are emulated. Block 1's thread 37 is the one whose assertion fails, once the others of its
 * warp have come to an operation: if args.n is 0. Comments name the lines of errors. Behind asserts_lanes are kernels that always
 * fail, in block 3, which has a light version under accel-check --share.
 */
#include <accel/kernel.h>
#include <accel/kernel/debug.h>
#include "planted.h"

#define IS_CHOSEN(acc, t) (accel_block_index(acc).x == 1 && (t) == 37)

ACCEL_KERNEL(asserts_region, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        const float sum = (float)accel_warp_ballot_full(acc, t % 2);
        ACCEL_ASSERT(acc, args.n != 0 || !IS_CHOSEN(acc, t));
        args.y[accel_block_index(acc).x * 64 + t] = sum;
    }
    ACCEL_ASSERT(acc, args.n != 1 || accel_block_index(acc).x != 1);
}

/* A region of rows, as thread (5, 2, 0) of blocks of 16 x 4. */
ACCEL_KERNEL(asserts_rows, planted_args, args)
{
    ACCEL_THREADS_2D(acc, ty, tx) {
        const size_t t = ty * accel_block_extent(acc).x + tx;
        const float sum = (float)accel_warp_ballot_full(acc, t % 2);
        ACCEL_ASSERT(acc, args.n != 0 || !IS_CHOSEN(acc, t));
        args.y[accel_block_index(acc).x * 64 + t] = sum;
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(asserts_nosync, planted_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    const float sum = (float)accel_warp_ballot_full(acc, t % 2);
    ACCEL_ASSERT(acc, args.n != 0 || !IS_CHOSEN(acc, t));
    args.y[accel_global_index(acc).x] = sum;
}

ACCEL_THREAD_KERNEL(asserts_barrier, planted_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    const float sum = (float)accel_warp_ballot_full(acc, t % 2);
    accel_sync_block(acc);
    ACCEL_ASSERT(acc, args.n != 0 || !IS_CHOSEN(acc, t));
    args.y[accel_global_index(acc).x] = sum;
}

ACCEL_KERNEL(asserts_lanes, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        ACCEL_ASSERT(acc, t < 64);
        if (accel_warp_lane(acc) != 3)
            args.y[t] = (float)accel_warp_any_full(acc, args.n == 1); /* asserts_lanes: here */
    }
}

ACCEL_KERNEL(asserts_elements, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        ACCEL_ASSERT(acc, i != 200 || accel_block_index(acc).x != 3); /* assertion: elements */
        args.y[i] = 1;
    }
}

ACCEL_KERNEL(asserts_threads, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        ACCEL_ASSERT(acc, t != 8 || accel_block_index(acc).x != 3); /* assertion: threads */
        args.y[accel_block_index(acc).x * 64 + t] = 1;
    }
}

ACCEL_THREAD_KERNEL(asserts_behind, planted_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    args.y[accel_global_index(acc).x] = 1;
    accel_sync_block(acc);
    ACCEL_ASSERT(acc, t != 8 || accel_block_index(acc).x != 3); /* assertion: behind */
}
