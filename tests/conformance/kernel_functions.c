/* SPDX-License-Identifier: Apache-2.0 */
/* Mathematics in kernels: the C library's names, and nearly its values. */
#include "../kernels/functions.h"
#include "trial.h"

#include <math.h>

/* Units in the last place that a device's function may be away from the host's: GPUs promise at most 2 for most of
 * these, and the C library is itself up to 1 away from the truth. */
enum { ULPS = 4, EXACT_DOUBLES = 7, EXACT_FLOATS = 4 };

/* Neighbours of finite values have neighbouring numbers; both zeros are 0. */
static int64_t ordinal(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static int32_t ordinal_float(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT32_MIN - bits : bits;
}

static void host_functions(double x, double d[FUNCTIONS_DOUBLE], float f[FUNCTIONS_FLOAT])
{
    const float y = (float)x;
    const double doubles[FUNCTIONS_DOUBLE] = {
        sqrt(x), fabs(x - 0.5), fmin(x, 0.5), fmax(x, 0.5), floor(8 * x), ceil(8 * x),   fma(x, x, x), exp(x),
        log(x),  pow(x, 1.5),   sin(x),       cos(x),       tanh(x),      atan2(x, 2.0), cbrt(x),      hypot(x, 1.0)};
    const float floats[FUNCTIONS_FLOAT] = {sqrtf(y), fabsf(y - 0.5f), fminf(y, 0.5f), fmaxf(y, 0.5f),
                                           expf(y),  logf(y),         sinf(y),        powf(y, 2.5f)};
    memcpy(d, doubles, sizeof doubles);
    memcpy(f, floats, sizeof floats);
}

static void check(trial *t)
{
    const size_t d_bytes = t->n * FUNCTIONS_DOUBLE * sizeof(double), f_bytes = t->n * FUNCTIONS_FLOAT * sizeof(float);
    double *x = host_memory(t->n * sizeof *x), *d = host_memory(d_bytes), right[FUNCTIONS_DOUBLE];
    float *f = host_memory(f_bytes), right_float[FUNCTIONS_FLOAT];
    for (size_t i = 0; i < t->n; ++i)
        x[i] = ((double)i + 0.5) / (double)t->n;
    functions_args args = {.n = t->n,
                           .x = trial_memory(t, x, t->n * sizeof *x),
                           .d = trial_memory(t, NULL, d_bytes),
                           .f = trial_memory(t, NULL, f_bytes)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.d, d, d_bytes);
    trial_read(t, args.f, f, f_bytes);
    for (size_t i = 0; i < t->n; ++i) {
        host_functions(x[i], right, right_float);
        for (size_t k = 0; k < FUNCTIONS_DOUBLE; ++k) {
            const double found = d[i * FUNCTIONS_DOUBLE + k];
            const int64_t ulps = isfinite(found) ? llabs(ordinal(found) - ordinal(right[k])) : INT64_MAX;
            trial_assert(t, ulps <= (k < EXACT_DOUBLES ? 0 : ULPS), "x = %.17g, double function %zu: %.17g, not %.17g",
                         x[i], k, found, right[k]);
        }
        for (size_t k = 0; k < FUNCTIONS_FLOAT; ++k) {
            const float found = f[i * FUNCTIONS_FLOAT + k];
            const int64_t ulps =
                isfinite(found) ? llabs((int64_t)ordinal_float(found) - ordinal_float(right_float[k])) : INT64_MAX;
            trial_assert(t, ulps <= (k < EXACT_FLOATS ? 0 : ULPS), "x = %.9g, float function %zu: %.9g, not %.9g", x[i],
                         k, (double)found, (double)right_float[k]);
        }
    }
    free(x);
    free(d);
    free(f);
}

START_TEST(mathematics_has_the_names_and_values_of_c)
{
    try_kernel("functions", TRIAL_SIZES(0, 1, 17, 1000), trial_any_shape, check);
}
END_TEST

void functions_tests(Suite *suite)
{
    add(suite, mathematics_has_the_names_and_values_of_c);
}
