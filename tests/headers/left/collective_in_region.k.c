/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: collectives stand outside regions. */
#include <accel/kernel/collective.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_PRIVATE(acc, double, x);
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(x, t) = 1;
        args.y[t] = accel_block_reduce(acc, double, ACCEL_SUM, x);
    }
}
