/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of two dimensions by the reducers that reductions.k.c has for one dimension alone. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "reductions.h"

/* Small integers of the values. */
ACCEL_FN uint16_t bits_of(double x)
{
    return (uint16_t)(int32_t)x;
}

#define PLANE(name, T, reducer, ...)                                                                                   \
    ACCEL_REDUCE_2D(reduce_2d_##name, reductions_args, args, i, j, T, reducer)                                         \
    {                                                                                                                  \
        const size_t at = i * args.nj + j;                                                                             \
        const double x = args.x[at];                                                                                   \
        const T element = {__VA_ARGS__};                                                                               \
        return element;                                                                                                \
    }
PLANE(prod, double, ACCEL_PROD, 1 + x * 0x1p-40)
PLANE(min, int32_t, ACCEL_MIN, (int32_t)x)
PLANE(and, uint8_t, ACCEL_AND, (uint8_t)(bits_of(x) != 77))
PLANE(or, uint8_t, ACCEL_OR, (uint8_t)(bits_of(x) == 77))
PLANE(xor, int32_t, ACCEL_XOR, bits_of(x) & 6)
PLANE(bit_and, uint16_t, ACCEL_BIT_AND, (uint16_t)(bits_of(x) | 0xf00f))
PLANE(bit_or, uint64_t, ACCEL_BIT_OR, (uint64_t)(bits_of(x) & 0xf0f))
PLANE(minmax, low_high, ACCEL_MINMAX, x, x)
PLANE(minloc, float_place, ACCEL_MINLOC, (float)x, (uint32_t)at)
PLANE(maxloc, float_place, ACCEL_MAXLOC, (float)x, (uint32_t)at)
PLANE(minmaxloc, low_high_places, ACCEL_MINMAXLOC, x, x, at, at)
