/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: the lanes of a row are 1, 2, 4, 8, 16 or 32. */
#include <accel/kernel/row.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_FOR_EACH_ROW(acc, row, args.n, 12) {
        const double sum = accel_row_reduce(acc, 12, double, ACCEL_SUM, j, 0, row, 1.0);
        ACCEL_ROW_ONCE(acc, 12)
            args.y[row] = sum;
    }
}
