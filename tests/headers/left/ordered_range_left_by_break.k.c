/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: the elements of a range have no order, so there is no first one to stop at. */
#include <accel/kernel.h>

typedef struct {
    accel_range range;
    double *y;
} some_args;

ACCEL_KERNEL(refused_ordered, some_args, args)
{
    ACCEL_FOR_EACH_RANGE_4D_ORDERED(acc, LEFT, args.range, i, j, k, l) {
        if (i + j + k + l > 7)
            break;
        args.y[i] = 1;
    }
}
