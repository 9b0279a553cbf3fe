/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/square.h - as many vectors as a vector has values, and their transpose.
 *
 * Runs side by side are joined one element of each at a time, but lie one behind the other in memory. A square of vectors
 * turns one into the other: row c is a part of run c before, and the k-th element of every run is row k afterwards
 * (transpose.h).
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
#include <accel/kernel/cpu/transpose.h>

#if ACCEL_SQUARE_BYTES_ != 0

/* Is V a plain number? Structs have joins that do not become vector instructions. */
#if defined(__cplusplus)
template <class V_> struct accel_number {
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
#define ACCEL_SHIFTED_4_1_ 3, 4, 5, 6
#define ACCEL_SHIFTED_4_2_ 2, 3, 4, 5
#define ACCEL_SHIFTED_8_1_ 7, 8, 9, 10, 11, 12, 13, 14
#define ACCEL_SHIFTED_8_2_ 6, 7, 8, 9, 10, 11, 12, 13
#define ACCEL_SHIFTED_8_4_ 4, 5, 6, 7, 8, 9, 10, 11
#define ACCEL_SHIFTED_16_1_ 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define ACCEL_SHIFTED_16_2_ 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
#define ACCEL_SHIFTED_16_4_ 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
#define ACCEL_SHIFTED_16_8_ 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
#define ACCEL_SHIFT_(vector, n, h)                                                                                     \
    if (accel_h == (h))                                                                                                \
    accel_v = ACCEL_SHUFFLED_(vector, accel_a, accel_b, ACCEL_SHIFTED_##n##_##h##_)
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
