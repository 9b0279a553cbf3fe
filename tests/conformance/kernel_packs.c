/* SPDX-License-Identifier: Apache-2.0 */
/* Packs: arithmetic, loads and stores at any alignment, masks, conversions, functions, sums in one order, transposes. */
#include "../kernels/packs.h"
#include "trial.h"

#include <math.h>
#include <string.h>

/* Less than a pack, ends of packs, many. */
#define SOME_SIZES TRIAL_SIZES(0, 1, 7, 16, 101, 1000)

/* All values are small and whole or quarters of that: every result is exact. */
static void arithmetic(trial *t)
{
    double *d = host_memory((t->n + 1) * sizeof *d), sums[3] = {0, 0, 0}, expected[2] = {0, 0};
    float *f = host_memory((t->n + 1) * sizeof *f);
    for (size_t i = 0; i < t->n; ++i) {
        d[i + 1] = (double)(i % 101) * 4 - 100;
        f[i + 1] = (float)(i % 37) - 20;
        expected[0] += d[i + 1];
        expected[1] += (double)f[i + 1];
    }
    d[0] = 7;
    f[0] = 9;
    double *on_d = trial_memory(t, d, (t->n + 1) * sizeof *d);
    float *on_f = trial_memory(t, f, (t->n + 1) * sizeof *f);
    packs_args args = {.n = t->n, .d = on_d + 1, .f = on_f + 1, .sums = trial_memory(t, NULL, sizeof sums)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.sums, sums, sizeof sums);
    trial_doubles_equal(t, 0, sums[0], expected[0]);
    trial_doubles_equal(t, 1, sums[1], expected[1]);
    if (test.properties.kind == ACCEL_DEVICE_GPU) /* whose threads hold single numbers */
        trial_doubles_equal(t, 2, sums[2], 1.0);
    else
        ck_assert(sums[2] > 1);
    trial_read(t, on_d, d, (t->n + 1) * sizeof *d);
    trial_read(t, on_f, f, (t->n + 1) * sizeof *f);
    trial_doubles_equal(t, 0, d[0], 7.0);
    trial_doubles_equal(t, 0, (double)f[0], 9.0);
    for (size_t i = 0; i < t->n; ++i) {
        const double was_d = (double)(i % 101) * 4 - 100, was_f = (double)(i % 37) - 20;
        trial_doubles_equal(t, i, d[i + 1], 2 * was_d + 1 - was_d / 4);
        trial_doubles_equal(t, i, (double)f[i + 1], was_f * was_f - 3);
    }
    free(d);
    free(f);
}

/* ------------------------------------------------------------------------------------ order and masks -- */

/* Every type: numbers of its whole range, NaN and equal ones among them. Sums and products stay in it. */
#define DEFINE_ORDER(T, N, VALUE, SAME)                                                                                \
    static void order_of_##T(trial *t)                                                                                 \
    {                                                                                                                  \
        N *a = host_memory((t->n + 1) * sizeof *a), *b = host_memory((t->n + 1) * sizeof *b);                          \
        N *out = host_memory((4 * t->n + 1) * sizeof *out);                                                            \
        uint32_t counts[7] = {0}, expected[7] = {0};                                                                   \
        for (size_t i = 0; i < t->n; ++i) {                                                                            \
            a[i] = VALUE(N, i * 2654435761u);                                                                          \
            b[i] = i % 5 == 0 ? a[i] : VALUE(N, i * 40503u + 977);                                                     \
            expected[0] += a[i] < b[i];                                                                                \
            expected[1] += a[i] <= b[i];                                                                               \
            expected[2] += a[i] == b[i];                                                                               \
            expected[3] += a[i] != b[i];                                                                               \
            expected[4] += a[i] > b[i];                                                                                \
            expected[5] += !(a[i] < b[i]);                                                                             \
        }                                                                                                              \
        packs_order_args args = {.n = t->n,                                                                            \
                                 .a = trial_memory(t, a, t->n * sizeof *a),                                            \
                                 .b = trial_memory(t, b, t->n * sizeof *b),                                            \
                                 .out = trial_memory(t, NULL, 4 * t->n * sizeof *out),                                 \
                                 .counts = trial_memory(t, NULL, sizeof counts)};                                      \
        trial_launch(t, &args, sizeof args);                                                                           \
        trial_read(t, args.out, out, 4 * t->n * sizeof *out);                                                          \
        trial_read(t, args.counts, counts, sizeof counts);                                                             \
        for (size_t i = 0; i < t->n; ++i) {                                                                            \
            const N results[4] = {a[i] != a[i] || b[i] < a[i] ? b[i] : a[i],                                           \
                                  a[i] != a[i] || b[i] > a[i] ? b[i] : a[i],                                           \
                                  (N)(a[i] < b[i] ? a[i] + b[i] : a[i] - b[i]), (N)(a[i] * b[i])};                     \
            for (size_t k = 0; k < 4; ++k)                                                                             \
                trial_assert(t, SAME(out[k * t->n + i], results[k]), "entry %zu of result %zu is %.17g, not %.17g", i, \
                             k, (double)out[k * t->n + i], (double)results[k]);                                        \
        }                                                                                                              \
        for (size_t k = 0; k < 7; ++k)                                                                                 \
            trial_words_equal(t, k, counts[k], expected[k]);                                                           \
        free(a);                                                                                                       \
        free(b);                                                                                                       \
        free(out);                                                                                                     \
    }
#define REAL_VALUE(N, k) ((k) % 11 == 3 ? (N)NAN : (N)((double)((k) % 1009) / 8 - 60))
#define SMALL_VALUE(N, k) (N)((int64_t)((k) % 92681) - 46340) /* no sum or product overflows 32 bits */
#define ANY_VALUE(N, k) (N)((k)*0x9e3779b97f4a7c15u)
#define SAME_REAL(x, y) ((x) == (y) || ((x) != (x) && (y) != (y)))
#define SAME_WORD(x, y) ((x) == (y))
DEFINE_ORDER(float, float, REAL_VALUE, SAME_REAL)
DEFINE_ORDER(double, double, REAL_VALUE, SAME_REAL)
DEFINE_ORDER(int32, int32_t, SMALL_VALUE, SAME_WORD)
DEFINE_ORDER(int64, int64_t, SMALL_VALUE, SAME_WORD)
DEFINE_ORDER(uint32, uint32_t, ANY_VALUE, SAME_WORD)
DEFINE_ORDER(uint64, uint64_t, ANY_VALUE, SAME_WORD)

/* --------------------------------------------------------------------------------------------- memory -- */

enum { MEMORY_TYPES = 8 };

static void memory(trial *t)
{
    static const size_t sizes[MEMORY_TYPES] = {1, 2, 4, 4, 8, 8, 4, 8};
    const size_t n = t->n;
    int8_t *bytes = host_memory(n + 1);
    uint16_t *shorts = host_memory((n + 1) * sizeof *shorts);
    int32_t *words = host_memory((n + 1) * sizeof *words);
    uint32_t *unsigned_words = host_memory((n + 1) * sizeof *unsigned_words);
    int64_t *longs = host_memory((n + 1) * sizeof *longs);
    uint64_t *unsigned_longs = host_memory((n + 1) * sizeof *unsigned_longs);
    float *floats = host_memory((n + 1) * sizeof *floats);
    double *doubles = host_memory((n + 1) * sizeof *doubles), *results = host_memory((n + 1) * sizeof *results);
    for (size_t i = 0; i < n; ++i) {
        bytes[i] = (int8_t)i;
        shorts[i] = (uint16_t)(i * 9973);
        words[i] = (int32_t)(i * 2654435761u);
        unsigned_words[i] = (uint32_t)(i * 2654435761u);
        longs[i] = (int64_t)(i * 40503) - 1000000;
        unsigned_longs[i] = i << 40;
        floats[i] = (float)i / 4 - 17;
        doubles[i] = (double)i / 16 + 5;
    }
    /* One buffer for all: each at an address that is aligned for its own numbers alone. */
    const void *inputs[MEMORY_TYPES] = {bytes, shorts, words, unsigned_words, longs, unsigned_longs, floats, doubles};
    unsigned char *all = host_memory(MEMORY_TYPES * (8 * n + 16)), *at[MEMORY_TYPES];
    for (size_t k = 0; k < MEMORY_TYPES; ++k) {
        at[k] = all + k * (8 * n + 16) + sizes[k];
        memcpy(at[k], inputs[k], n * sizes[k]);
    }
    unsigned char *device = trial_memory(t, all, MEMORY_TYPES * (8 * n + 16));
    void *on[MEMORY_TYPES];
    for (size_t k = 0; k < MEMORY_TYPES; ++k)
        on[k] = device + (at[k] - all);
    packs_memory_args args = {.n = n,
                              .bytes = on[0],
                              .shorts = on[1],
                              .words = on[2],
                              .unsigned_words = on[3],
                              .longs = on[4],
                              .unsigned_longs = on[5],
                              .floats = on[6],
                              .doubles = on[7],
                              .sums = trial_memory(t, NULL, n * sizeof(double)),
                              .total = trial_memory(t, NULL, n * sizeof(uint64_t)),
                              .turned = trial_memory(t, NULL, n * sizeof(double)),
                              .permuted = trial_memory(t, NULL, n * sizeof(float))};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.sums, results, n * sizeof *results);
    for (size_t i = 0; i < n; ++i)
        trial_doubles_equal(t, i, results[i], bytes[i] + words[i] + (double)longs[i] + (double)floats[i] + doubles[i]);
    trial_read(t, args.turned, results, n * sizeof *results);
    for (size_t i = 0; i < n; ++i)
        trial_doubles_equal(t, i, results[i], doubles[n - 1 - i]);
    uint64_t *total = (uint64_t *)(void *)results;
    trial_read(t, args.total, total, n * sizeof *total);
    for (size_t i = 0; i < n; ++i)
        trial_words_equal(t, i, total[i], shorts[i] + unsigned_words[i] + unsigned_longs[i]);
    float *permuted = (float *)(void *)results;
    trial_read(t, args.permuted, permuted, n * sizeof *permuted);
    for (size_t i = 0; i < n; ++i)
        trial_doubles_equal(t, i, (double)permuted[n - 1 - i], (double)floats[i]);

    trial_read(t, device, all, MEMORY_TYPES * (8 * n + 16));
    memcpy(bytes, at[0], n * sizes[0]);
    memcpy(shorts, at[1], n * sizes[1]);
    memcpy(words, at[2], n * sizes[2]);
    memcpy(longs, at[4], n * sizes[4]);
    for (size_t i = 0; i < n; ++i) {
        trial_words_equal(t, i, (uint8_t)bytes[i], (uint8_t)(3 * i - 70));
        trial_words_equal(t, i, shorts[i], (uint16_t)(3 * i));
        trial_words_equal(t, i, words[i], (int32_t)(3 * i) - 70);
        trial_words_equal(t, i, longs[i], (int64_t)(3 * i) - 70);
    }
    for (size_t k = 0; k < MEMORY_TYPES; ++k)
        free((void *)inputs[k]);
    free(results);
    free(all);
}

/* ----------------------------------------------------------------------- functions, sums, transposes -- */

static void functions(trial *t)
{
    double *x = host_memory((t->n + 1) * sizeof *x);
    uint32_t wrong[PACKS_FUNCTIONS];
    for (size_t i = 0; i < t->n; ++i)
        x[i] = 0.01 + (double)(i * 7919 % 1009) / 1030;
    packs_functions_args args = {
        .n = t->n, .x = trial_memory(t, x, t->n * sizeof *x), .wrong = trial_memory(t, NULL, sizeof wrong)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.wrong, wrong, sizeof wrong);
    for (size_t k = 0; k < PACKS_FUNCTIONS; ++k)
        trial_words_equal(t, k, wrong[k], 0);
    free(x);
}

/* What lies half the numbers apart is joined, then a quarter, down to neighbours. volatile: no product is fused. */
#define DEFINE_SUMS(T)                                                                                                 \
    static void expect_##T(const T *x, const T *y, T *sums)                                                            \
    {                                                                                                                  \
        volatile T sum[PACKS_SUMMED];                                                                                  \
        sums[1] = sums[2] = x[0];                                                                                      \
        for (size_t k = 0; k < PACKS_SUMMED; ++k) {                                                                    \
            sum[k] = x[k] * y[k];                                                                                      \
            sums[1] = x[k] < sums[1] ? x[k] : sums[1];                                                                 \
            sums[2] = x[k] > sums[2] ? x[k] : sums[2];                                                                 \
        }                                                                                                              \
        for (size_t half = PACKS_SUMMED / 2; half > 0; half /= 2)                                                      \
            for (size_t k = 0; k < half; ++k)                                                                          \
                sum[k] = sum[k] + sum[k + half];                                                                       \
        sums[0] = sum[0];                                                                                              \
    }
DEFINE_SUMS(float)
DEFINE_SUMS(double)

static void sums(trial *t)
{
    const size_t numbers = t->n * PACKS_SUMMED, bytes = numbers * sizeof(double);
    double *x = host_memory(bytes + 1), *y = host_memory(bytes + 1),
           *found = host_memory((3 * t->n + 1) * sizeof *found);
    float *u = host_memory(bytes + 1), *v = host_memory(bytes + 1),
          *found_floats = host_memory((3 * t->n + 1) * sizeof *u);
    for (size_t i = 0; i < numbers; ++i) {
        x[i] = sin((double)i) * pow(10, (double)(i % 9));
        y[i] = cos((double)(3 * i)) / 3;
        u[i] = (float)x[i];
        v[i] = (float)y[i];
    }
    packs_sums_args args = {.n = t->n,
                            .x = trial_memory(t, x, bytes),
                            .y = trial_memory(t, y, bytes),
                            .u = trial_memory(t, u, numbers * sizeof *u),
                            .v = trial_memory(t, v, numbers * sizeof *v),
                            .sums = trial_memory(t, NULL, 3 * t->n * sizeof *found),
                            .float_sums = trial_memory(t, NULL, 3 * t->n * sizeof *found_floats)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.sums, found, 3 * t->n * sizeof *found);
    trial_read(t, args.float_sums, found_floats, 3 * t->n * sizeof *found_floats);
    for (size_t i = 0; i < t->n; ++i) {
        double expected[3];
        float expected_floats[3];
        expect_double(x + i * PACKS_SUMMED, y + i * PACKS_SUMMED, expected);
        expect_float(u + i * PACKS_SUMMED, v + i * PACKS_SUMMED, expected_floats);
        for (size_t k = 0; k < 3; ++k) {
            trial_doubles_equal(t, 3 * i + k, found[3 * i + k], expected[k]);
            trial_doubles_equal(t, 3 * i + k, (double)found_floats[3 * i + k], (double)expected_floats[k]);
        }
    }
    free(x);
    free(y);
    free(u);
    free(v);
    free(found);
    free(found_floats);
}

/* Every number of every type is another one. */
#define TRANSPOSED(T, member)                                                                                          \
    for (size_t i = 0; i < numbers; ++i)                                                                               \
        ((T *)x)[i] = (T)(i + 1);                                                                                      \
    args.member = trial_memory(t, x, numbers * sizeof(T));
#define EXPECT_TRANSPOSED(T, member)                                                                                   \
    trial_read(t, args.member, x, numbers * sizeof(T));                                                                \
    for (size_t i = 0; i < numbers; ++i) {                                                                             \
        const size_t column = i % PACKS_SIDE, row = i / PACKS_SIDE % PACKS_SIDE;                                       \
        const size_t from = i - i % (PACKS_SIDE * PACKS_SIDE) + column * PACKS_SIDE + row;                             \
        trial_doubles_equal(t, i, (double)((T *)x)[i], (double)(from + 1));                                            \
    }
#define EACH_TRANSPOSED(X)                                                                                             \
    X(double, doubles)                                                                                                 \
    X(float, floats)                                                                                                   \
    X(int64_t, longs)                                                                                                  \
    X(int32_t, words)                                                                                                  \
    X(uint64_t, unsigned_longs)                                                                                        \
    X(uint32_t, unsigned_words)

static void transposes(trial *t)
{
    const size_t numbers = t->n * PACKS_SIDE * PACKS_SIDE;
    void *x = host_memory((numbers + 1) * sizeof(double));
    packs_transpose_args args = {.n = t->n};
    EACH_TRANSPOSED(TRANSPOSED)
    trial_launch(t, &args, sizeof args);
    EACH_TRANSPOSED(EXPECT_TRANSPOSED)
    free(x);
}

START_TEST(packs_are_loaded_stored_and_added_up)
{
    try_kernel("packs", TRIAL_ANY_SIZE, trial_any_shape, arithmetic);
}
END_TEST

START_TEST(masks_compare_choose_and_guard_memory)
{
    try_kernel("packs_order_float", SOME_SIZES, trial_line_shapes, order_of_float);
    try_kernel("packs_order_double", SOME_SIZES, trial_line_shapes, order_of_double);
    try_kernel("packs_order_int32", SOME_SIZES, trial_line_shapes, order_of_int32);
    try_kernel("packs_order_int64", SOME_SIZES, trial_line_shapes, order_of_int64);
    try_kernel("packs_order_uint32", SOME_SIZES, trial_line_shapes, order_of_uint32);
    try_kernel("packs_order_uint64", SOME_SIZES, trial_line_shapes, order_of_uint64);
}
END_TEST

START_TEST(packs_convert_gather_and_scatter)
{
    try_kernel("packs_memory", SOME_SIZES, trial_line_shapes, memory);
}
END_TEST

START_TEST(functions_of_packs_are_those_of_their_numbers)
{
    try_kernel("packs_functions", TRIAL_SIZES(16, 320), trial_line_shapes, functions);
}
END_TEST

START_TEST(k14_sums_of_packs_have_the_same_bits_on_every_backend)
{
    try_kernel("packs_sums", TRIAL_SIZES(0, 1, 9), trial_line_shapes, sums);
}
END_TEST

START_TEST(squares_of_packs_are_transposed)
{
    try_kernel("packs_transpose", TRIAL_SIZES(0, 1, 9), trial_line_shapes, transposes);
}
END_TEST

void packs_tests(Suite *suite)
{
    add(suite, packs_are_loaded_stored_and_added_up);
    add(suite, masks_compare_choose_and_guard_memory);
    add(suite, packs_convert_gather_and_scatter);
    add(suite, functions_of_packs_are_those_of_their_numbers);
    add(suite, k14_sums_of_packs_have_the_same_bits_on_every_backend);
    add(suite, squares_of_packs_are_transposed);
}
