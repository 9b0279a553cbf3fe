/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of STREAM and BabelStream. */
#include <accel/kernel.h>
#include "bench_kernels.h"

ACCEL_KERNEL(copy, stream_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.a[i] = args.b[i];
}

ACCEL_KERNEL(scale, stream_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.a[i] = STREAM_SCALAR * args.b[i];
}

ACCEL_KERNEL(add, stream_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.a[i] = args.b[i] + args.c[i];
}

ACCEL_KERNEL(triad, stream_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.a[i] = args.b[i] + STREAM_SCALAR * args.c[i];
}

/* Each thread sums its elements, then the block's threads add up their sums in a tree. The host adds the sums of the
 * blocks. */
ACCEL_KERNEL_BLOCK(dot, stream_args, args, STREAM_THREADS)
{
    ACCEL_SHARED(acc, double, sums[STREAM_THREADS]);
    ACCEL_PRIVATE(acc, double, mine);

    ACCEL_THREADS(acc, t)
        ACCEL_MY(mine, t) = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n)
        ACCEL_MY(mine, t) += args.b[i] * args.c[i];
    ACCEL_THREADS(acc, t)
        sums[t] = ACCEL_MY(mine, t);
    for (size_t half = STREAM_THREADS / 2; half > 0; half /= 2)
        ACCEL_THREADS_FIRST(acc, t, half)
            sums[t] += sums[t + half];
    ACCEL_ONCE(acc)
        args.partial[accel_block_index(acc).x] = sums[0];
}
