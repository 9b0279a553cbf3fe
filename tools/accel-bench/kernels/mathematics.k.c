/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in loops; compiled with accelcc --vector-math. */
#include <accel/kernel.h>
#include "bench_kernels.h"

ACCEL_KERNEL(float_exponentials, mathematics_args, args)
{
    const float *x = (const float *)args.x;
    float *y = (float *)args.y;
    ACCEL_FOR_EACH(acc, i, args.n)
        y[i] = expf(x[i]);
}

ACCEL_KERNEL(logarithms, mathematics_args, args)
{
    const double *x = (const double *)args.x;
    double *y = (double *)args.y;
    ACCEL_FOR_EACH(acc, i, args.n)
        y[i] = log(x[i]);
}
