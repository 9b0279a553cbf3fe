/* SPDX-License-Identifier: Apache-2.0 */
/* The three kernels of conjugate gradients. */
#include <accel/kernel.h>
#include "cg_kernels.h"

ACCEL_KERNEL(multiply, multiply_args, args)
{
    ACCEL_FOR_EACH(acc, row, args.rows) {
        const size_t end = args.row_start[row + 1];
        double sum = 0;
        for (size_t k = args.row_start[row]; k < end; ++k)
            sum += args.value[k] * args.x[args.column[k]];
        args.y[row] = sum;
    }
}

ACCEL_KERNEL(add_scaled, add_scaled_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.z[i] = args.x[i] + args.factor * args.y[i];
}

/* Each thread sums its elements, then the block's threads add up their sums in a tree. The host adds the sums of the blocks. */
ACCEL_KERNEL_BLOCK(dot, dot_args, args, DOT_THREADS)
{
    ACCEL_SHARED(acc, double, sums[DOT_THREADS]);
    ACCEL_PRIVATE(acc, double, mine);

    ACCEL_THREADS(acc, t)
        ACCEL_MY(mine, t) = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n)
        ACCEL_MY(mine, t) += args.x[i] * args.y[i];
    ACCEL_THREADS(acc, t)
        sums[t] = ACCEL_MY(mine, t);
    for (size_t half = DOT_THREADS / 2; half > 0; half /= 2)
        ACCEL_THREADS_FIRST(acc, t, half)
            sums[t] += sums[t + half];
    ACCEL_ONCE(acc)
        args.partial[accel_block_index(acc).x] = sums[0];
}
