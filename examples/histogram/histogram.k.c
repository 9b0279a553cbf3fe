/* SPDX-License-Identifier: Apache-2.0 */
/* Three ways to count how often each byte occurs. */
#include <accel/kernel.h>
#include <accel/kernel/scatter.h>
#include "histogram.h"

/* 1: every thread of the device adds to the same 256 words. Right everywhere, and slow wherever the threads meet. */
ACCEL_KERNEL(global_atomics, bins_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        accel_atomic_add(acc, &args.bins[args.x[i]], 1);
}

/* 2: a block counts in its shared memory, and adds the counts to the words at its end. On CPUs the threads of a block share
 * a thread of the system, so its own counters need no atomic instruction; on GPUs those of shared memory are fast. */
ACCEL_KERNEL(block_counters, bins_args, args)
{
    ACCEL_SHARED(acc, uint32_t, counter[BINS]);
    const size_t threads = accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t)
        for (size_t b = t; b < BINS; b += threads)
            counter[b] = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n)
        accel_atomic_add_block(acc, &counter[args.x[i]], 1);
    ACCEL_THREADS(acc, t)
        for (size_t b = t; b < BINS; b += threads)
            accel_atomic_add(acc, &args.bins[b], counter[b]);
}

/* 3: the kernel says what is joined, the device how: in copies of the cells on CPUs, by atomics on GPUs. This defines the
 * kernel `counts`, with which the host makes the scatter. */
ACCEL_SCATTER(counts, uint32_t, ACCEL_SUM)

ACCEL_KERNEL(scatter, scatter_args, args)
{
    ACCEL_SCATTER_OPEN(acc, counts, bins, args.bins);
    ACCEL_FOR_EACH(acc, i, args.n)
        ACCEL_SCATTER_JOIN(counts, bins, args.x[i], 1);
}
