/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/pack.h - packs: as many numbers as a register of the target holds, and masks, a truth for each of them.
 *
 * On CPUs a pack is a vector type of gcc and clang, and a mask a struct of one whose numbers are 0 or -1
 * (accel/kernel/cpu/pack.h). On GPUs, whose threads hold single numbers, a pack is the number itself, and a mask a struct
 * of a bool (accel/kernel/gpu/pack.h). Here is what both share: the names, by type.
 *
 * accel_pack_min(a, b) is an overloaded function in C++, and in C
 *
 *     _Generic((a), accel_pack_float : accel_pack_min_float, ..., accel_pack_uint64 : accel_pack_min_uint64)(a, b)
 */
#ifndef ACCEL_KERNEL_PACK_H
#define ACCEL_KERNEL_PACK_H

/* The last word of the name of a pack, the type of its numbers, and their bits. */
#define ACCEL_PACKS_REAL_(X) X(float, float, 32) X(double, double, 64)
#define ACCEL_PACKS_SIGNED_(X) X(int32, int32_t, 32) X(int64, int64_t, 64)
#define ACCEL_PACKS_UNSIGNED_(X) X(uint32, uint32_t, 32) X(uint64, uint64_t, 64)
#define ACCEL_PACKS_(X) ACCEL_PACKS_REAL_(X) ACCEL_PACKS_SIGNED_(X) ACCEL_PACKS_UNSIGNED_(X)

#if defined(__cplusplus)
#define ACCEL_PACK_NAME_(op, T) accel_pack_##op##_on
#define ACCEL_MASK_NAME_(op, bits) accel_mask_##op##_on
#define ACCEL_PACK_OF_NUMBER_(op, x) accel_pack_##op##_on
#define ACCEL_PACK_OF_REAL_(op, v) accel_pack_##op##_on
#define ACCEL_PACK_OF_SIGNED_(op, v) accel_pack_##op##_on
#define ACCEL_PACK_OF_PACK_(op, v) accel_pack_##op##_on
#define ACCEL_PACK_OF_INDEX_(op, x, index) accel_pack_##op##_on
#define ACCEL_MASK_OF_MASK_(op, m) accel_mask_##op##_on
#else
#define ACCEL_PACK_NAME_(op, T) accel_pack_##op##_##T
#define ACCEL_MASK_NAME_(op, bits) accel_mask_##op##_##bits
#define ACCEL_PACK_OF_NUMBER_(op, x)                                                                                   \
    _Generic((x), float                                                                                                \
             : accel_pack_##op##_float, double                                                                         \
             : accel_pack_##op##_double, int32_t                                                                       \
             : accel_pack_##op##_int32, uint32_t                                                                       \
             : accel_pack_##op##_uint32, int64_t                                                                       \
             : accel_pack_##op##_int64, uint64_t                                                                       \
             : accel_pack_##op##_uint64)
#define ACCEL_PACK_OF_REAL_(op, v)                                                                                     \
    _Generic((v), accel_pack_float : accel_pack_##op##_float, accel_pack_double : accel_pack_##op##_double)
#define ACCEL_PACK_OF_SIGNED_(op, v)                                                                                   \
    _Generic((v), accel_pack_float                                                                                     \
             : accel_pack_##op##_float, accel_pack_double                                                              \
             : accel_pack_##op##_double, accel_pack_int32                                                              \
             : accel_pack_##op##_int32, accel_pack_int64                                                               \
             : accel_pack_##op##_int64)
#define ACCEL_PACK_OF_PACK_(op, v)                                                                                     \
    _Generic((v), accel_pack_float                                                                                     \
             : accel_pack_##op##_float, accel_pack_double                                                              \
             : accel_pack_##op##_double, accel_pack_int32                                                              \
             : accel_pack_##op##_int32, accel_pack_uint32                                                              \
             : accel_pack_##op##_uint32, accel_pack_int64                                                              \
             : accel_pack_##op##_int64, accel_pack_uint64                                                              \
             : accel_pack_##op##_uint64)
/* Indices without a sign have functions of their own. */
#define ACCEL_PACK_OF_INDEX_(op, x, index)                                                                             \
    _Generic((index), accel_pack_uint32                                                                                \
             : ACCEL_PACK_OF_NUMBER_(op##_by_unsigned, x), accel_pack_uint64                                           \
             : ACCEL_PACK_OF_NUMBER_(op##_by_unsigned, x), default                                                     \
             : ACCEL_PACK_OF_NUMBER_(op, x))
#define ACCEL_MASK_OF_MASK_(op, m)                                                                                     \
    _Generic((m), accel_mask_32 : accel_mask_##op##_32, accel_mask_64 : accel_mask_##op##_64)
#endif

#define accel_pack_all(x) ACCEL_PACK_OF_NUMBER_(all, x)(x)
#define accel_pack_from(x) ACCEL_PACK_OF_NUMBER_(from, x)(x)
#define accel_pack_load(p) ACCEL_PACK_OF_NUMBER_(load, *(p))(p)
#define accel_pack_store(p, v) ACCEL_PACK_OF_NUMBER_(store, *(p))((p), (v))
#define accel_pack_load_masked(m, p, v) ACCEL_PACK_OF_NUMBER_(load_masked, *(p))((m), (p), (v))
#define accel_pack_store_masked(m, p, v) ACCEL_PACK_OF_NUMBER_(store_masked, *(p))((m), (p), (v))
#define accel_pack_gather(p, index) ACCEL_PACK_OF_INDEX_(gather, *(p), index)((p), (index))
#define accel_pack_scatter(p, index, v) ACCEL_PACK_OF_INDEX_(scatter, *(p), index)((p), (index), (v))
#define accel_pack_gather_masked(m, p, index, v)                                                                       \
    ACCEL_PACK_OF_INDEX_(gather_masked, *(p), index)((m), (p), (index), (v))
#define accel_pack_scatter_masked(m, p, index, v)                                                                      \
    ACCEL_PACK_OF_INDEX_(scatter_masked, *(p), index)((m), (p), (index), (v))

#define accel_pack_lane(v, k) ACCEL_PACK_OF_PACK_(lane, v)((v), (k))
#define accel_pack_select(m, a, b) ACCEL_PACK_OF_PACK_(select, a)((m), (a), (b))
#define accel_pack_min(a, b) ACCEL_PACK_OF_PACK_(min, a)((a), (b))
#define accel_pack_max(a, b) ACCEL_PACK_OF_PACK_(max, a)((a), (b))
#define accel_pack_abs(v) ACCEL_PACK_OF_SIGNED_(abs, v)(v)
#define accel_pack_fma(a, b, c) ACCEL_PACK_OF_REAL_(fma, a)((a), (b), (c))
#define accel_pack_sum(v) ACCEL_PACK_OF_PACK_(sum, v)(v)
#define accel_pack_lowest(v) ACCEL_PACK_OF_PACK_(lowest, v)(v)
#define accel_pack_highest(v) ACCEL_PACK_OF_PACK_(highest, v)(v)
#define accel_pack_transpose(packs) ACCEL_PACK_OF_PACK_(transpose, *(packs))(packs)
#define accel_pack_sum_of(packs, count) ACCEL_PACK_OF_PACK_(sum_of, *(packs))((packs), (count))

#define accel_pack_equal(a, b) ACCEL_MASK_((a) == (b))
#define accel_pack_not_equal(a, b) ACCEL_MASK_((a) != (b))
#define accel_pack_less(a, b) ACCEL_MASK_((a) < (b))
#define accel_pack_less_equal(a, b) ACCEL_MASK_((a) <= (b))
#define accel_pack_greater(a, b) ACCEL_MASK_((a) > (b))
#define accel_pack_greater_equal(a, b) ACCEL_MASK_((a) >= (b))

#define accel_mask_and(m, n) ACCEL_MASK_OF_MASK_(and, m)((m), (n))
#define accel_mask_or(m, n) ACCEL_MASK_OF_MASK_(or, m)((m), (n))
#define accel_mask_not(m) ACCEL_MASK_OF_MASK_(not, m)(m)
#define accel_mask_bits(m) ACCEL_MASK_OF_MASK_(word, m)(m)
#define accel_mask_any(m) ACCEL_MASK_OF_MASK_(any, m)(m)
#define accel_mask_all(m) ACCEL_MASK_OF_MASK_(all, m)(m)
#define accel_mask_count(m) ACCEL_MASK_OF_MASK_(count, m)(m)

#if defined(ACCEL_KERNEL_CPU_H)
#include <accel/kernel/cpu/pack.h>
#else
#include <accel/kernel/gpu/pack.h>
#endif

/* Sums of up to 64 packs: the upper half is added to the lower one, again and again, then the numbers of the last one are
 * in the same way. As each step adds what lies half the numbers apart, it does not matter how many a pack holds. */
#define ACCEL_PACK_HALVE_(half)                                                                                        \
    if (count > (half)) {                                                                                              \
        ACCEL_UNROLL(half)                                                                                             \
        for (size_t k = 0; k < (half); k++)                                                                            \
            packs[k] = ACCEL_PACK_ADD_(packs[k], packs[k + (half)]);                                                   \
    }
#define ACCEL_PACK_SUM_OF_(T, N, bits)                                                                                 \
    ACCEL_INLINE_ N ACCEL_PACK_NAME_(sum_of, T)(accel_pack_##T * packs, size_t count)                                  \
    {                                                                                                                  \
        ACCEL_PACK_HALVE_(32)                                                                                          \
        ACCEL_PACK_HALVE_(16)                                                                                          \
        ACCEL_PACK_HALVE_(8)                                                                                           \
        ACCEL_PACK_HALVE_(4)                                                                                           \
        ACCEL_PACK_HALVE_(2)                                                                                           \
        ACCEL_PACK_HALVE_(1)                                                                                           \
        return ACCEL_PACK_NAME_(sum, T)(packs[0]);                                                                     \
    }
ACCEL_PACKS_(ACCEL_PACK_SUM_OF_)

#endif
