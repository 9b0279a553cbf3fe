/* SPDX-License-Identifier: Apache-2.0 */
/* What reducers make of two values, and of none. Zeros stand for NaNs where the kernel's numbers are floating-point. */
#include "../kernels/reducers.h"
#include "trial.h"

#include <math.h>

/* Numbers of both signs and all types' ranges. */
static int32_t number(size_t i)
{
    static const int32_t numbers[] = {5, -3, 0, 127, -128, 5, 32767, -32768, 1, 0};
    return numbers[i % 10];
}

static void check_integers(trial *t, size_t i, int32_t a, int32_t b, const reduced *out)
{
    trial_words_equal(t, i, out->sum8, (int8_t)((uint8_t)a + (uint8_t)b));
    trial_words_equal(t, i, out->prod64, (uint64_t)a * (uint64_t)b);
    trial_words_equal(t, i, out->min16, a < b ? a : b);
    trial_words_equal(t, i, out->max8, (uint8_t)a > (uint8_t)b ? (uint8_t)a : (uint8_t)b);
    trial_words_equal(t, i, out->all, a != 0 && b != 0);
    trial_words_equal(t, i, out->any, a != 0 || b != 0);
    trial_words_equal(t, i, out->odd, (a != 0) != (b != 0));
    trial_words_equal(t, i, out->bit_and, a & b);
    trial_words_equal(t, i, out->bit_or, a | b);
    trial_words_equal(t, i, out->bit_xor, a ^ b);
}

static void check_others(trial *t, size_t i, int32_t a, int32_t b, const reduced *out)
{
    const double low = a == 0 ? (b == 0 ? (double)INFINITY : b) : b == 0 || a < b ? a : b;
    const double high = a == 0 ? (b == 0 ? (double)-INFINITY : b) : b == 0 || a > b ? a : b;

    trial_doubles_equal(t, i, (double)out->min_float, low);
    trial_doubles_equal(t, i, out->max_double, high);
    trial_doubles_equal(t, i, out->range.min, (double)(a < b ? a : b));
    trial_doubles_equal(t, i, out->range.max, (double)(a > b ? a : b));
    trial_words_equal(t, i, out->lowest.value, a < b ? a : b);
    trial_words_equal(t, i, out->lowest.index, 2 * i + (b < a)); /* of equal values the first */
    trial_words_equal(t, i, out->highest.value, a > b ? a : b);
    trial_words_equal(t, i, out->highest.index, 2 * i + (b > a));
    trial_doubles_equal(t, i, (double)out->places.min, (double)(a < b ? a : b));
    trial_doubles_equal(t, i, (double)out->places.max, (double)(a > b ? a : b));
    trial_words_equal(t, i, out->places.min_index, 2 * i + (b < a));
    trial_words_equal(t, i, out->places.max_index, 2 * i + (b > a));
    trial_doubles_equal(t, i, out->means.sum, (double)a + b);
    trial_words_equal(t, i, out->means.count, 2);
}

static void check_start(trial *t, size_t i, const reduced *out)
{
    trial_words_equal(t, i, out->sum8, 0);
    trial_words_equal(t, i, out->prod64, 1);
    trial_words_equal(t, i, out->min16, INT16_MAX);
    trial_words_equal(t, i, out->max8, 0);
    trial_words_equal(t, i, out->all, 1);
    trial_words_equal(t, i, out->any | out->odd | out->bit_or | out->bit_xor, 0);
    trial_words_equal(t, i, out->bit_and, -1);
    trial_doubles_equal(t, i, (double)out->min_float, INFINITY);
    trial_doubles_equal(t, i, out->max_double, -INFINITY);
    trial_doubles_equal(t, i, out->range.min, INFINITY);
    trial_doubles_equal(t, i, out->range.max, -INFINITY);
    trial_words_equal(t, i, out->lowest.value, INT16_MAX);
    trial_words_equal(t, i, out->lowest.index, UINT32_MAX);
    trial_words_equal(t, i, out->highest.value, INT16_MIN);
    trial_words_equal(t, i, out->highest.index, UINT32_MAX);
    trial_doubles_equal(t, i, (double)out->places.min, INFINITY);
    trial_words_equal(t, i, out->places.max_index, SIZE_MAX);
    trial_words_equal(t, i, out->means.count, 0);
}

static void check(trial *t)
{
    const size_t n = t->n;
    int32_t *a = host_memory(n * sizeof *a), *b = host_memory(n * sizeof *b);
    reduced *out = host_memory((n + 1) * sizeof *out);
    for (size_t i = 0; i < n; ++i) {
        a[i] = number(i);
        b[i] = number(i / 10);
    }
    reducers_args args = {.n = n,
                          .a = trial_memory(t, a, n * sizeof *a),
                          .b = trial_memory(t, b, n * sizeof *b),
                          .out = trial_memory(t, NULL, (n + 1) * sizeof *out)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.out, out, (n + 1) * sizeof *out);
    for (size_t i = 0; i < n; ++i) {
        check_integers(t, i, a[i], b[i], &out[i]);
        check_others(t, i, a[i], b[i], &out[i]);
    }
    check_start(t, n, &out[n]);
    free(a);
    free(b);
    free(out);
}

START_TEST(reducers_join_two_values_and_have_one_to_start_with)
{
    try_kernel("reducers", TRIAL_SIZES(0, 100), trial_line_shapes, check);
}
END_TEST

void reducers_tests(Suite *suite)
{
    add(suite, reducers_join_two_values_and_have_one_to_start_with);
}
