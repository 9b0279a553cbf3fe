/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a block kernel's values are private ones. */
#include <accel/kernel/collective.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    const double sum = accel_sync_block_reduce(acc, double, ACCEL_SUM, 1.0);
    ACCEL_ONCE(acc)
        args.y[0] = sum;
}
