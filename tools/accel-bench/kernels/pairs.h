/* SPDX-License-Identifier: Apache-2.0 */
/* The force between two particles of a molecular-dynamics code, charges behind a screen: e^-r (1 + r) / r^3 times their distance,
 * with an r that is never 0, so that a particle may meet itself. Shared by kernel, native way and host. */
#ifndef BENCH_PAIRS_H
#define BENCH_PAIRS_H

#include <math.h>

/* In kernels, for which accel/kernel.h comes first, and on the host. */
#if !defined(ACCEL_FN)
#define ACCEL_FN static inline
#endif

ACCEL_FN float pair_distance(float dx, float dy, float dz)
{
    return sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
}

ACCEL_FN float pair_factor(float r, float exponential)
{
    return exponential * (1 + r) / (r * r * r);
}

#endif
