/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: a loop over elements is left by continue only. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        if (i == 3)
            goto out;
        args.y[i] = 0;
    }
out:
    return;
}
