/* SPDX-License-Identifier: Apache-2.0 */
/* Mathematics means the same on every target: types as in C++, and functions that C does not have. */
#include "../kernels/mathematics.h"
#include "trial.h"

#include <math.h>

static const float values[] = {0.0f,        -0.0f,     1.0f,     -1.5f,  2.5f,  0.1f,     -0.3f,      1e-45f,  -3e-39f,
                               16777215.0f, 3e38f,     -3.4e38f, 1e-20f, -2.5f, 0.5f,     1234.5678f, -999.5f, 1e10f,
                               -1e10f,      2.718282f, 3.14159f, NAN,    -NAN,  INFINITY, -INFINITY};
enum { VALUES = sizeof values / sizeof values[0] };

static float value(size_t i)
{
    return values[i % VALUES];
}

static float partner(size_t i)
{
    return values[(i / VALUES + i) * 7 % VALUES];
}

/* All of one bit, of none and of all, and mixtures. */
static uint64_t word(size_t i)
{
    const uint64_t one = (uint64_t)1 << i % 64;
    return i < 64 ? one : i < 128 ? ~one : i == 128 ? 0 : i == 129 ? ~(uint64_t)0 : i * 0x9e3779b97f4a7c15u;
}

static double lesser(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a < b ? a : b;
}

static double greater(double a, double b)
{
    return -lesser(-a, -b);
}

static double class(double x)
{
    return (isnan(x) ? 1 : 0) + (isinf(x) ? 2 : 0) + (isfinite(x) ? 4 : 0) + (signbit(x) ? 8 : 0);
}

static void right_values(float x, float y, uint64_t w, double v[MATHEMATICS_VALUES])
{
    const double d = x;
    const int32_t i = (int32_t)(uint32_t)w;
    const float finite = (float)lesser(greater(x, -1e30f), 1e30f);
    int exponent;
    float whole;
    const float fraction = frexpf(finite, &exponent), rest = modff(finite, &whole);
    const double right[MATHEMATICS_VALUES] = {fabsf(x),
                                              fabs(d),
                                              fabs((double)(i | 1)),
                                              sqrtf(x),
                                              sqrt(d),
                                              fabsf(x),
                                              lesser(x, y),
                                              greater(x, y),
                                              lesser(x, y),
                                              greater(x, y),
                                              i < 7 ? i : 7,
                                              i > -7 ? i : -7,
                                              lesser(greater(x, -1), 1),
                                              lesser(greater(i, -1000), 1000),
                                              lesser(greater(d, 0), y),
                                              lesser(x, y),
                                              greater(x, y),
                                              floorf(x),
                                              fraction,
                                              exponent,
                                              rest,
                                              whole,
                                              copysignf(x, y),
                                              fmaf(x, y, x),
                                              class(x),
                                              class(x),
                                              (double)lrint(lesser(greater(x, -1000), 1000)),
                                              rintf(x)};
    memcpy(v, right, sizeof right);
}

static uint64_t right_count(size_t which, size_t k, uint64_t whole)
{
    const unsigned bits = which % 2 == 0 ? 32 : 64;
    const uint64_t w = bits == 32 ? (uint32_t)whole : whole;
    uint64_t ones = 0, leading = bits, trailing = bits, reversed = 0, left = 0, right = 0;
    for (unsigned b = 0; b < bits; ++b) {
        if ((w >> b & 1) == 0)
            continue;
        ++ones;
        leading = bits - 1 - b;
        trailing = trailing == bits ? b : trailing;
        reversed |= (uint64_t)1 << (bits - 1 - b);
        left |= (uint64_t)1 << (b + k) % bits;
        right |= (uint64_t)1 << (b + bits - k % bits) % bits;
    }
    const uint64_t results[] = {ones, leading, trailing, reversed, left, right};
    return which == 12 ? ones : which == 13 ? whole << 1 | whole >> 63 : results[which / 2];
}

static void check(trial *t)
{
    const size_t v_bytes = t->n * MATHEMATICS_VALUES * sizeof(double),
                 c_bytes = t->n * MATHEMATICS_COUNTS * sizeof(uint64_t);
    float *x = host_memory(t->n * sizeof *x), *y = host_memory(t->n * sizeof *y);
    uint64_t *w = host_memory(t->n * sizeof *w), *counts = host_memory(c_bytes);
    double *found = host_memory(v_bytes), right[MATHEMATICS_VALUES];
    for (size_t i = 0; i < t->n; ++i) {
        x[i] = value(i);
        y[i] = partner(i);
        w[i] = word(i);
    }
    mathematics_args args = {.n = t->n,
                             .x = trial_memory(t, x, t->n * sizeof *x),
                             .y = trial_memory(t, y, t->n * sizeof *y),
                             .w = trial_memory(t, w, t->n * sizeof *w),
                             .values = trial_memory(t, NULL, v_bytes),
                             .counts = trial_memory(t, NULL, c_bytes)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.values, found, v_bytes);
    trial_read(t, args.counts, counts, c_bytes);
    for (size_t i = 0; i < t->n; ++i) {
        right_values(x[i], y[i], w[i], right);
        for (size_t k = 0; k < MATHEMATICS_VALUES; ++k) {
            const double is = found[i * MATHEMATICS_VALUES + k];
            trial_assert(t, is == right[k] || (isnan(is) && isnan(right[k])),
                         "x = %.9g, y = %.9g: value %zu is %.17g, not %.17g", (double)x[i], (double)y[i], k, is,
                         right[k]);
        }
        for (size_t k = 0; k < MATHEMATICS_COUNTS; ++k) {
            const uint64_t is = counts[i * MATHEMATICS_COUNTS + k], right_one = right_count(k, i, w[i]);
            trial_assert(t, is == right_one, "word %llx: count %zu is %llx, not %llx", (unsigned long long)w[i], k,
                         (unsigned long long)is, (unsigned long long)right_one);
        }
    }
    free(x);
    free(y);
    free(w);
    free(counts);
    free(found);
}

START_TEST(k11_mathematics_means_the_same_on_every_target)
{
    try_kernel("mathematics", TRIAL_SIZES(0, 1, 200, 1000), trial_any_shape, check);
}
END_TEST

void mathematics_tests(Suite *suite)
{
    add(suite, k11_mathematics_means_the_same_on_every_target);
}
