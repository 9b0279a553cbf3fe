/* SPDX-License-Identifier: Apache-2.0 */
/* Loops with functions of which the C library has vector forms. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    const double *x;
    double *y;
} double_args;

typedef struct {
    size_t n;
    const float *x;
    float *y;
} float_args;

ACCEL_KERNEL(exponentials, double_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] += exp(-args.x[i]);
}

ACCEL_KERNEL(exponentials_of_floats, float_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] += exp(-args.x[i]);
}

ACCEL_KERNEL(sines, double_args, args)
{
    ACCEL_THREADS(acc, t)
        args.y[t] = sin(args.x[t]);
}

ACCEL_KERNEL(powers, double_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] = pow(args.x[i], args.y[i]);
}
