/* SPDX-License-Identifier: Apache-2.0 */
/* The check of accelcc must refuse it: only continue leaves a loop over the rows of a block. */
#include <accel/kernel/row.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, row, args.n, 8) {
        if (args.y[row] > 0)
            break;
        ACCEL_ROW_ONCE(acc, 8)
            args.y[row] = 1;
    }
}
