/* SPDX-License-Identifier: Apache-2.0 */
/* A sparse matrix times a vector: a reduction for each row. */
#include <accel/kernel.h>
#include <accel/kernel/row.h>
#include "rows.h"

enum { LANES = 8 }; /* a vector of doubles; with 32 CPUs lose a tenth, and four rows share a warp well enough */

ACCEL_KERNEL(rows, rows_args, args)
{
    ACCEL_FOR_EACH_ROW(acc, row, args.n, LANES) {
        const double sum = accel_row_reduce(acc, LANES, double, ACCEL_SUM, j, args.first[row], args.first[row + 1],
                                            args.value[j] * args.x[args.column[j]]);
        ACCEL_ROW_ONCE(acc, LANES)
            args.y[row] = sum;
    }
}
