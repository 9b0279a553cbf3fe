/* SPDX-License-Identifier: Apache-2.0 */
/* Block kernels: regions, private values, shared memory. */
#include <accel/kernel.h>

#include "arguments.h"

/* Each region reads what another thread wrote in the one before. */
ACCEL_KERNEL(region_barrier, exchange_args, args)
{
    ACCEL_SHARED(acc, uint32_t, values[1024]);
    const size_t n = accel_block_extent(acc).x;
    const size_t base = accel_block_index(acc).x * n;
    ACCEL_THREADS(acc, t)
        values[t] = args.in[base + t];
    for (uint32_t round = 0; round < args.value; round++) {
        ACCEL_PRIVATE(acc, uint32_t, next);
        ACCEL_THREADS(acc, t)
            ACCEL_MY(next, t) = values[(t + 1) % n];
        ACCEL_THREADS(acc, t)
            values[t] = ACCEL_MY(next, t);
    }
    ACCEL_THREADS(acc, t)
        args.out[base + t] = values[t];
}

/* A tree sum in shared memory; the block's sum for each of its threads. */
ACCEL_KERNEL(tree_sum, exchange_args, args)
{
    ACCEL_SHARED(acc, uint32_t, values[1024]);
    const size_t n = accel_block_extent(acc).x;
    const size_t base = accel_block_index(acc).x * n;
    ACCEL_THREADS(acc, t)
        values[t] = args.in[base + t];
    for (size_t half = n / 2; half > 0; half /= 2) {
        ACCEL_THREADS_FIRST(acc, t, half)
            values[t] += values[t + half];
    }
    ACCEL_THREADS(acc, t)
        args.out[base + t] = values[0];
}

/* `continue` leaves a region for the thread that says it and for no other. */
ACCEL_KERNEL(region_continue, exchange_args, args)
{
    const size_t base = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t) {
        args.out[base + t] = 1;
        if (t % 3 == 0)
            continue;
        args.out[base + t] = 2;
    }
    ACCEL_THREADS(acc, t)
        args.out[base + t] += 10;
}

/* ONCE runs once per block, whatever its threads; `out` is one word per block. */
ACCEL_KERNEL(region_once, exchange_args, args)
{
    const size_t block = accel_block_index(acc).x;
    ACCEL_SHARED(acc, uint32_t, counter[1]);
    ACCEL_ONCE(acc)
        counter[0] = 0;
    ACCEL_THREADS(acc, t)
        (void)accel_atomic_add(acc, &counter[0], (uint32_t)t + 1);
    ACCEL_ONCE(acc)
        args.out[block] += counter[0];
}

/* Private values live from region to region, one for each thread. */
ACCEL_KERNEL(private_values, exchange_args, args)
{
    const size_t base = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_PRIVATE(acc, uint32_t, mine);
    ACCEL_PRIVATE(acc, uint64_t, wide);
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(mine, t) = (uint32_t)t;
        ACCEL_MY(wide, t) = (uint64_t)t << 32;
    }
    for (uint32_t round = 0; round < args.value; round++)
        ACCEL_THREADS_NOSYNC(acc, t)
            ACCEL_MY(mine, t) += 3;
    ACCEL_THREADS(acc, t)
        args.out[base + t] = ACCEL_MY(mine, t) + (uint32_t)(ACCEL_MY(wide, t) >> 32);
}

/* Two indices of a region: the last one fastest. */
ACCEL_KERNEL(region_2d, exchange_args, args)
{
    const accel_index extent = accel_block_extent(acc);
    const size_t base = accel_block_index(acc).x * extent.x * extent.y;
    ACCEL_THREADS_2D(acc, ty, tx)
        args.out[base + ty * extent.x + tx] = (uint32_t)(1000 * ty + tx);
}

/* Sums per thread over elements, by private values. */
ACCEL_KERNEL(sum_by_thread, exchange_args, args)
{
    const size_t base = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_PRIVATE(acc, uint32_t, sum);
    ACCEL_THREADS(acc, t)
        ACCEL_MY(sum, t) = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.value)
        ACCEL_MY(sum, t) += args.in[i];
    ACCEL_THREADS(acc, t)
        args.out[base + t] = ACCEL_MY(sum, t);
}

/* The dynamic part: its address, and that blocks have it for themselves. */
ACCEL_KERNEL(dynamic_shared, dynamic_args, args)
{
    uint32_t *values = (uint32_t *)accel_shared_dynamic(acc);
    const size_t n = accel_block_extent(acc).x;
    const size_t block = accel_block_index(acc).x;
    ACCEL_THREADS(acc, t)
        values[t] = (uint32_t)(block * n + t);
    ACCEL_ONCE(acc)
        args.addresses[block] = (uint64_t)(uintptr_t)values % 4096;
    ACCEL_THREADS(acc, t)
        args.out[block * n + t] = values[n - 1 - t];
}
