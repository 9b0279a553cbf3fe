/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double specials[] = {0.0,      -0.0,     1.0,       -1.0,      0.5,        -0.5,    2.0,        -2.0,
                                  3.0,      -3.0,     1.5,       -1.5,      2.5,        10.0,    -10.0,      100.0,
                                  0.1,      -0.1,     INFINITY,  -INFINITY, NAN,        FLT_MAX, -FLT_MAX,   FLT_MIN,
                                  -FLT_MIN, 0x1p-149, -0x1p-149, 0x1p24,    0x1p24 + 1, -0x1p53, 0x1p53 + 2, DBL_MAX,
                                  -DBL_MAX, DBL_MIN,  -DBL_MIN,  0x1p-1074, -0x1p-1074};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

/* SplitMix64 of Steele, Lea and Flood. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* In [-1, 1). */
static double uniform(uint64_t *state)
{
    return (double)(int64_t)next(state) * 0x1p-63;
}

/* Any sign, significand and exponent of the format, subnormal values among them. */
static double any(uint64_t *state, bool is_float)
{
    const int lowest = is_float ? -149 : -1074, highest = is_float ? 127 : 1023;
    const int exponent = lowest + (int)(next(state) % (uint64_t)(highest - lowest + 1));
    const double significand = 1 + fabs(uniform(state)) * (1 - DBL_EPSILON);
    return ldexp(next(state) & 1 ? significand : -significand, exponent);
}

static double sample(uint64_t *state, bool is_float)
{
    const double overflow = is_float ? 110 : 760;
    switch (next(state) % 8) {
    case 0:
    case 1:
        return any(state, is_float);
    case 2:
        return uniform(state);
    case 3:
        return uniform(state) * overflow;
    case 4: /* near 1, and near -1 */
        return (next(state) & 1 ? 1 : -1) + ldexp(uniform(state), -(int)(next(state) % 50));
    case 5: /* the nearest number to a multiple of pi / 2, where sine and cosine vanish */
        return (double)(next(state) >> (next(state) % 40 + 24)) * 1.57079632679489661923;
    case 6: /* near an integer */
        return rint(uniform(state) * 40) + ldexp(uniform(state), -(int)(next(state) % 40));
    default:
        return ldexp(uniform(state), (int)(next(state) % 25) - 12);
    }
}

/* The document leaves out negative arguments of lgamma, where its zeros are. */
static double in_range(const char *function, double x)
{
    return strcmp(function, "lgamma") == 0 && isfinite(x) ? fabs(x) : x;
}

void samples_make(const char *function, bool is_float, size_t n, double *x, double *y)
{
    uint64_t state = 20261122;
    for (size_t i = 0; i < n; ++i) {
        if (i < (size_t)SPECIALS * SPECIALS) {
            x[i] = specials[i % SPECIALS];
            y[i] = specials[i / SPECIALS];
        } else {
            x[i] = sample(&state, is_float);
            y[i] = sample(&state, is_float);
            if (strcmp(function, "pow") == 0) /* else most powers vanish or overflow */
                x[i] = fabs(x[i]);
            if (strcmp(function, "pow") == 0 && i % 2 == 0)
                y[i] = uniform(&state) * (is_float ? 150 : 1080) / fmax(fabs(log2(x[i])), 1e-3);
        }
        x[i] = in_range(function, x[i]);
        if (is_float && isfinite(x[i]))
            x[i] = fmin(fmax(x[i], -(double)FLT_MAX), (double)FLT_MAX);
        if (is_float && isfinite(y[i]))
            y[i] = fmin(fmax(y[i], -(double)FLT_MAX), (double)FLT_MAX);
    }
}
