/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: the private values have another type. */
#include <accel/kernel/collective.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_PRIVATE(acc, float, x);
    ACCEL_THREADS(acc, t)
        ACCEL_MY(x, t) = 1;
    const double sum = accel_block_inclusive_scan(acc, double, ACCEL_SUM, x);
    ACCEL_ONCE(acc)
        args.y[0] = sum;
}
