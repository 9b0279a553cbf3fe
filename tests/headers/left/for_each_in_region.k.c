/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: ACCEL_FOR_EACH is the block's share, not a thread's. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_THREADS(acc, t) {
        ACCEL_FOR_EACH(acc, i, args.n)
            args.y[i] = (double)t;
    }
}
