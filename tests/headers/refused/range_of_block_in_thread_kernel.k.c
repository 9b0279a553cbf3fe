/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a thread kernel has functions of its own, which are barriers. */
#include <accel/kernel/collective.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_THREAD_KERNEL(refused, some_args, args)
{
    const double sum = accel_block_range_reduce(acc, double, ACCEL_SUM, j, 0, args.n, 1.0);
    args.y[0] = sum;
}
