/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/pack.h - packs as vector types of gcc and clang.
 *
 * + - * / and the comparisons of these types become vector instructions by themselves. Loops over the numbers of one pack
 * do, too, where compilers see that each number is computed in the same way: the functions of C, for example.
 */
#ifndef ACCEL_KERNEL_PACK_CPU_H
#define ACCEL_KERNEL_PACK_CPU_H

#include <accel/kernel/cpu/transpose.h>

#if defined(__AVX512F__)
#define ACCEL_PACK_BYTES_ 64
#define ACCEL_PACK_COUNT_32_ ACCEL_PACK_16_
#define ACCEL_PACK_COUNT_64_ ACCEL_PACK_8_
#define ACCEL_PACK_TRANSPOSE_32_ ACCEL_TRANSPOSE_16_
#define ACCEL_PACK_TRANSPOSE_64_ ACCEL_TRANSPOSE_8_
#elif defined(__AVX__)
#define ACCEL_PACK_BYTES_ 32
#define ACCEL_PACK_COUNT_32_ ACCEL_PACK_8_
#define ACCEL_PACK_COUNT_64_ ACCEL_PACK_4_
#define ACCEL_PACK_TRANSPOSE_32_ ACCEL_TRANSPOSE_8_
#define ACCEL_PACK_TRANSPOSE_64_ ACCEL_TRANSPOSE_4_
#else
#define ACCEL_PACK_BYTES_ 16
#define ACCEL_PACK_COUNT_32_ ACCEL_PACK_4_
#define ACCEL_PACK_COUNT_64_ 0, 1
#define ACCEL_PACK_TRANSPOSE_32_ ACCEL_TRANSPOSE_4_
#define ACCEL_PACK_TRANSPOSE_64_ ACCEL_TRANSPOSE_2_
#endif
#define ACCEL_PACK_4_ 0, 1, 2, 3
#define ACCEL_PACK_8_ ACCEL_PACK_4_, 4, 5, 6, 7
#define ACCEL_PACK_16_ ACCEL_PACK_8_, 8, 9, 10, 11, 12, 13, 14, 15

#if defined(__AVX512F__) || defined(__aarch64__)
#define ACCEL_PACK_REGISTERS 32
#else
#define ACCEL_PACK_REGISTERS 16
#endif
#define ACCEL_PACK_DOUBLES (ACCEL_PACK_BYTES_ / 8)
#define ACCEL_PACK_FLOATS (ACCEL_PACK_BYTES_ / 4)
#define ACCEL_PACK_LANES_64_ ACCEL_PACK_DOUBLES
#define ACCEL_PACK_LANES_32_ ACCEL_PACK_FLOATS
#define ACCEL_PACK_LANE_(v, lane) (v)[lane]
#define ACCEL_EACH_LANE_(bits, lane) for (size_t lane = 0; lane < ACCEL_PACK_LANES_##bits##_; lane++)

#define ACCEL_PACK_TYPE_(T, N, bits) typedef N accel_pack_##T __attribute__((vector_size(ACCEL_PACK_BYTES_)));
ACCEL_PACKS_(ACCEL_PACK_TYPE_)

/* For its type alone; never evaluated. */
#define ACCEL_PACK_SOME_(T) (*(accel_pack_##T *)0)

/* Each number is 0 or -1. */
typedef struct accel_mask_32 {
    accel_pack_int32 lanes;
} accel_mask_32;
typedef struct accel_mask_64 {
    accel_pack_int64 lanes;
} accel_mask_64;

/* What comparisons give. gcc and clang differ in the name of the 64-bit type. */
typedef __typeof__(ACCEL_PACK_SOME_(float) < ACCEL_PACK_SOME_(float)) accel_pack_compared_32;
typedef __typeof__(ACCEL_PACK_SOME_(double) < ACCEL_PACK_SOME_(double)) accel_pack_compared_64;
#define ACCEL_MASK_MAKE_(bits)                                                                                         \
    ACCEL_INLINE_ accel_mask_##bits ACCEL_MASK_NAME_(of, bits)(accel_pack_compared_##bits lanes)                       \
    {                                                                                                                  \
        const accel_mask_##bits m = {(accel_pack_int##bits)lanes};                                                     \
        return m;                                                                                                      \
    }
ACCEL_MASK_MAKE_(32)
ACCEL_MASK_MAKE_(64)
#if defined(__cplusplus)
#define ACCEL_MASK_(compared) accel_mask_of_on(compared)
#else
#define ACCEL_MASK_(compared)                                                                                          \
    _Generic((compared), accel_pack_compared_32 : accel_mask_of_32, accel_pack_compared_64 : accel_mask_of_64)(compared)
#endif

/* ------------------------------------------------------------------------------------------- memory -- */

/* As many numbers of type N as a pack of 32-bit or of 64-bit numbers has, in an array: aligned like one number. */
#define ACCEL_PACK_MEMORY_TYPES_(T, N)                                                                                 \
    typedef N accel_memory_##T##_32                                                                                    \
        __attribute__((vector_size(sizeof(N) * ACCEL_PACK_FLOATS), aligned(sizeof(N)), may_alias));                    \
    typedef N accel_memory_##T##_64                                                                                    \
        __attribute__((vector_size(sizeof(N) * ACCEL_PACK_DOUBLES), aligned(sizeof(N)), may_alias));
#define ACCEL_PACK_MEMORIES_(X)                                                                                        \
    X(int8, int8_t)                                                                                                    \
    X(uint8, uint8_t)                                                                                                  \
    X(int16, int16_t)                                                                                                  \
    X(uint16, uint16_t)                                                                                                \
    X(int32, int32_t)                                                                                                  \
    X(uint32, uint32_t) X(int64, int64_t) X(uint64, uint64_t) X(float, float) X(double, double)
ACCEL_PACK_MEMORIES_(ACCEL_PACK_MEMORY_TYPES_)

/* The type of a pointer to what a pack like v is loaded from if the number there is like x. Neither is evaluated. */
#if defined(__cplusplus)
#define ACCEL_PACK_MEMORY_LIKE_(M, N)                                                                                  \
    accel_memory_##M##_32 *accel_pack_memory(N, accel_pack_float);                                                     \
    accel_memory_##M##_32 *accel_pack_memory(N, accel_pack_int32);                                                     \
    accel_memory_##M##_32 *accel_pack_memory(N, accel_pack_uint32);                                                    \
    accel_memory_##M##_64 *accel_pack_memory(N, accel_pack_double);                                                    \
    accel_memory_##M##_64 *accel_pack_memory(N, accel_pack_int64);                                                     \
    accel_memory_##M##_64 *accel_pack_memory(N, accel_pack_uint64);
ACCEL_PACK_MEMORIES_(ACCEL_PACK_MEMORY_LIKE_)
#define ACCEL_PACK_MEMORY_(x, v) decltype(accel_pack_memory(x, v))
#else
#define ACCEL_PACK_MEMORY_OF_(x, bits)                                                                                 \
    _Generic((x), int8_t                                                                                               \
             : (accel_memory_int8_##bits *)0, uint8_t                                                                  \
             : (accel_memory_uint8_##bits *)0, int16_t                                                                 \
             : (accel_memory_int16_##bits *)0, uint16_t                                                                \
             : (accel_memory_uint16_##bits *)0, int32_t                                                                \
             : (accel_memory_int32_##bits *)0, uint32_t                                                                \
             : (accel_memory_uint32_##bits *)0, int64_t                                                                \
             : (accel_memory_int64_##bits *)0, uint64_t                                                                \
             : (accel_memory_uint64_##bits *)0, float                                                                  \
             : (accel_memory_float_##bits *)0, double                                                                  \
             : (accel_memory_double_##bits *)0)
#define ACCEL_PACK_MEMORY_(x, v)                                                                                       \
    __typeof__(_Generic((v), accel_pack_float                                                                          \
                        : ACCEL_PACK_MEMORY_OF_(x, 32), accel_pack_int32                                               \
                        : ACCEL_PACK_MEMORY_OF_(x, 32), accel_pack_uint32                                              \
                        : ACCEL_PACK_MEMORY_OF_(x, 32), default                                                        \
                        : ACCEL_PACK_MEMORY_OF_(x, 64)))
#endif
#define accel_pack_load_as(T, p)                                                                                       \
    __builtin_convertvector(*(ACCEL_PACK_MEMORY_(*(p), ACCEL_PACK_SOME_(T)))(p), accel_pack_##T)
#define accel_pack_store_as(p, v)                                                                                      \
    ((void)(*(ACCEL_PACK_MEMORY_(*(p), v))(p) =                                                                        \
                __builtin_convertvector(v, __typeof__(*(ACCEL_PACK_MEMORY_(*(p), v))(p)))))
#define accel_pack_convert(T, v) __builtin_convertvector(v, accel_pack_##T)

/* Numbers of the mask's true lanes alone are read and written: by an instruction, else one by one. */
#if defined(__AVX512DQ__)
#define ACCEL_MASK_WORD_32_(lanes) ((unsigned short)__builtin_ia32_cvtd2mask512((accel_pack_gcc_i32)(lanes)))
#define ACCEL_MASK_WORD_64_(lanes) ((unsigned char)__builtin_ia32_cvtq2mask512((accel_pack_gcc_i64)(lanes)))
#define ACCEL_MASKED_LOAD_(bits, m, p, v)                                                                              \
    v = (__typeof__(v))ACCEL_MASKED_LOAD_##bits##_(p, v, ACCEL_MASK_WORD_##bits##_((m).lanes))
#define ACCEL_MASKED_LOAD_32_(p, v, word)                                                                              \
    __builtin_ia32_loadups512_mask((const float *)(const void *)(p), (accel_pack_float)(v), word)
#define ACCEL_MASKED_LOAD_64_(p, v, word)                                                                              \
    __builtin_ia32_loadupd512_mask((const double *)(const void *)(p), (accel_pack_double)(v), word)
#define ACCEL_MASKED_STORE_(bits, m, p, v) ACCEL_MASKED_STORE_##bits##_(p, v, ACCEL_MASK_WORD_##bits##_((m).lanes))
#define ACCEL_MASKED_STORE_32_(p, v, word)                                                                             \
    __builtin_ia32_storeups512_mask((float *)(void *)(p), (accel_pack_float)(v), word)
#define ACCEL_MASKED_STORE_64_(p, v, word)                                                                             \
    __builtin_ia32_storeupd512_mask((double *)(void *)(p), (accel_pack_double)(v), word)
#elif defined(__AVX__) && !defined(__AVX512F__)
#define ACCEL_MASKED_LOAD_(bits, m, p, v)                                                                              \
    v = (__typeof__(v))((ACCEL_MASKED_LOAD_##bits##_(p, (m).lanes) & (m).lanes) |                                      \
                        ((accel_pack_int##bits)(v) & ~(m).lanes))
#define ACCEL_MASKED_LOAD_32_(p, lanes)                                                                                \
    (accel_pack_int32)                                                                                                 \
        __builtin_ia32_maskloadps256((const accel_pack_float *)(const void *)(p), (accel_pack_gcc_i32)(lanes))
#define ACCEL_MASKED_LOAD_64_(p, lanes)                                                                                \
    (accel_pack_int64)                                                                                                 \
        __builtin_ia32_maskloadpd256((const accel_pack_double *)(const void *)(p), (accel_pack_gcc_i64)(lanes))
#define ACCEL_MASKED_STORE_(bits, m, p, v) ACCEL_MASKED_STORE_##bits##_(p, (m).lanes, v)
#define ACCEL_MASKED_STORE_32_(p, lanes, v)                                                                            \
    __builtin_ia32_maskstoreps256((accel_pack_float *)(void *)(p), (accel_pack_gcc_i32)(lanes), (accel_pack_float)(v))
#define ACCEL_MASKED_STORE_64_(p, lanes, v)                                                                            \
    __builtin_ia32_maskstorepd256((accel_pack_double *)(void *)(p), (accel_pack_gcc_i64)(lanes), (accel_pack_double)(v))
#else
#define ACCEL_MASKED_LOAD_(bits, m, p, v)                                                                              \
    ACCEL_EACH_LANE_(bits, lane)                                                                                       \
    if ((m).lanes[lane] != 0)                                                                                          \
    v[lane] = (p)[lane]
#define ACCEL_MASKED_STORE_(bits, m, p, v)                                                                             \
    ACCEL_EACH_LANE_(bits, lane)                                                                                       \
    if ((m).lanes[lane] != 0)                                                                                          \
    (p)[lane] = v[lane]
#endif
/* As the compilers' built-in functions have them. */
typedef int accel_pack_gcc_i32 __attribute__((vector_size(ACCEL_PACK_BYTES_)));
typedef long long accel_pack_gcc_i64 __attribute__((vector_size(ACCEL_PACK_BYTES_)));

#define ACCEL_PACK_INDEXED_(T, N, bits, sign, I)                                                                       \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(gather##sign, T)(const N *p, I index)                                \
    {                                                                                                                  \
        accel_pack_##T v;                                                                                              \
        ACCEL_EACH_LANE_(bits, lane)                                                                                   \
        v[lane] = p[index[lane]];                                                                                      \
        return v;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ void ACCEL_PACK_NAME_(scatter##sign, T)(N * p, I index, accel_pack_##T v)                            \
    {                                                                                                                  \
        ACCEL_EACH_LANE_(bits, lane)                                                                                   \
        p[index[lane]] = v[lane];                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(gather_masked##sign, T)(accel_mask_##bits m, const N *p, I index,    \
                                                                          accel_pack_##T v)                            \
    {                                                                                                                  \
        ACCEL_EACH_LANE_(bits, lane)                                                                                   \
        if (m.lanes[lane] != 0)                                                                                        \
            v[lane] = p[index[lane]];                                                                                  \
        return v;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ void ACCEL_PACK_NAME_(scatter_masked##sign, T)(accel_mask_##bits m, N * p, I index,                  \
                                                                 accel_pack_##T v)                                     \
    {                                                                                                                  \
        ACCEL_EACH_LANE_(bits, lane)                                                                                   \
        if (m.lanes[lane] != 0)                                                                                        \
            p[index[lane]] = v[lane];                                                                                  \
    }
#if defined(__cplusplus)
#define ACCEL_BY_UNSIGNED_
#else
#define ACCEL_BY_UNSIGNED_ _by_unsigned
#endif
#define ACCEL_PACK_INDEXED_BY_(T, N, bits, sign, I) ACCEL_PACK_INDEXED_(T, N, bits, sign, I)

#define ACCEL_PACK_MEMORY_FUNCTIONS_(T, N, bits)                                                                       \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(load, T)(const N *p)                                                 \
    {                                                                                                                  \
        return *(const accel_memory_##T##_##bits *)p;                                                                  \
    }                                                                                                                  \
    ACCEL_INLINE_ void ACCEL_PACK_NAME_(store, T)(N * p, accel_pack_##T v)                                             \
    {                                                                                                                  \
        *(accel_memory_##T##_##bits *)p = v;                                                                           \
    }                                                                                                                  \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(load_masked, T)(accel_mask_##bits m, const N *p, accel_pack_##T v)   \
    {                                                                                                                  \
        ACCEL_MASKED_LOAD_(bits, m, p, v);                                                                             \
        return v;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ void ACCEL_PACK_NAME_(store_masked, T)(accel_mask_##bits m, N * p, accel_pack_##T v)                 \
    {                                                                                                                  \
        ACCEL_MASKED_STORE_(bits, m, p, v);                                                                            \
    }                                                                                                                  \
    ACCEL_PACK_INDEXED_BY_(T, N, bits, , accel_pack_int##bits)                                                         \
    ACCEL_PACK_INDEXED_BY_(T, N, bits, ACCEL_BY_UNSIGNED_, accel_pack_uint##bits)
ACCEL_PACKS_(ACCEL_PACK_MEMORY_FUNCTIONS_)

#include <accel/kernel/pack_lanes.h>

#endif
