/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a thread kernel has no private values to reduce. */
#include <accel/kernel/collective.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_THREAD_KERNEL(refused, some_args, args)
{
    double x[1] = {1};
    args.y[0] = accel_block_reduce(acc, double, ACCEL_SUM, x);
}
