/* SPDX-License-Identifier: Apache-2.0 */
/* The case "pairs": where its particles are and how exact their forces must be, for libaccel's side and for the native one. */
#ifndef PAIRS_VALUES_H
#define PAIRS_VALUES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Somewhere in a cube whose edge is 8. */
static inline float pairs_position(size_t axis, size_t i)
{
    const size_t factors[3] = {7919, 104729, 1299709};
    return (float)(i * factors[axis] % 65521) * 8 / 65521;
}

/* Of some particles: each pair has about six roundings, and so has each sum. Positions and forces are n of x, then of y and of z. */
static inline bool pairs_are_right(size_t n, const float *force)
{
    enum { STEP = 61 };
    for (size_t i = 0; i < n; i += STEP) {
        double sum[3] = {0, 0, 0}, size = 0;
        for (size_t j = 0; j < n; ++j) {
            double d[3], square = 0.01;
            for (size_t axis = 0; axis < 3; ++axis) {
                d[axis] = (double)pairs_position(axis, i) - (double)pairs_position(axis, j);
                square += d[axis] * d[axis];
            }
            const double r = sqrt(square), factor = exp(-r) * (1 + r) / (r * square);
            for (size_t axis = 0; axis < 3; ++axis)
                sum[axis] += factor * d[axis];
            size += factor * r;
        }
        for (size_t axis = 0; axis < 3; ++axis)
            if (!(fabs((double)force[axis * n + i] - sum[axis]) <= 1e-5 * size))
                return false;
    }
    return true;
}

#endif
