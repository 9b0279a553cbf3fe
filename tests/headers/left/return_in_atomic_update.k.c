/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: a lock must be given back. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        ACCEL_ATOMIC_UPDATE(acc, args.y) {
            if (i == 3)
                return;
            args.y[0] += 1;
        }
    }
}
