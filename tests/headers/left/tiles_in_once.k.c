/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: tiles are divided among blocks, not by one thread. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_ONCE(acc) {
        ACCEL_FOR_EACH_2D_TILED(acc, RIGHT, i, j, args.n, args.n, 4, 4)
        args.y[i] = (double)j;
    }
}
