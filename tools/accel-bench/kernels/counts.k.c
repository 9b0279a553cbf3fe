/* SPDX-License-Identifier: Apache-2.0 */
/* How often each byte occurs, and the sum of the weights of each, by scatters. */
#include <accel/kernel.h>
#include <accel/kernel/scatter.h>
#include "counts.h"

/* Joins of an iteration, as the native way has them: a loop of one takes 2 or 3 cycles, depending on where its code lies. */
enum { TOGETHER = 4 };

ACCEL_SCATTER(counts, uint32_t, ACCEL_SUM)

ACCEL_KERNEL(counts_of_bytes, counts_args, args)
{
    ACCEL_SCATTER_OPEN(acc, counts, bins, args.bins);
    const size_t whole = args.n / TOGETHER * TOGETHER;
    ACCEL_FOR_EACH(acc, i, args.n / TOGETHER) {
        ACCEL_UNROLL(TOGETHER)
        for (size_t k = 0; k < TOGETHER; k++)
            ACCEL_SCATTER_JOIN(counts, bins, args.x[i * TOGETHER + k], 1);
    }
    ACCEL_FOR_EACH(acc, i, args.n - whole)
        ACCEL_SCATTER_JOIN(counts, bins, args.x[whole + i], 1);
}

ACCEL_SCATTER(weights, double, ACCEL_SUM)

ACCEL_KERNEL(weights_of_bytes, counts_args, args)
{
    ACCEL_SCATTER_OPEN(acc, weights, bins, args.bins);
    const size_t whole = args.n / TOGETHER * TOGETHER;
    ACCEL_FOR_EACH(acc, i, args.n / TOGETHER) {
        ACCEL_UNROLL(TOGETHER)
        for (size_t k = 0; k < TOGETHER; k++)
            ACCEL_SCATTER_JOIN(weights, bins, args.x[i * TOGETHER + k], args.weight[i * TOGETHER + k]);
    }
    ACCEL_FOR_EACH(acc, i, args.n - whole)
        ACCEL_SCATTER_JOIN(weights, bins, args.x[whole + i], args.weight[whole + i]);
}
