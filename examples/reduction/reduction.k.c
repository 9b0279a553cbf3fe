/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sum of an array, six times. The first five kernels are the classic steps from a naive tree to a fast one; each makes
 * one sum per block, so the host launches it again for the sums (n_step.c). The sixth is all that libaccel needs.
 */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "reduction.h"

/* 1. Neighbours pair up, then neighbouring pairs, and so on. In each round half of the threads that were left have nothing
 * to do. Which ones takes a division, and every warp of a GPU keeps some busy threads to the end. */
ACCEL_KERNEL(neighbours, step_args, args)
{
    ACCEL_SHARED(acc, double, sums[STEP_THREADS]);
    const size_t threads = accel_block_extent(acc).x, first = accel_block_index(acc).x * threads;

    ACCEL_THREADS(acc, t)
        sums[t] = first + t < args.n ? args.x[first + t] : 0;
    for (size_t distance = 1; distance < threads; distance *= 2)
        ACCEL_THREADS(acc, t)
            if (t % (2 * distance) == 0)
                sums[t] += sums[t + distance];
    ACCEL_ONCE(acc)
        args.sum[accel_block_index(acc).x] = sums[0];
}

/* 2. The same pairs, but the first threads make them, so whole warps come to their end early. The sums that neighbouring
 * threads use lie ever farther apart, in the same banks of a GPU's shared memory. */
ACCEL_KERNEL(first_threads, step_args, args)
{
    ACCEL_SHARED(acc, double, sums[STEP_THREADS]);
    const size_t threads = accel_block_extent(acc).x, first = accel_block_index(acc).x * threads;

    ACCEL_THREADS(acc, t)
        sums[t] = first + t < args.n ? args.x[first + t] : 0;
    for (size_t distance = 1; distance < threads; distance *= 2)
        ACCEL_THREADS_FIRST(acc, t, threads / (2 * distance))
            sums[2 * distance * t] += sums[2 * distance * t + distance];
    ACCEL_ONCE(acc)
        args.sum[accel_block_index(acc).x] = sums[0];
}

/* 3. The first half adds the second half, then the first quarter the second: neighbouring threads use neighbouring sums. */
ACCEL_KERNEL(halves, step_args, args)
{
    ACCEL_SHARED(acc, double, sums[STEP_THREADS]);
    const size_t threads = accel_block_extent(acc).x, first = accel_block_index(acc).x * threads;

    ACCEL_THREADS(acc, t)
        sums[t] = first + t < args.n ? args.x[first + t] : 0;
    for (size_t half = threads / 2; half > 0; half /= 2)
        ACCEL_THREADS_FIRST(acc, t, half)
            sums[t] += sums[t + half];
    ACCEL_ONCE(acc)
        args.sum[accel_block_index(acc).x] = sums[0];
}

/* 4. Each thread first adds up several elements on its own: fewer blocks, and less of the time goes to trees. */
ACCEL_KERNEL(several_elements, step_args, args)
{
    ACCEL_SHARED(acc, double, sums[STEP_THREADS]);
    ACCEL_PRIVATE(acc, double, mine);

    ACCEL_THREADS(acc, t)
        ACCEL_MY(mine, t) = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n)
        ACCEL_MY(mine, t) += args.x[i];
    ACCEL_THREADS(acc, t)
        sums[t] = ACCEL_MY(mine, t);
    for (size_t half = accel_block_extent(acc).x / 2; half > 0; half /= 2)
        ACCEL_THREADS_FIRST(acc, t, half)
            sums[t] += sums[t + half];
    ACCEL_ONCE(acc)
        args.sum[accel_block_index(acc).x] = sums[0];
}

/* 5. The same with a block whose extent the compiler knows: it unrolls the tree and makes vectors of the regions. */
ACCEL_KERNEL_BLOCK(fixed_block, step_args, args, STEP_THREADS)
{
    ACCEL_SHARED(acc, double, sums[STEP_THREADS]);
    ACCEL_PRIVATE(acc, double, mine);

    ACCEL_THREADS(acc, t)
        ACCEL_MY(mine, t) = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n)
        ACCEL_MY(mine, t) += args.x[i];
    ACCEL_THREADS(acc, t)
        sums[t] = ACCEL_MY(mine, t);
    for (size_t half = STEP_THREADS / 2; half > 0; half /= 2)
        ACCEL_THREADS_FIRST(acc, t, half)
            sums[t] += sums[t + half];
    ACCEL_ONCE(acc)
        args.sum[accel_block_index(acc).x] = sums[0];
}

/* The one line that replaces them: accel_reduce makes the launches, and the result has the same bits on every device. */
ACCEL_REDUCE(total, total_args, args, i, double, ACCEL_SUM)
{
    return args.x[i];
}
