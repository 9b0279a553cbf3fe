/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a block kernel has functions of its own, without barriers on CPUs. */
#include <accel/kernel/collective.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    const double sum = accel_sync_block_range_inclusive_scan(acc, double, ACCEL_SUM, args.y, j, 0, args.n, 1.0);
    ACCEL_ONCE(acc)
        args.y[0] = sum;
}
