/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/bits.h - bits of integers of 32 and 64 bits, on every target.
 *
 * accel_popcount(x) is an overloaded function in C++, and in C
 *
 *     _Generic(+(x), int : accel_popcount_int, ..., unsigned long long : accel_popcount_ullong)(x)
 */
#ifndef ACCEL_KERNEL_BITS_H
#define ACCEL_KERNEL_BITS_H

#include <accel/kernel/mathematics.h>

#if defined(__cplusplus)
#define ACCEL_BITS_(name, S) accel_##name
#else
#define ACCEL_BITS_(name, S) accel_##name##_##S
#define ACCEL_BITS_CALL_(f, x) _Generic(+(x), ACCEL_BY_INTEGER_(f))
#define accel_popcount(x) ACCEL_BITS_CALL_(accel_popcount, x)(x)
#define accel_leading_zeros(x) ACCEL_BITS_CALL_(accel_leading_zeros, x)(x)
#define accel_trailing_zeros(x) ACCEL_BITS_CALL_(accel_trailing_zeros, x)(x)
#define accel_reverse_bits(x) ACCEL_BITS_CALL_(accel_reverse_bits, x)(x)
#define accel_rotate_left(x, n) ACCEL_BITS_CALL_(accel_rotate_left, x)(x, n)
#define accel_rotate_right(x, n) ACCEL_BITS_CALL_(accel_rotate_right, x)(x, n)
#endif

/* Optimised code of every compiler has the target's instructions for these. nvcc has no __builtin_ctz for GPUs. */
#if defined(ACCEL_KERNEL_CPU_H)
#define ACCEL_COUNT_TRAILING_(suffix, bits, x) ((x) == 0 ? (bits) : __builtin_ctz##suffix(x))
#else
#define ACCEL_COUNT_TRAILING_(suffix, bits, x) __builtin_popcount##suffix(~(x) & ((x)-1))
#endif
#define ACCEL_WORD_BITS_(bits, suffix)                                                                                 \
    ACCEL_INLINE_ uint32_t accel_popcount_##bits(uint##bits##_t x)                                                     \
    {                                                                                                                  \
        return (uint32_t)__builtin_popcount##suffix(x);                                                                \
    }                                                                                                                  \
    ACCEL_INLINE_ uint32_t accel_leading_zeros_##bits(uint##bits##_t x)                                                \
    {                                                                                                                  \
        return (uint32_t)(x == 0 ? (bits) : __builtin_clz##suffix(x));                                                 \
    }                                                                                                                  \
    ACCEL_INLINE_ uint32_t accel_trailing_zeros_##bits(uint##bits##_t x)                                               \
    {                                                                                                                  \
        return (uint32_t)ACCEL_COUNT_TRAILING_(suffix, bits, x);                                                       \
    }
ACCEL_WORD_BITS_(32, )
ACCEL_WORD_BITS_(64, ll)

ACCEL_INLINE_ uint32_t accel_rotate_left_32(uint32_t x, uint32_t n)
{
    return x << (n & 31) | x >> ((0 - n) & 31);
}
ACCEL_INLINE_ uint64_t accel_rotate_left_64(uint64_t x, uint32_t n)
{
#if defined(__CUDA__) && !defined(__CUDACC__) /* clang rotates 64 bits by n, not n modulo 64, and drops `& 63` */
    const uint32_t low = (uint32_t)x, high = (uint32_t)(x >> 32), m = n & 31;
    const uint32_t from = n & 32 ? low : high, to = n & 32 ? high : low;
    return (uint64_t)(from << m | (to >> 1) >> (31 - m)) << 32 | (to << m | (from >> 1) >> (31 - m));
#else
    return x << (n & 63) | x >> ((0 - n) & 63);
#endif
}

ACCEL_INLINE_ uint32_t accel_reverse_bits_32(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}
ACCEL_INLINE_ uint64_t accel_reverse_bits_64(uint64_t x)
{
    return (uint64_t)accel_reverse_bits_32((uint32_t)x) << 32 | accel_reverse_bits_32((uint32_t)(x >> 32));
}

/* Of either width: both are written, and the type decides. */
#define ACCEL_BY_WIDTH_(name, T, ...)                                                                                  \
    (sizeof(T) == sizeof(uint64_t) ? accel_##name##_64((uint64_t)__VA_ARGS__)                                          \
                                   : accel_##name##_32((uint32_t)__VA_ARGS__))
#define ACCEL_INTEGER_BITS_(T, S)                                                                                      \
    ACCEL_INLINE_ uint32_t ACCEL_BITS_(popcount, S)(T x)                                                               \
    {                                                                                                                  \
        return ACCEL_BY_WIDTH_(popcount, T, x);                                                                        \
    }                                                                                                                  \
    ACCEL_INLINE_ uint32_t ACCEL_BITS_(leading_zeros, S)(T x)                                                          \
    {                                                                                                                  \
        return ACCEL_BY_WIDTH_(leading_zeros, T, x);                                                                   \
    }                                                                                                                  \
    ACCEL_INLINE_ uint32_t ACCEL_BITS_(trailing_zeros, S)(T x)                                                         \
    {                                                                                                                  \
        return ACCEL_BY_WIDTH_(trailing_zeros, T, x);                                                                  \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_BITS_(reverse_bits, S)(T x)                                                                  \
    {                                                                                                                  \
        return (T)ACCEL_BY_WIDTH_(reverse_bits, T, x);                                                                 \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_BITS_(rotate_left, S)(T x, uint32_t n)                                                       \
    {                                                                                                                  \
        return (T)ACCEL_BY_WIDTH_(rotate_left, T, x, n);                                                               \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_BITS_(rotate_right, S)(T x, uint32_t n)                                                      \
    {                                                                                                                  \
        return (T)ACCEL_BY_WIDTH_(rotate_left, T, x, 0 - n);                                                           \
    }
ACCEL_INTEGERS_(ACCEL_INTEGER_BITS_)

#endif
