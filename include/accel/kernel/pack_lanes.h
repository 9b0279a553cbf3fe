/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/pack_lanes.h - masks, choice and sums of the packs of accel/kernel/cpu/pack.h.
 */
#ifndef ACCEL_KERNEL_PACK_LANES_H
#define ACCEL_KERNEL_PACK_LANES_H

/* -------------------------------------------------------------------------------------------- masks -- */

/* Bit k is lane k. */
#if defined(ACCEL_MASK_WORD_32_)
#define ACCEL_MASK_BITS_32_(lanes) ACCEL_MASK_WORD_32_(lanes)
#define ACCEL_MASK_BITS_64_(lanes) ACCEL_MASK_WORD_64_(lanes)
#elif defined(__AVX__) && !defined(__AVX512F__)
#define ACCEL_MASK_BITS_32_(lanes) __builtin_ia32_movmskps256((accel_pack_float)(lanes))
#define ACCEL_MASK_BITS_64_(lanes) __builtin_ia32_movmskpd256((accel_pack_double)(lanes))
#elif defined(__SSE2__) && !defined(__AVX__)
#define ACCEL_MASK_BITS_32_(lanes) __builtin_ia32_movmskps((accel_pack_float)(lanes))
#define ACCEL_MASK_BITS_64_(lanes) __builtin_ia32_movmskpd((accel_pack_double)(lanes))
#endif

#if defined(ACCEL_MASK_BITS_32_)
#define ACCEL_MASK_BITS_(bits, m) return (uint32_t)ACCEL_MASK_BITS_##bits##_((m).lanes)
#else
#define ACCEL_MASK_BITS_(bits, m)                                                                                      \
    uint32_t word = 0;                                                                                                 \
    ACCEL_EACH_LANE_(bits, lane)                                                                                       \
    word |= (uint32_t)((m).lanes[lane] & ((int##bits##_t)1 << lane));                                                  \
    return word
#endif

#define ACCEL_MASK_FUNCTIONS_(bits)                                                                                    \
    ACCEL_INLINE_ accel_mask_##bits ACCEL_MASK_NAME_(and, bits)(accel_mask_##bits m, accel_mask_##bits n)              \
    {                                                                                                                  \
        m.lanes &= n.lanes;                                                                                            \
        return m;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ accel_mask_##bits ACCEL_MASK_NAME_(or, bits)(accel_mask_##bits m, accel_mask_##bits n)               \
    {                                                                                                                  \
        m.lanes |= n.lanes;                                                                                            \
        return m;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ accel_mask_##bits ACCEL_MASK_NAME_(not, bits)(accel_mask_##bits m)                                   \
    {                                                                                                                  \
        m.lanes = ~m.lanes;                                                                                            \
        return m;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ uint32_t ACCEL_MASK_NAME_(word, bits)(accel_mask_##bits m)                                           \
    {                                                                                                                  \
        ACCEL_MASK_BITS_(bits, m);                                                                                     \
    }                                                                                                                  \
    ACCEL_INLINE_ int ACCEL_MASK_NAME_(any, bits)(accel_mask_##bits m)                                                 \
    {                                                                                                                  \
        return ACCEL_MASK_NAME_(word, bits)(m) != 0;                                                                   \
    }                                                                                                                  \
    ACCEL_INLINE_ int ACCEL_MASK_NAME_(all, bits)(accel_mask_##bits m)                                                 \
    {                                                                                                                  \
        return ACCEL_MASK_NAME_(word, bits)(m) == (1u << ACCEL_PACK_LANES_##bits##_) - 1;                              \
    }                                                                                                                  \
    ACCEL_INLINE_ uint32_t ACCEL_MASK_NAME_(count, bits)(accel_mask_##bits m)                                          \
    {                                                                                                                  \
        return (uint32_t)__builtin_popcount(ACCEL_MASK_NAME_(word, bits)(m));                                          \
    }                                                                                                                  \
    ACCEL_INLINE_ accel_mask_##bits accel_mask_first_of_##bits(size_t n)                                               \
    {                                                                                                                  \
        const accel_pack_int##bits count = {ACCEL_PACK_COUNT_##bits##_};                                               \
        const int##bits##_t limit = (int##bits##_t)(n < ACCEL_PACK_LANES_##bits##_ ? n : ACCEL_PACK_LANES_##bits##_);  \
        return ACCEL_MASK_(count < limit);                                                                             \
    }
ACCEL_MASK_FUNCTIONS_(32)
ACCEL_MASK_FUNCTIONS_(64)

#define accel_mask_first(T, n) ACCEL_MASK_FIRST_##T##_(n)
#define ACCEL_MASK_FIRST_float_(n) accel_mask_first_of_32(n)
#define ACCEL_MASK_FIRST_int32_(n) accel_mask_first_of_32(n)
#define ACCEL_MASK_FIRST_uint32_(n) accel_mask_first_of_32(n)
#define ACCEL_MASK_FIRST_double_(n) accel_mask_first_of_64(n)
#define ACCEL_MASK_FIRST_int64_(n) accel_mask_first_of_64(n)
#define ACCEL_MASK_FIRST_uint64_(n) accel_mask_first_of_64(n)

/* -------------------------------------------------------------------------------------------- lanes -- */

/* Lane k of the result is lane k ^ distance of v. */
#if defined(__clang__)
#define ACCEL_PACK_XOR_(bits, result, v, distance)                                                                     \
    ACCEL_EACH_LANE_(bits, lane)                                                                                       \
    result[lane] = v[lane ^ (distance)]
#else
#define ACCEL_PACK_XOR_(bits, result, v, distance)                                                                     \
    const accel_pack_int##bits count = {ACCEL_PACK_COUNT_##bits##_};                                                   \
    result = __builtin_shuffle(v, count ^ (int##bits##_t)(distance))
#endif

/* The value is known no more, so that it is no product that the addition behind it could be fused with. */
#if defined(__AVX512F__)
#define ACCEL_PACK_SETTLE_(v) __asm__("" : "+v"(v))
#elif defined(__SSE2__)
#define ACCEL_PACK_SETTLE_(v) __asm__("" : "+x"(v))
#elif defined(__aarch64__)
#define ACCEL_PACK_SETTLE_(v) __asm__("" : "+w"(v))
#else
#define ACCEL_PACK_SETTLE_(v) __asm__("" : "+m"(v))
#endif

/* The same on every target, however many numbers a pack has: those half the pack apart first, then a quarter, ... */
#define ACCEL_PACK_FOLD_(name, T, N, bits, join)                                                                       \
    ACCEL_INLINE_ N ACCEL_PACK_NAME_(name, T)(accel_pack_##T v)                                                        \
    {                                                                                                                  \
        ACCEL_UNROLL(4)                                                                                                \
        for (size_t distance = ACCEL_PACK_LANES_##bits##_ / 2; distance > 0; distance /= 2) {                          \
            accel_pack_##T other;                                                                                      \
            ACCEL_PACK_XOR_(bits, other, v, distance);                                                                 \
            v = join(v, other);                                                                                        \
        }                                                                                                              \
        return v[0];                                                                                                   \
    }
#define ACCEL_PACK_ADD_(a, b) ACCEL_PACK_OF_PACK_(add, a)(a, b)

/* The other one if one is a NaN; a if they are equal. */
#define ACCEL_PACK_ORDER_(T, bits)                                                                                     \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(select, T)(accel_mask_##bits m, accel_pack_##T a, accel_pack_##T b)  \
    {                                                                                                                  \
        return (accel_pack_##T)(((accel_pack_int##bits)a & m.lanes) | ((accel_pack_int##bits)b & ~m.lanes));           \
    }                                                                                                                  \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(min, T)(accel_pack_##T a, accel_pack_##T b)                          \
    {                                                                                                                  \
        return ACCEL_PACK_NAME_(select, T)(ACCEL_MASK_((b < a) | (a != a)), b, a);                                     \
    }                                                                                                                  \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(max, T)(accel_pack_##T a, accel_pack_##T b)                          \
    {                                                                                                                  \
        return ACCEL_PACK_NAME_(select, T)(ACCEL_MASK_((b > a) | (a != a)), b, a);                                     \
    }

#define ACCEL_PACK_LANE_FUNCTIONS_(T, N, bits)                                                                         \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(all, T)(N x)                                                         \
    {                                                                                                                  \
        accel_pack_##T v;                                                                                              \
        ACCEL_EACH_LANE_(bits, lane)                                                                                   \
        v[lane] = x;                                                                                                   \
        return v;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(from, T)(N x)                                                        \
    {                                                                                                                  \
        const accel_pack_##T count = {ACCEL_PACK_COUNT_##bits##_};                                                     \
        return count + x;                                                                                              \
    }                                                                                                                  \
    ACCEL_INLINE_ N ACCEL_PACK_NAME_(lane, T)(accel_pack_##T v, size_t k)                                              \
    {                                                                                                                  \
        return v[k];                                                                                                   \
    }                                                                                                                  \
    ACCEL_INLINE_ void ACCEL_PACK_NAME_(transpose, T)(accel_pack_##T * packs)                                          \
    {                                                                                                                  \
        ACCEL_PACK_TRANSPOSE_##bits##_(accel_pack_uint##bits, packs);                                                  \
    }                                                                                                                  \
    ACCEL_PACK_ORDER_(T, bits)                                                                                         \
    ACCEL_PACK_FOLD_(sum, T, N, bits, ACCEL_PACK_NAME_(add, T))                                                        \
    ACCEL_PACK_FOLD_(lowest, T, N, bits, ACCEL_PACK_NAME_(min, T))                                                     \
    ACCEL_PACK_FOLD_(highest, T, N, bits, ACCEL_PACK_NAME_(max, T))

#define ACCEL_PACK_SETTLED_ADD_(T, N, bits)                                                                            \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(add, T)(accel_pack_##T a, accel_pack_##T b)                          \
    {                                                                                                                  \
        ACCEL_PACK_SETTLE_(a);                                                                                         \
        ACCEL_PACK_SETTLE_(b);                                                                                         \
        return a + b;                                                                                                  \
    }
#define ACCEL_PACK_PLAIN_ADD_(T, N, bits)                                                                              \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(add, T)(accel_pack_##T a, accel_pack_##T b)                          \
    {                                                                                                                  \
        return a + b;                                                                                                  \
    }
ACCEL_PACKS_REAL_(ACCEL_PACK_SETTLED_ADD_)
ACCEL_PACKS_SIGNED_(ACCEL_PACK_PLAIN_ADD_)
ACCEL_PACKS_UNSIGNED_(ACCEL_PACK_PLAIN_ADD_)
ACCEL_PACKS_(ACCEL_PACK_LANE_FUNCTIONS_)

#define ACCEL_PACK_REAL_FUNCTIONS_(T, N, bits)                                                                         \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(abs, T)(accel_pack_##T v)                                            \
    {                                                                                                                  \
        return (accel_pack_##T)((accel_pack_int##bits)v & INT##bits##_MAX);                                            \
    }
#define ACCEL_PACK_INTEGER_ABS_(T, N, bits)                                                                            \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(abs, T)(accel_pack_##T v)                                            \
    {                                                                                                                  \
        return ACCEL_PACK_NAME_(select, T)(ACCEL_MASK_(v < 0), -v, v);                                                 \
    }
ACCEL_PACKS_REAL_(ACCEL_PACK_REAL_FUNCTIONS_)
ACCEL_PACKS_SIGNED_(ACCEL_PACK_INTEGER_ABS_)

#endif
