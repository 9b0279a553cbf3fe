/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a local variable is no private value. */
#include <accel/kernel/collective.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    double x = 1;
    const double sum = accel_block_reduce(acc, double, ACCEL_SUM, x);
    ACCEL_ONCE(acc)
        args.y[0] = sum;
}
