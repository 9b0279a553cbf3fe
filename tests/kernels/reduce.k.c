/* SPDX-License-Identifier: Apache-2.0 */
/* Sums: after each kernel the sum over all entries of `sum` is the sum over all x. Use integers as values, so that
 * the order of additions does not matter. Blocks of REDUCE_THREADS threads; one dimension. */
#include <accel/kernel.h>
#include "reduce.h"

ACCEL_KERNEL_BLOCK(reduce_block, reduce_args, args, REDUCE_THREADS)
{
    ACCEL_SHARED(acc, double, part[REDUCE_THREADS]);
    ACCEL_PRIVATE(acc, double, s);
    ACCEL_THREADS(acc, t)
        ACCEL_MY(s, t) = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n)
        ACCEL_MY(s, t) += args.x[i];
    ACCEL_THREADS(acc, t)
        part[t] = ACCEL_MY(s, t);
    for (size_t h = REDUCE_THREADS / 2; h > 0; h /= 2)
        ACCEL_THREADS_FIRST(acc, t, h)
            part[t] += part[t + h];
    ACCEL_ONCE(acc)
        args.sum[accel_block_index(acc).x] = part[0];
}

ACCEL_THREAD_KERNEL(reduce_thread, reduce_args, args)
{
    ACCEL_SHARED(acc, double, part[REDUCE_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    double s = 0;
    ACCEL_FOR_EACH(acc, i, args.n)
        s += args.x[i];
    part[t] = s;
    accel_sync_block(acc);
    for (size_t h = REDUCE_THREADS / 2; h > 0; h /= 2) {
        if (t < h)
            part[t] += part[t + h];
        accel_sync_block(acc);
    }
    if (t == 0)
        args.sum[accel_block_index(acc).x] = part[0];
}

/* As reduce_thread, with the barrier inside a called function. */
ACCEL_FN double sum_of_block(accel_thread_handle acc, double *part, double value)
{
    const size_t t = accel_thread_index(acc).x;
    part[t] = value;
    accel_sync_block(acc);
    for (size_t h = accel_block_extent(acc).x / 2; h > 0; h /= 2) {
        if (t < h)
            part[t] += part[t + h];
        accel_sync_block(acc);
    }
    return part[0];
}

ACCEL_THREAD_KERNEL_BLOCK(reduce_called, reduce_args, args, REDUCE_THREADS)
{
    ACCEL_SHARED(acc, double, part[REDUCE_THREADS]);
    double s = 0;
    ACCEL_FOR_EACH(acc, i, args.n)
        s += args.x[i];
    s = sum_of_block(acc, part, s);
    if (accel_thread_index(acc).x == 0)
        args.sum[accel_block_index(acc).x] = s;
}
