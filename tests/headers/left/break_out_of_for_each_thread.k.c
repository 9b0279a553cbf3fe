/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: a region is left by continue only. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n) {
        args.y[i] = (double)t;
        break;
    }
}
