/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions, each named after the instruction that joins a vector's lanes. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>

typedef struct reduction_args {
    const double *x;
    const int64_t *count;
} reduction_args;

typedef struct bounds {
    double min, max;
} bounds;

ACCEL_REDUCE(minpd, reduction_args, args, i, bounds, ACCEL_MINMAX)
{
    const bounds element = {args.x[i], args.x[i]};
    return element;
}

ACCEL_REDUCE(paddq, reduction_args, args, i, int64_t, ACCEL_SUM)
{
    return args.count[i];
}
