/* SPDX-License-Identifier: Apache-2.0 */
/* Scans named after the vector instruction that their loops are to have from AVX2 on. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>

typedef struct {
    const double *doubles;
    const float *floats;
    const int32_t *integers;
} scans_args;

ACCEL_SCAN(addpd, scans_args, args, i, double, ACCEL_SUM)
{
    return args.doubles[i];
}
ACCEL_SCAN(addps, scans_args, args, i, float, ACCEL_SUM)
{
    return args.floats[i] * 2;
}
ACCEL_SCAN(paddd, scans_args, args, i, int32_t, ACCEL_SUM)
{
    return args.integers[i];
}
ACCEL_SCAN(maxpd, scans_args, args, i, double, ACCEL_MAX)
{
    return args.doubles[i];
}
