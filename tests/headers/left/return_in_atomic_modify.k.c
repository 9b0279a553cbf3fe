/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: the lock would be kept. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        ACCEL_ATOMIC_MODIFY(acc, double, &args.y[0], v)
        {
            if (i == 3)
                return;
            v += 1;
        }
    }
}
