/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of packs, held to those of the C library. */
#include "../kernels/pack_mathematics.h"
#include "trial.h"

#include <math.h>

/* Units in the last place between a result and the C library's: no bound of docs/mathematics.md for these functions is
 * above 6, and the C library errs by 2 at most. */
enum { UNITS = 8 };

#define NAME(f, ...) #f,
static const char *const functions[PACK_MATHEMATICS_ROWS] = {PACK_MATHEMATICS_ONE(NAME) PACK_MATHEMATICS_TWO(NAME)};

/* The true values for floats are those of doubles, rounded. */
#define ONE(f, argument) expected[row++] = f((double)(argument));
#define TWO(f, first, second) expected[row++] = f((double)(first), (double)(second));
#define UNIT_float(e) ((double)(nextafterf((float)fabs(e), INFINITY) - (float)fabs(e)))
#define UNIT_double(e) (nextafter(fabs(e), INFINITY) - fabs(e))
#define DEFINE_CHECK(T)                                                                                                \
    static void right_of_##T(T x, T y, double expected[PACK_MATHEMATICS_ROWS])                                         \
    {                                                                                                                  \
        size_t row = 0;                                                                                                \
        PACK_MATHEMATICS_ONE(ONE)                                                                                      \
        PACK_MATHEMATICS_TWO(TWO)                                                                                      \
        ck_assert_uint_eq(row, PACK_MATHEMATICS_ROWS);                                                                 \
    }                                                                                                                  \
    static void check_##T(trial *t)                                                                                    \
    {                                                                                                                  \
        const size_t n = t->n, bytes = n * sizeof(T);                                                                  \
        T *x = host_memory(bytes), *y = host_memory(bytes), *out = host_memory(PACK_MATHEMATICS_ROWS * bytes);         \
        double expected[PACK_MATHEMATICS_ROWS];                                                                        \
        for (size_t i = 0; i < n; ++i) {                                                                               \
            x[i] = (T)((double)(i * 7919 % 2003) / 1009 - 0.99);                                                       \
            y[i] = (T)((double)(i * 104729 % 1999) / 500 - 2);                                                         \
        }                                                                                                              \
        const pack_mathematics_args args = {.n = n,                                                                    \
                                            .x = trial_memory(t, x, bytes),                                            \
                                            .y = trial_memory(t, y, bytes),                                            \
                                            .out = trial_memory(t, NULL, PACK_MATHEMATICS_ROWS * bytes)};              \
        trial_launch(t, &args, sizeof args);                                                                           \
        trial_read(t, args.out, out, PACK_MATHEMATICS_ROWS *bytes);                                                    \
        for (size_t i = 0; i < n; ++i) {                                                                               \
            right_of_##T(x[i], y[i], expected);                                                                        \
            for (size_t row = 0; row < PACK_MATHEMATICS_ROWS; ++row) {                                                 \
                const double found = (double)out[row * n + i], right = expected[row];                                  \
                trial_assert(t, fabs(found - right) <= UNITS * UNIT_##T(right),                                        \
                             "%s of x = %.17g, y = %.17g is %.17g, not %.17g", functions[row], (double)x[i],           \
                             (double)y[i], found, right);                                                              \
            }                                                                                                          \
        }                                                                                                              \
        free(x);                                                                                                       \
        free(y);                                                                                                       \
        free(out);                                                                                                     \
    }
DEFINE_CHECK(float)
DEFINE_CHECK(double)

START_TEST(functions_of_packs_are_those_of_the_c_library)
{
    try_kernel("pack_mathematics_float", TRIAL_SIZES(0, 1, 17, 1000), trial_line_shapes, check_float);
    try_kernel("pack_mathematics_double", TRIAL_SIZES(0, 1, 17, 1000), trial_line_shapes, check_double);
}
END_TEST

void pack_mathematics_tests(Suite *suite)
{
    add(suite, functions_of_packs_are_those_of_the_c_library);
}
