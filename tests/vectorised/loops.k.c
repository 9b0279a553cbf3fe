/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of each kind that a host compiler must vectorise: vectorised.sh looks at what it made of them. */
#include <accel/kernel.h>

typedef struct {
    size_t ni, nj, nk;
    double a;
    const double *x;
    double *y;
} some_args;

ACCEL_KERNEL(one_dimension, some_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.ni)
        args.y[i] = args.a * args.x[i] + 1;
}

/* Arithmetic behind a condition. */
ACCEL_KERNEL(one_condition, some_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.ni) {
        const double x = args.x[i];
        args.y[i] = x < args.a ? (args.a - x) * x : x;
    }
}

/* Functions of C that are choices. */
ACCEL_KERNEL(two_choices, some_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.ni)
        args.y[i] = fmax(fmin(args.a * args.x[i], 1), -1);
}

ACCEL_KERNEL(two_dimensions, some_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, args.ni, args.nj)
        args.y[i * args.nj + j] = args.a * args.x[i * args.nj + j] + 1;
}

ACCEL_KERNEL(three_dimensions, some_args, args)
{
    ACCEL_FOR_EACH_3D(acc, i, j, k, args.ni, args.nj, args.nk)
        args.y[(i * args.nj + j) * args.nk + k] = args.a * args.x[(i * args.nj + j) * args.nk + k] + 1;
}

ACCEL_KERNEL(flat_tiles, some_args, args)
{
    ACCEL_FOR_EACH_2D_TILED(acc, RIGHT, i, j, args.ni, args.nj, 8, 64)
    args.y[i * args.nj + j] = args.a * args.x[i * args.nj + j] + 1;
}

ACCEL_KERNEL(tiles, some_args, args)
{
    ACCEL_FOR_EACH_3D_TILED(acc, RIGHT, i, j, k, args.ni, args.nj, args.nk, 4, 8, 0)
    args.y[(i * args.nj + j) * args.nk + k] = args.a * args.x[(i * args.nj + j) * args.nk + k] + 1;
}

/* The first index is contiguous, and the innermost loop is its. */
ACCEL_KERNEL(left_tiles, some_args, args)
{
    ACCEL_FOR_EACH_3D_TILED(acc, LEFT, i, j, k, args.ni, args.nj, args.nk, 0, 8, 4)
    args.y[(k * args.nj + j) * args.ni + i] = args.a * args.x[(k * args.nj + j) * args.ni + i] + 1;
}

ACCEL_KERNEL_BLOCK(region, some_args, args, 256)
{
    ACCEL_PRIVATE(acc, double, sum);
    ACCEL_THREADS(acc, t)
        ACCEL_MY(sum, t) = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.ni)
        ACCEL_MY(sum, t) += args.a * args.x[i];
    ACCEL_THREADS(acc, t)
        args.y[t] = ACCEL_MY(sum, t);
}
