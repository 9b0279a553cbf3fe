/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: regions do not nest. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_THREADS(acc, t) {
        ACCEL_THREADS_FIRST(acc, i, args.n)
            args.y[i] = (double)t;
    }
}
