/* SPDX-License-Identifier: Apache-2.0 */
/* c = a + b of n * n * n elements: as one long array, by rows, and in tiles; and inside a border in four dimensions. */
#include <accel/kernel.h>
#include "bench_kernels.h"
#include "tensor_range.h"

ACCEL_KERNEL(tensor_flat, tensor_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n * args.n * args.n)
        args.c[i] = args.a[i] + args.b[i];
}

ACCEL_KERNEL(tensor_outer, tensor_args, args)
{
    const size_t n = args.n;
    ACCEL_FOR_EACH_3D(acc, i, j, k, n, n, n) {
        const size_t at = (i * n + j) * n + k;
        args.c[at] = args.a[at] + args.b[at];
    }
}

ACCEL_KERNEL(tensor_range, tensor_range_args, args)
{
    const size_t n = args.n;
    const double *const a = args.a, *const b = args.b;
    double *const c = args.c;
    ACCEL_FOR_EACH_RANGE_3D(acc, args.range, i, j, k) {
        const size_t at = (i * n + j) * n + k;
        c[at] = a[at] + b[at];
    }
}

ACCEL_KERNEL(tensor_inside, tensor_range_args, args)
{
    const size_t n = args.n;
    const double *const a = args.a, *const b = args.b;
    double *const c = args.c;
    ACCEL_FOR_EACH_RANGE_4D(acc, args.range, i, j, k, l) {
        const size_t at = ((i * n + j) * n + k) * TENSOR_ROW + l;
        c[at] = a[at] + b[at];
    }
}

ACCEL_KERNEL(tensor_tiled, tensor_args, args)
{
    const size_t n = args.n;
    ACCEL_FOR_EACH_3D_TILED(acc, RIGHT, i, j, k, n, n, n, args.tile[0], args.tile[1], args.tile[2])
    {
        const size_t at = (i * n + j) * n + k;
        args.c[at] = args.a[at] + args.b[at];
    }
}
