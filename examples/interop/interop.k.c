/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/kernel.h>
#include "interop.h"

/* Small integers: their products and sums are exact, in whatever order a library adds them. */
ACCEL_KERNEL(make, interop_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, args.n, args.n) {
        args.a[i * args.pitch + j] = (double)((7 * i + 13 * j) % 17) - 8;
        args.b[i * args.pitch + j] = (double)((5 * i + 11 * j) % 19) - 9;
    }
}

ACCEL_KERNEL(damp, interop_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, args.n, args.n) {
        const double value = args.c[i * args.pitch + j], size = value < 0 ? -value : value;
        args.c[i * args.pitch + j] = value / (1 + size);
    }
}

ACCEL_KERNEL(scale, interop_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, args.n, args.n)
        args.c[i * args.pitch + j] /= args.sizes[i];
}
