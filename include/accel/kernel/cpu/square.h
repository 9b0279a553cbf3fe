/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/square.h - as many vectors as a vector has values, and their transpose.
 *
 * Runs side by side are joined one element of each at a time, but lie one behind the other in memory. A square of vectors
 * turns one into the other: row c is a part of run c before, and the k-th element of every run is row k afterwards. The
 * transpose exchanges the two blocks off the diagonal, within blocks half as large first (Eklundh 1972).
 *
 * Squares hold plain numbers of 4 or 8 bytes, as words: their bits do not change. Without AVX2 a vector is too short.
 */
#ifndef ACCEL_KERNEL_CPU_SQUARE_H
#define ACCEL_KERNEL_CPU_SQUARE_H

#if !defined(__AVX2__) || defined(ACCEL_ONE_BY_ONE_)
#define ACCEL_SQUARE_BYTES_ 0 /* of a vector; 0: no squares */
#elif defined(__AVX512F__)
#define ACCEL_SQUARE_BYTES_ 64
#else
#define ACCEL_SQUARE_BYTES_ 32
#endif

#include <accel/kernel/cpu/lanes.h>

#if ACCEL_SQUARE_BYTES_ != 0

/* Is V a plain number? Structs have joins that do not become vector instructions. */
#if defined(__cplusplus)
template <class V> struct accel_number {
    static const int is = 0;
};
#define ACCEL_NUMBER_(V)                                                                                               \
    template <> struct accel_number<V> {                                                                               \
        static const int is = 1;                                                                                       \
    };
ACCEL_NUMBER_(float)
ACCEL_NUMBER_(double)
ACCEL_NUMBER_(int)
ACCEL_NUMBER_(unsigned)
ACCEL_NUMBER_(long)
ACCEL_NUMBER_(unsigned long)
ACCEL_NUMBER_(long long)
ACCEL_NUMBER_(unsigned long long)
#undef ACCEL_NUMBER_
#define ACCEL_IS_SQUARED_(V) accel_number<V>::is
#else
#define ACCEL_IS_SQUARED_(V)                                                                                           \
    _Generic((V *)0, float * : 1, double * : 1, int * : 1, unsigned * : 1, long * : 1, unsigned long * : 1,            \
             long long * : 1, unsigned long long * : 1, default : 0)
#endif

typedef uint32_t accel_vector_4 __attribute__((vector_size(ACCEL_SQUARE_BYTES_)));
typedef uint64_t accel_vector_8 __attribute__((vector_size(ACCEL_SQUARE_BYTES_)));

/* Two rows a distance of h apart, of n words each: the first keeps its words whose index lacks h, and gets for the others
 * what the second has h before. */
#define ACCEL_LOWER_(n, h, j) ((j) & (h) ? (n) + (j) - (h) : (j))
#define ACCEL_UPPER_(n, h, j) ((j) & (h) ? (n) + (j) : (j) + (h))
#define ACCEL_WORDS_4_(m, n, h, j) m(n, h, j), m(n, h, (j) + 1), m(n, h, (j) + 2), m(n, h, (j) + 3)
#define ACCEL_WORDS_8_(m, n, h, j) ACCEL_WORDS_4_(m, n, h, j), ACCEL_WORDS_4_(m, n, h, (j) + 4)
#define ACCEL_WORDS_16_(m, n, h, j) ACCEL_WORDS_8_(m, n, h, j), ACCEL_WORDS_8_(m, n, h, (j) + 8)
#if defined(__clang__)
#define ACCEL_SHUFFLED_(vector, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define ACCEL_SHUFFLED_(vector, a, b, ...) __builtin_shuffle(a, b, (vector){__VA_ARGS__})
#endif
#define ACCEL_EXCHANGE_(vector, n, v, r, h)                                                                            \
    do {                                                                                                               \
        const vector accel_a = (v)[r], accel_b = (v)[(r) + (h)];                                                       \
        (v)[r] = ACCEL_SHUFFLED_(vector, accel_a, accel_b, ACCEL_WORDS_##n##_(ACCEL_LOWER_, n, h, 0));                 \
        (v)[(r) + (h)] = ACCEL_SHUFFLED_(vector, accel_a, accel_b, ACCEL_WORDS_##n##_(ACCEL_UPPER_, n, h, 0));         \
    } while (0)
/* Four pairs of rows. */
#define ACCEL_EXCHANGES_(vector, n, v, h, r0, r1, r2, r3)                                                              \
    ACCEL_EXCHANGE_(vector, n, v, r0, h);                                                                              \
    ACCEL_EXCHANGE_(vector, n, v, r1, h);                                                                              \
    ACCEL_EXCHANGE_(vector, n, v, r2, h);                                                                              \
    ACCEL_EXCHANGE_(vector, n, v, r3, h)

#define ACCEL_TRANSPOSE_4_(vector, v)                                                                                  \
    ACCEL_EXCHANGE_(vector, 4, v, 0, 1);                                                                               \
    ACCEL_EXCHANGE_(vector, 4, v, 2, 1);                                                                               \
    ACCEL_EXCHANGE_(vector, 4, v, 0, 2);                                                                               \
    ACCEL_EXCHANGE_(vector, 4, v, 1, 2)
#define ACCEL_TRANSPOSE_8_(vector, v)                                                                                  \
    ACCEL_EXCHANGES_(vector, 8, v, 1, 0, 2, 4, 6);                                                                     \
    ACCEL_EXCHANGES_(vector, 8, v, 2, 0, 1, 4, 5);                                                                     \
    ACCEL_EXCHANGES_(vector, 8, v, 4, 0, 1, 2, 3)
#define ACCEL_TRANSPOSE_16_(vector, v)                                                                                 \
    ACCEL_EXCHANGES_(vector, 16, v, 1, 0, 2, 4, 6);                                                                    \
    ACCEL_EXCHANGES_(vector, 16, v, 1, 8, 10, 12, 14);                                                                 \
    ACCEL_EXCHANGES_(vector, 16, v, 2, 0, 1, 4, 5);                                                                    \
    ACCEL_EXCHANGES_(vector, 16, v, 2, 8, 9, 12, 13);                                                                  \
    ACCEL_EXCHANGES_(vector, 16, v, 4, 0, 1, 2, 3);                                                                    \
    ACCEL_EXCHANGES_(vector, 16, v, 4, 8, 9, 10, 11);                                                                  \
    ACCEL_EXCHANGES_(vector, 16, v, 8, 0, 1, 2, 3);                                                                    \
    ACCEL_EXCHANGES_(vector, 16, v, 8, 4, 5, 6, 7)

/* Both squares are aligned like a vector. */
#define ACCEL_TRANSPOSE_(name, vector, n)                                                                              \
    ACCEL_INLINE_ void name(void *accel_to, const void *accel_from)                                                    \
    {                                                                                                                  \
        vector accel_v[n];                                                                                             \
        ACCEL_ALL_UNROLLED_                                                                                            \
        for (size_t accel_r = 0; accel_r < n; accel_r++)                                                               \
            __builtin_memcpy(&accel_v[accel_r], (const char *)accel_from + accel_r * sizeof(vector), sizeof(vector));  \
        ACCEL_TRANSPOSE_##n##_(vector, accel_v);                                                                       \
        ACCEL_ALL_UNROLLED_                                                                                            \
        for (size_t accel_r = 0; accel_r < n; accel_r++)                                                               \
            __builtin_memcpy((char *)accel_to + accel_r * sizeof(vector), &accel_v[accel_r], sizeof(vector));          \
    }
#if ACCEL_SQUARE_BYTES_ == 64
ACCEL_TRANSPOSE_(accel_transpose_4, accel_vector_4, 16)
ACCEL_TRANSPOSE_(accel_transpose_8, accel_vector_8, 8)
#else
ACCEL_TRANSPOSE_(accel_transpose_4, accel_vector_4, 8)
ACCEL_TRANSPOSE_(accel_transpose_8, accel_vector_8, 4)
#endif
#define ACCEL_TRANSPOSED_(V, to, from)                                                                                 \
    do {                                                                                                               \
        if (sizeof(V) == 4)                                                                                            \
            accel_transpose_4(to, from);                                                                               \
        else                                                                                                           \
            accel_transpose_8(to, from);                                                                               \
    } while (0)

/* Values a distance of h before those of the vector at `at`, h being less than it has; the first ones are the last of the vector
 * at `before`. */
#define ACCEL_SHIFTED_(n, h, j) ((n) - (h) + (j))
#define ACCEL_SHIFT_(vector, n, h)                                                                                     \
    if (accel_h == (h))                                                                                                \
    accel_v = ACCEL_SHUFFLED_(vector, accel_a, accel_b, ACCEL_WORDS_##n##_(ACCEL_SHIFTED_, n, h, 0))
#define ACCEL_SHIFTS_4_(vector)                                                                                        \
    ACCEL_SHIFT_(vector, 4, 1);                                                                                        \
    ACCEL_SHIFT_(vector, 4, 2)
#define ACCEL_SHIFTS_8_(vector)                                                                                        \
    ACCEL_SHIFT_(vector, 8, 1);                                                                                        \
    ACCEL_SHIFT_(vector, 8, 2);                                                                                        \
    ACCEL_SHIFT_(vector, 8, 4)
#define ACCEL_SHIFTS_16_(vector)                                                                                       \
    ACCEL_SHIFT_(vector, 16, 1);                                                                                       \
    ACCEL_SHIFT_(vector, 16, 2);                                                                                       \
    ACCEL_SHIFT_(vector, 16, 4);                                                                                       \
    ACCEL_SHIFT_(vector, 16, 8)
#define ACCEL_SHIFT_FUNCTION_(name, vector, n)                                                                         \
    ACCEL_INLINE_ void name(void *accel_to, const void *accel_before, const void *accel_at, size_t accel_h)            \
    {                                                                                                                  \
        vector accel_a, accel_b, accel_v = {0};                                                                        \
        __builtin_memcpy(&accel_a, accel_before, sizeof accel_a);                                                      \
        __builtin_memcpy(&accel_b, accel_at, sizeof accel_b);                                                          \
        ACCEL_SHIFTS_##n##_(vector);                                                                                   \
        __builtin_memcpy(accel_to, &accel_v, sizeof accel_v);                                                          \
    }
#if ACCEL_SQUARE_BYTES_ == 64
ACCEL_SHIFT_FUNCTION_(accel_shift_4, accel_vector_4, 16)
ACCEL_SHIFT_FUNCTION_(accel_shift_8, accel_vector_8, 8)
#else
ACCEL_SHIFT_FUNCTION_(accel_shift_4, accel_vector_4, 8)
ACCEL_SHIFT_FUNCTION_(accel_shift_8, accel_vector_8, 4)
#endif
#define ACCEL_SHIFTED_VALUES_(V, to, before, at, h)                                                                    \
    do {                                                                                                               \
        if (sizeof(V) == 4)                                                                                            \
            accel_shift_4(to, before, at, h);                                                                          \
        else                                                                                                           \
            accel_shift_8(to, before, at, h);                                                                          \
    } while (0)

#else

#define ACCEL_IS_SQUARED_(V) 0
#define ACCEL_TRANSPOSED_(V, to, from) ((void)(to), (void)(from))
#define ACCEL_SHIFTED_VALUES_(V, to, before, at, h) ((void)(to), (void)(before), (void)(at), (void)(h))

#endif

#endif
