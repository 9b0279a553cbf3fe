/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions: the sum of an array, the dot product of two; minimum and sum, and minimum, maximum and dot product, in one pass.
 * A scan. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "bench_kernels.h"

ACCEL_REDUCE(pattern_sum, pattern_args, args, i, double, ACCEL_SUM)
{
    return args.x[i];
}

/* What an order costs: more vectors than floats fill, members of a struct, rows that are no whole vectors of lanes. */
ACCEL_REDUCE(order_sum, order_args, args, i, double, ACCEL_SUM)
{
    return ((const double *)args.x)[i];
}

ACCEL_REDUCE(order_float_sum, order_args, args, i, float, ACCEL_SUM)
{
    return ((const float *)args.x)[i];
}

ACCEL_REDUCE_2D(order_rows, order_args, args, i, j, double, ACCEL_SUM)
{
    return ((const double *)args.x)[i * args.row + j];
}

ACCEL_SCAN(pattern_scan, pattern_args, args, i, double, ACCEL_SUM, args.x)
{
    return args.x[i];
}

ACCEL_REDUCER(pattern_summary, join_summaries, a, b, {INFINITY, -INFINITY, 0})
{
    a.min = b.min < a.min ? b.min : a.min;
    a.max = b.max > a.max ? b.max : a.max;
    a.dot += b.dot;
    return a;
}

ACCEL_REDUCE(pattern_dot, pattern_args, args, i, double, ACCEL_SUM)
{
    return args.x[i] * args.y[i];
}

ACCEL_REDUCER(pattern_low, join_lows, a, b, {INFINITY, 0})
{
    a.min = b.min < a.min ? b.min : a.min;
    a.sum += b.sum;
    return a;
}

ACCEL_REDUCE(pattern_min_sum, pattern_args, args, i, pattern_low, join_lows)
{
    const pattern_low element = {args.x[i], args.x[i]};
    return element;
}

ACCEL_REDUCE(float_sum, float_args, args, i, float, ACCEL_SUM)
{
    return args.x[i];
}

ACCEL_REDUCE(float_dot, float_args, args, i, float, ACCEL_SUM)
{
    return args.x[i] * args.y[i];
}

ACCEL_REDUCER(float_low, join_float_lows, a, b, {INFINITY, 0})
{
    a.min = b.min < a.min ? b.min : a.min;
    a.sum += b.sum;
    return a;
}

ACCEL_REDUCE(float_min_sum, float_args, args, i, float_low, join_float_lows)
{
    const float_low element = {args.x[i], args.x[i]};
    return element;
}

ACCEL_REDUCE(pattern_summarise, pattern_args, args, i, pattern_summary, join_summaries)
{
    const pattern_summary element = {args.x[i], args.x[i], args.x[i] * args.y[i]};
    return element;
}

ACCEL_REDUCE(order_summarise, order_args, args, i, pattern_summary, join_summaries)
{
    const double x = ((const double *)args.x)[i];
    const pattern_summary element = {x, x, x};
    return element;
}
