/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions: every reducer, several types and sizes of elements, one to three dimensions. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "reductions.h"

ACCEL_REDUCE(reduce_dot, reductions_args, args, i, double, ACCEL_SUM)
{
    return args.x[i] * args.y[i];
}
ACCEL_REDUCE(reduce_float_sum, reductions_args, args, i, float, ACCEL_SUM)
{
    return (float)args.x[i];
}
ACCEL_REDUCE(reduce_prod, reductions_args, args, i, double, ACCEL_PROD)
{
    return 1 + args.x[i] * 0x1p-40;
}
ACCEL_REDUCE(reduce_min, reductions_args, places, i, int32_t, ACCEL_MIN)
{
    return (int32_t)places.x[i];
}
ACCEL_REDUCE(reduce_min_of_doubles, reductions_args, args, i, double, ACCEL_MIN)
{
    return args.x[i];
}
ACCEL_REDUCE(reduce_max, reductions_args, a, i, float, ACCEL_MAX)
{
    return (float)a.x[i];
}

/* Small integers of the values. */
ACCEL_FN uint16_t bits_of(double x)
{
    return (uint16_t)(int32_t)x;
}
ACCEL_REDUCE(reduce_and, reductions_args, args, i, uint8_t, ACCEL_AND)
{
    return (uint8_t)(bits_of(args.x[i]) != 77);
}
ACCEL_REDUCE(reduce_or, reductions_args, args, i, uint8_t, ACCEL_OR)
{
    return (uint8_t)(bits_of(args.x[i]) == 77);
}
ACCEL_REDUCE(reduce_xor, reductions_args, args, i, int32_t, ACCEL_XOR)
{
    return bits_of(args.x[i]) & 6;
}
ACCEL_REDUCE(reduce_bit_and, reductions_args, args, i, uint16_t, ACCEL_BIT_AND)
{
    return (uint16_t)(bits_of(args.x[i]) | 0xf00f);
}
ACCEL_REDUCE(reduce_bit_or, reductions_args, args, i, uint64_t, ACCEL_BIT_OR)
{
    return bits_of(args.x[i]) & 0xf0f;
}
ACCEL_REDUCE(reduce_bit_xor, reductions_args, args, i, uint16_t, ACCEL_BIT_XOR)
{
    return bits_of(args.x[i]);
}

ACCEL_REDUCE(reduce_minmax, reductions_args, args, i, low_high, ACCEL_MINMAX)
{
    const low_high element = {args.x[i], args.x[i]};
    return element;
}
ACCEL_REDUCE(reduce_minloc, reductions_args, args, i, float_place, ACCEL_MINLOC)
{
    const float_place element = {(float)args.x[i], (uint32_t)i};
    return element;
}
ACCEL_REDUCE(reduce_maxloc, reductions_args, args, i, float_place, ACCEL_MAXLOC)
{
    const float_place element = {(float)args.x[i], (uint32_t)i};
    return element;
}
ACCEL_REDUCE(reduce_minmaxloc, reductions_args, args, i, low_high_places, ACCEL_MINMAXLOC)
{
    const low_high_places element = {args.x[i], args.x[i], i, i};
    return element;
}

ACCEL_REDUCER(statistics, join_statistics, a, b, {INFINITY, -INFINITY, 0, 0})
{
    a.min = b.min < a.min ? b.min : a.min;
    a.max = b.max > a.max ? b.max : a.max;
    a.dot += b.dot;
    a.positive += b.positive;
    return a;
}
ACCEL_REDUCE(reduce_statistics, reductions_args, args, i, statistics, join_statistics)
{
    const statistics element = {args.x[i], args.x[i], args.x[i] * args.y[i], args.x[i] > 0};
    return element;
}

ACCEL_REDUCER(affine, compose, a, b, {1, 0})
{
    a.offset = b.factor * a.offset + b.offset;
    a.factor = b.factor * a.factor;
    return a;
}
ACCEL_REDUCE(reduce_affine, reductions_args, args, i, affine, compose)
{
    const affine element = {1 + args.x[i] * 0x1p-42, args.y[i]};
    return element;
}

ACCEL_REDUCER(many_sums, add_many, a, b, {{0}})
{
    for (int m = 0; m < 9; m++)
        a.sums[m] += b.sums[m];
    return a;
}
ACCEL_REDUCE(reduce_many, reductions_args, args, i, many_sums, add_many)
{
    many_sums element = {{0}};
    for (int m = 0; m < 9; m++)
        element.sums[m] = (float)args.x[i] * (float)m;
    return element;
}

ACCEL_REDUCE_2D(reduce_2d, reductions_args, places, i, j, double, ACCEL_SUM)
{
    return places.x[i * places.nj + j];
}
ACCEL_REDUCE_2D(reduce_2d_statistics, reductions_args, args, i, j, statistics, join_statistics)
{
    const size_t at = i * args.nj + j;
    const statistics element = {args.x[at], args.x[at], args.x[at] * args.y[at], args.x[at] > 0};
    return element;
}
ACCEL_REDUCE_2D(reduce_2d_max, reductions_args, args, i, j, float, ACCEL_MAX)
{
    return (float)args.x[i * args.nj + j];
}
ACCEL_REDUCE_2D(reduce_2d_bit_xor, reductions_args, args, i, j, uint16_t, ACCEL_BIT_XOR)
{
    return bits_of(args.x[i * args.nj + j]);
}
ACCEL_REDUCE_3D(reduce_3d, reductions_args, args, i, j, k, affine, compose)
{
    const size_t at = (i * args.nj + j) * args.nk + k;
    const affine element = {1 + args.x[at] * 0x1p-42, args.y[at]};
    return element;
}

ACCEL_REDUCE_3D(reduce_3d_prod, reductions_args, args, i, j, k, double, ACCEL_PROD)
{
    return 1 + args.x[(i * args.nj + j) * args.nk + k] * 0x1p-40;
}
ACCEL_REDUCE_3D(reduce_3d_minloc, reductions_args, args, i, j, k, float_place, ACCEL_MINLOC)
{
    const size_t at = (i * args.nj + j) * args.nk + k;
    const float_place element = {(float)args.x[at], (uint32_t)at};
    return element;
}

/* The number of elements. */
ACCEL_REDUCE(reduce_count, accel_no_args, args, i, uint64_t, ACCEL_SUM)
{
    return i + 1 != 0;
}
