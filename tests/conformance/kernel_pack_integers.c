/* SPDX-License-Identifier: Apache-2.0 */
/* Packs of integers, and conversions among packs: held to what plain C computes. */
#include "../kernels/pack_integers.h"
#include "trial.h"

/* No sum of 32 numbers overflows. */
#define SIGNED_32(k) (int32_t)((uint32_t)((k)*2654435761u) & 0x7ffffff) - 0x3ffffff
#define SIGNED_64(k) (int64_t)((uint64_t)((k)*0x9e3779b97f4a7c15u) >> 6) - ((int64_t)1 << 57)
#define ANY_32(k) (uint32_t)((k)*2654435761u)
#define ANY_64(k) (uint64_t)((k)*0x9e3779b97f4a7c15u)

#define EXPECT(row, value) trial_words_equal(t, (row)*numbers + at + j, out[(row)*numbers + at + j], (N_)(value))
#define DEFINE_INTEGERS(T, N, VALUE)                                                                                   \
    static void integers_##T(trial *t)                                                                                 \
    {                                                                                                                  \
        typedef N N_;                                                                                                  \
        const size_t numbers = t->n * PACK_PIECE, bytes = numbers * sizeof(N);                                         \
        N *a = host_memory(bytes), *b = host_memory(bytes), *out = host_memory(PACK_ROWS * bytes);                     \
        N *folds = host_memory(t->n * PACK_FOLDS * sizeof *folds);                                                     \
        for (size_t i = 0; i < numbers; ++i) {                                                                         \
            a[i] = VALUE(i + 1);                                                                                       \
            b[i] = (N)(i * 7 % 19 + 1);                                                                                \
        }                                                                                                              \
        const pack_integers_args args = {                                                                              \
            .n = t->n,                                                                                                 \
            .a = trial_memory(t, a, bytes),                                                                            \
            .b = trial_memory(t, b, bytes),                                                                            \
            .out = trial_memory(t, NULL, PACK_ROWS * bytes),                                                           \
            .folds = trial_memory(t, NULL, t->n * PACK_FOLDS * sizeof *folds),                                         \
        };                                                                                                             \
        trial_launch(t, &args, sizeof args);                                                                           \
        trial_read(t, args.out, out, PACK_ROWS *bytes);                                                                \
        trial_read(t, args.folds, folds, t->n *PACK_FOLDS * sizeof *folds);                                            \
        for (size_t i = 0; i < t->n; ++i) {                                                                            \
            const size_t at = i * PACK_PIECE;                                                                          \
            N sum = 0, least = a[at], greatest = a[at], cells[PACK_PIECE] = {0};                                       \
            for (size_t j = 0; j < PACK_PIECE; ++j) {                                                                  \
                const N x = a[at + j], y = b[at + j];                                                                  \
                sum += x;                                                                                              \
                least = x < least ? x : least;                                                                         \
                greatest = x > greatest ? x : greatest;                                                                \
                cells[j % PACK_CELLS] = x;                                                                             \
                EXPECT(0, x / y);                                                                                      \
                EXPECT(1, x % y);                                                                                      \
                EXPECT(2, (x & y));                                                                                    \
                EXPECT(3, x | y);                                                                                      \
                EXPECT(4, x ^ y);                                                                                      \
                EXPECT(5, ~x);                                                                                         \
                EXPECT(6, (x & 1023) << y);                                                                            \
                EXPECT(7, x >> y);                                                                                     \
                EXPECT(8, a[at + PACK_PIECE - 1 - j]);                                                                 \
                EXPECT(9, a[at + PACK_PIECE - 1 - j]);                                                                 \
            }                                                                                                          \
            for (size_t j = 0; j < PACK_PIECE; ++j)                                                                    \
                EXPECT(10, cells[j]);                                                                                  \
            const N right[PACK_FOLDS] = {sum, sum, least, greatest};                                                   \
            for (size_t k = 0; k < PACK_FOLDS; ++k)                                                                    \
                trial_words_equal(t, i *PACK_FOLDS + k, folds[i * PACK_FOLDS + k], right[k]);                          \
        }                                                                                                              \
        free(a);                                                                                                       \
        free(b);                                                                                                       \
        free(out);                                                                                                     \
        free(folds);                                                                                                   \
    }
DEFINE_INTEGERS(int32, int32_t, SIGNED_32)
DEFINE_INTEGERS(int64, int64_t, SIGNED_64)
DEFINE_INTEGERS(uint32, uint32_t, ANY_32)
DEFINE_INTEGERS(uint64, uint64_t, ANY_64)

/* Numbers of every size: those that a conversion rounds, and 0, -1 and the largest ones of their type. */
#define DEFINE_CONVERSIONS(bits, R, MOST)                                                                              \
    static void conversions_##bits(trial *t)                                                                           \
    {                                                                                                                  \
        const size_t n = t->n, row = n * sizeof(R);                                                                    \
        unsigned char *in = host_memory(PACK_CONVERTED * row), *out = host_memory(PACK_CONVERSIONS * row);             \
        int##bits##_t *i = (void *)in, *to_i = (void *)out;                                                            \
        uint##bits##_t *u = (void *)(in + row), *to_u = (void *)out;                                                   \
        R *r = (void *)(in + 2 * row), *above = (void *)(in + 3 * row), *to_r = (void *)out;                           \
        for (size_t k = 0; k < n; ++k) {                                                                               \
            const uint64_t word = k * 0x9e3779b97f4a7c15u >> k % 61;                                                   \
            u[k] = k % 7 == 3 ? UINT##bits##_MAX : (uint##bits##_t)word;                                               \
            i[k] = k % 7 == 5 ? -1 : k % 7 == 6 ? INT##bits##_MIN : (int##bits##_t)(word * (k % 2 == 0 ? 1 : ~0ull));  \
            above[k] = (R)((double)(k * 2654435761u % 65521) / 65521 * (k % 3 == 0 ? MOST : 1000));                    \
            r[k] = above[k] / (k % 2 == 0 ? -4 : 4);                                                                   \
        }                                                                                                              \
        const pack_conversions_args args = {.n = n,                                                                    \
                                            .in = trial_memory(t, in, PACK_CONVERTED * row),                           \
                                            .out = trial_memory(t, NULL, PACK_CONVERSIONS * row)};                     \
        trial_launch(t, &args, sizeof args);                                                                           \
        trial_read(t, args.out, out, PACK_CONVERSIONS *row);                                                           \
        for (size_t k = 0; k < n; ++k) {                                                                               \
            trial_doubles_equal(t, k, (double)to_r[k], (double)(R)i[k]);                                               \
            trial_doubles_equal(t, k, (double)to_r[n + k], (double)(R)u[k]);                                           \
            trial_words_equal(t, k, to_i[2 * n + k], (int##bits##_t)r[k]);                                             \
            trial_words_equal(t, k, to_u[3 * n + k], (uint##bits##_t)above[k]);                                        \
            trial_words_equal(t, k, to_i[4 * n + k], (int##bits##_t)u[k]);                                             \
            trial_words_equal(t, k, to_u[5 * n + k], (uint##bits##_t)i[k]);                                            \
        }                                                                                                              \
        free(in);                                                                                                      \
        free(out);                                                                                                     \
    }
DEFINE_CONVERSIONS(32, float, 0x1p32)
DEFINE_CONVERSIONS(64, double, 0x1p64)

START_TEST(operators_and_folds_of_packs_of_integers_are_exact)
{
    try_kernel("pack_integers_int32", TRIAL_SIZES(0, 1, 9, 40), trial_line_shapes, integers_int32);
    try_kernel("pack_integers_int64", TRIAL_SIZES(0, 1, 9, 40), trial_line_shapes, integers_int64);
    try_kernel("pack_integers_uint32", TRIAL_SIZES(0, 1, 9, 40), trial_line_shapes, integers_uint32);
    try_kernel("pack_integers_uint64", TRIAL_SIZES(0, 1, 9, 40), trial_line_shapes, integers_uint64);
}
END_TEST

START_TEST(packs_convert_among_integers_and_floating_point_numbers)
{
    try_kernel("pack_conversions_32", TRIAL_SIZES(0, 1, 17, 1000), trial_line_shapes, conversions_32);
    try_kernel("pack_conversions_64", TRIAL_SIZES(0, 1, 17, 1000), trial_line_shapes, conversions_64);
}
END_TEST

void pack_integers_tests(Suite *suite)
{
    add(suite, operators_and_folds_of_packs_of_integers_are_exact);
    add(suite, packs_convert_among_integers_and_floating_point_numbers);
}
