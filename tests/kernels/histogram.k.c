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
