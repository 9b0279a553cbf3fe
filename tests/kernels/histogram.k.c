/* SPDX-License-Identifier: Apache-2.0 */
/* bins[b] is the number of x that are b. Any one-dimensional work division. */
#include <accel/kernel.h>
#include "histogram.h"

/* Bins of the block in shared memory, added to the global ones at the end. */
ACCEL_KERNEL(histogram_block, histogram_args, args)
{
    ACCEL_SHARED(acc, uint32_t, bins[HISTOGRAM_BINS]);
    const size_t threads = accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t)
        for (size_t b = t; b < HISTOGRAM_BINS; b += threads)
            bins[b] = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n)
        accel_atomic_add(acc, &bins[args.x[i]], 1);
    ACCEL_THREADS(acc, t)
        for (size_t b = t; b < HISTOGRAM_BINS; b += threads)
            accel_atomic_add(acc, &args.bins[b], bins[b]);
}

/* The same with dynamic shared memory: HISTOGRAM_BINS * 4 bytes. */
ACCEL_KERNEL(histogram_dynamic, histogram_args, args)
{
    uint32_t *bins = (uint32_t *)accel_shared_dynamic(acc);
    const size_t threads = accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t)
        for (size_t b = t; b < HISTOGRAM_BINS; b += threads)
            bins[b] = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n)
        accel_atomic_inc(acc, &bins[args.x[i]], 0xffffffffu);
    ACCEL_THREADS(acc, t)
        for (size_t b = t; b < HISTOGRAM_BINS; b += threads)
            accel_atomic_add(acc, &args.bins[b], bins[b]);
}

/* Straight to the global bins. */
ACCEL_THREAD_KERNEL_NOSYNC(histogram_global, histogram_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        accel_atomic_add(acc, &args.bins[args.x[i]], 1);
}

/* A copy of the bins for each block, in global memory: of that only the block's threads are not to disturb each other.
 * With the smallest and the largest x that a block saw, and of each of its bins the negative number. */
ACCEL_KERNEL(histogram_copies, histogram_copies_args, args)
{
    histogram_copy *mine = &args.copies[accel_block_index(acc).x];
    ACCEL_FOR_EACH(acc, i, args.n) {
        const uint32_t x = args.x[i];
        accel_atomic_add_block(acc, &mine->bins[x], 1);
        accel_atomic_sub_block(acc, &mine->negative[x], 1);
        accel_atomic_add_block(acc, &mine->sum, (double)x);
        accel_atomic_sub_block(acc, &mine->difference, (float)(x % 2));
        accel_atomic_min_block(acc, &mine->smallest, (int)x);
        accel_atomic_max_block(acc, &mine->largest, (double)x);
        ACCEL_ATOMIC_MODIFY_BLOCK(acc, histogram_pair, &mine->pair, v)
        {
            v.all += x;
            if (x % 2 != 0)
                continue;
            v.even += x;
        }
    }
}
