/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of structs whose members are computed from one element: members stay in vectors of their own. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>

typedef struct struct_args {
    const double *x;
} struct_args;

typedef struct moments {
    double first, second;
} moments;

typedef struct more_moments {
    double first, second, third, fourth;
} more_moments;

ACCEL_REDUCER(moments, join_moments, a, b, {0, 0})
{
    a.first += b.first;
    a.second += b.second;
    return a;
}

ACCEL_REDUCER(more_moments, join_more_moments, a, b, {0, 0, 0, 0})
{
    a.first += b.first;
    a.second += b.second;
    a.third += b.third;
    a.fourth += b.fourth;
    return a;
}

ACCEL_REDUCE(two, struct_args, args, i, moments, join_moments)
{
    const double x = args.x[i];
    const moments element = {x, x * x};
    return element;
}

ACCEL_REDUCE(four, struct_args, args, i, more_moments, join_more_moments)
{
    const double x = args.x[i];
    const more_moments element = {x, x * x, 2 * x, 1 + x};
    return element;
}
