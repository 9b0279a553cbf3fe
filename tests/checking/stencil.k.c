/* SPDX-License-Identifier: Apache-2.0 */
/* Each inner element of y is the mean of the four neighbours in x. Any two-dimensional work division. */
#include <accel/kernel.h>
#include "stencil.h"

ACCEL_KERNEL(stencil, stencil_args, args)
{
    const size_t n = args.n;
    ACCEL_FOR_EACH_2D(acc, i, j, n, n)
        if (i > 0 && j > 0 && i + 1 < n && j + 1 < n)
            args.y[i * n + j] = 0.25 * (args.x[(i - 1) * n + j] + args.x[(i + 1) * n + j] + args.x[i * n + j - 1] +
                                        args.x[i * n + j + 1]);
}
