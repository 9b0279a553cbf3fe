/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: the range of a block is no thread's. */
#include <accel/kernel/collective.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_ONCE(acc)
        args.y[0] = accel_block_range_reduce(acc, double, ACCEL_SUM, j, 0, args.n, 1.0);
}
