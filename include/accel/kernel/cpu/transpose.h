/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/transpose.h - the transpose of n vectors of n numbers, in registers.
 *
 *     ACCEL_TRANSPOSE_8_(vector, v)        of the array v of 8 vectors; 2, 4 and 16 likewise
 *
 * `vector` is a vector of integers as long as the numbers: their bits do not change. The two blocks off the diagonal change
 * places, within blocks half as large first (Eklundh 1972).
 */
#ifndef ACCEL_KERNEL_CPU_TRANSPOSE_H
#define ACCEL_KERNEL_CPU_TRANSPOSE_H

/* Two vectors a distance of h apart, of n numbers each: the first keeps its numbers whose index lacks h, and gets for the
 * others what the second has h before. Every kernel reads this: exchanges that are written out one by one, with computed
 * indices, add a third to the time that compilers take for an empty kernel. */
#define ACCEL_LOWER_2_1_ 0, 2
#define ACCEL_UPPER_2_1_ 1, 3
#define ACCEL_LOWER_4_1_ 0, 4, 2, 6
#define ACCEL_UPPER_4_1_ 1, 5, 3, 7
#define ACCEL_LOWER_4_2_ 0, 1, 4, 5
#define ACCEL_UPPER_4_2_ 2, 3, 6, 7
#define ACCEL_LOWER_8_1_ 0, 8, 2, 10, 4, 12, 6, 14
#define ACCEL_UPPER_8_1_ 1, 9, 3, 11, 5, 13, 7, 15
#define ACCEL_LOWER_8_2_ 0, 1, 8, 9, 4, 5, 12, 13
#define ACCEL_UPPER_8_2_ 2, 3, 10, 11, 6, 7, 14, 15
#define ACCEL_LOWER_8_4_ 0, 1, 2, 3, 8, 9, 10, 11
#define ACCEL_UPPER_8_4_ 4, 5, 6, 7, 12, 13, 14, 15
#define ACCEL_LOWER_16_1_ 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define ACCEL_UPPER_16_1_ 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#define ACCEL_LOWER_16_2_ 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define ACCEL_UPPER_16_2_ 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define ACCEL_LOWER_16_4_ 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define ACCEL_UPPER_16_4_ 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define ACCEL_LOWER_16_8_ 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define ACCEL_UPPER_16_8_ 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#if defined(__clang__)
#define ACCEL_SHUFFLED_(vector, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define ACCEL_SHUFFLED_(vector, a, b, ...) __builtin_shuffle(a, b, __extension__(vector){__VA_ARGS__}) /* in C++, too */
#endif
/* All pairs of vectors a distance of h apart. */
#define ACCEL_EXCHANGE_(vector, n, v, h)                                                                               \
    ACCEL_UNROLL(8)                                                                                                    \
    for (size_t accel_first = 0; accel_first < n; accel_first += 2 * h) {                                              \
        ACCEL_UNROLL(8)                                                                                                \
        for (size_t accel_r = accel_first; accel_r < accel_first + h; accel_r++) {                                     \
            const vector accel_a = (vector)(v)[accel_r], accel_b = (vector)(v)[accel_r + h];                           \
            (v)[accel_r] = (__typeof__((v)[0]))ACCEL_SHUFFLED_(vector, accel_a, accel_b, ACCEL_LOWER_##n##_##h##_);    \
            (v)[accel_r + h] =                                                                                         \
                (__typeof__((v)[0]))ACCEL_SHUFFLED_(vector, accel_a, accel_b, ACCEL_UPPER_##n##_##h##_);               \
        }                                                                                                              \
    }
#define ACCEL_TRANSPOSE_2_(vector, v) ACCEL_EXCHANGE_(vector, 2, v, 1)
#define ACCEL_TRANSPOSE_4_(vector, v)                                                                                  \
    ACCEL_EXCHANGE_(vector, 4, v, 1)                                                                                   \
    ACCEL_EXCHANGE_(vector, 4, v, 2)
#define ACCEL_TRANSPOSE_8_(vector, v)                                                                                  \
    ACCEL_EXCHANGE_(vector, 8, v, 1)                                                                                   \
    ACCEL_EXCHANGE_(vector, 8, v, 2)                                                                                   \
    ACCEL_EXCHANGE_(vector, 8, v, 4)
#define ACCEL_TRANSPOSE_16_(vector, v)                                                                                 \
    ACCEL_EXCHANGE_(vector, 16, v, 1)                                                                                  \
    ACCEL_EXCHANGE_(vector, 16, v, 2)                                                                                  \
    ACCEL_EXCHANGE_(vector, 16, v, 4)                                                                                  \
    ACCEL_EXCHANGE_(vector, 16, v, 8)

#endif
