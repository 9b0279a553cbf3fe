/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of conjugate gradients, but for the dot product (dot.k.c). */
#include <accel/kernel.h>
#include "cg_kernels.h"

ACCEL_KERNEL(multiply, multiply_args, args)
{
    ACCEL_FOR_EACH(acc, row, args.rows) {
        const size_t end = args.row_start[row + 1];
        double sum = 0;
        for (size_t k = args.row_start[row]; k < end; ++k)
            sum += args.value[k] * args.x[args.column[k]];
        args.y[row] = sum;
    }
}

ACCEL_KERNEL(add_scaled, add_scaled_args, args)
{
    const double factor = args.sign * (*args.numerator / *args.denominator);
    ACCEL_FOR_EACH(acc, i, args.n)
        args.z[i] = args.x[i] + factor * args.y[i];
}
