/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that return early are not waited for. One dimension. */
#include <accel/kernel.h>
#include "early_return.h"

/* Threads whose index t in the block is not a multiple of 3 return at once, with out = 1; the others pass three
 * barriers, between which those with t % 9 != 0 return with out = 2, and the rest ends with out = 3. sum is the number
 * of threads of the block with t % 9 == 0. */
ACCEL_THREAD_KERNEL(early_return, early_return_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    const size_t i = accel_global_index(acc).x;
    if (t % 3 != 0) {
        args.out[i] = 1;
        return;
    }
    accel_sync_block(acc);
    if (t % 9 != 0) {
        args.out[i] = 2;
        return;
    }
    accel_sync_block(acc);
    const int left = accel_sync_block_count(acc, 1);
    args.out[i] = 3;
    if (t == 0)
        args.sum[accel_block_index(acc).x] = (uint32_t)left;
}

/* A block kernel returns as a whole: blocks with an odd index write nothing, the others out = 4 for each thread. */
ACCEL_KERNEL(early_return_block, early_return_args, args)
{
    const size_t first = accel_block_index(acc).x * accel_block_extent(acc).x;
    if (accel_block_index(acc).x % 2 != 0)
        return;
    ACCEL_THREADS(acc, t)
        args.out[first + t] = 4;
}
