/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/pack.h - packs: as many numbers as a register of the target holds.
 *
 * On CPUs a pack is a vector type of gcc and clang. + - * / work on it element by element, also with a plain number on
 * one side. On GPUs, whose threads hold single numbers, it is the number itself.
 */
#ifndef ACCEL_KERNEL_PACK_H
#define ACCEL_KERNEL_PACK_H

#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#define ACCEL_PACK_REGISTERS 64
#define ACCEL_PACK_DOUBLES 1
#define ACCEL_PACK_FLOATS 1
typedef double accel_pack_double;
typedef float accel_pack_float;
typedef double accel_pack_double_at_;
typedef float accel_pack_float_at_;
#define ACCEL_PACK_LANE_(v, lane) (v)
#else
#if defined(__AVX512F__)
#define ACCEL_PACK_BYTES_ 64
#elif defined(__AVX__)
#define ACCEL_PACK_BYTES_ 32
#else
#define ACCEL_PACK_BYTES_ 16
#endif
#if defined(__AVX512F__) || defined(__aarch64__)
#define ACCEL_PACK_REGISTERS 32
#else
#define ACCEL_PACK_REGISTERS 16
#endif
#define ACCEL_PACK_DOUBLES (ACCEL_PACK_BYTES_ / 8)
#define ACCEL_PACK_FLOATS (ACCEL_PACK_BYTES_ / 4)
typedef double accel_pack_double __attribute__((vector_size(ACCEL_PACK_BYTES_)));
typedef float accel_pack_float __attribute__((vector_size(ACCEL_PACK_BYTES_)));
/* The same for packs in arrays of numbers: aligned like one number. */
typedef double accel_pack_double_at_ __attribute__((vector_size(ACCEL_PACK_BYTES_), aligned(8), may_alias));
typedef float accel_pack_float_at_ __attribute__((vector_size(ACCEL_PACK_BYTES_), aligned(4), may_alias));
#define ACCEL_PACK_LANE_(v, lane) (v)[lane]
#endif

#if defined(__cplusplus)
#define ACCEL_PACK_NAME_(op, T) accel_pack_##op##_on
#define ACCEL_PACK_OF_NUMBER_(op, x) accel_pack_##op##_on
#define ACCEL_PACK_OF_PACK_(op, v) accel_pack_##op##_on
#else
#define ACCEL_PACK_NAME_(op, T) accel_pack_##op##_##T
#define ACCEL_PACK_OF_NUMBER_(op, x) _Generic((x), float : accel_pack_##op##_float, double : accel_pack_##op##_double)
#define ACCEL_PACK_OF_PACK_(op, v)                                                                                     \
    _Generic((v), accel_pack_float : accel_pack_##op##_float, accel_pack_double : accel_pack_##op##_double)
#endif

#define accel_pack_all(x) ACCEL_PACK_OF_NUMBER_(all, x)(x)
#define accel_pack_load(p) ACCEL_PACK_OF_NUMBER_(load, *(p))(p)
#define accel_pack_store(p, v) ACCEL_PACK_OF_NUMBER_(store, *(p))((p), (v))
#define accel_pack_sum(v) ACCEL_PACK_OF_PACK_(sum, v)(v)

#define ACCEL_PACK_FUNCTIONS_(T, lanes)                                                                                \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(load, T)(const T *p)                                                 \
    {                                                                                                                  \
        return *(const accel_pack_##T##_at_ *)p;                                                                       \
    }                                                                                                                  \
    ACCEL_INLINE_ void ACCEL_PACK_NAME_(store, T)(T * p, accel_pack_##T v)                                             \
    {                                                                                                                  \
        *(accel_pack_##T##_at_ *)p = v;                                                                                \
    }                                                                                                                  \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(all, T)(T x)                                                         \
    {                                                                                                                  \
        accel_pack_##T v;                                                                                              \
        for (int lane = 0; lane < (lanes); lane++)                                                                     \
            ACCEL_PACK_LANE_(v, lane) = x;                                                                             \
        return v;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_PACK_NAME_(sum, T)(accel_pack_##T v)                                                         \
    {                                                                                                                  \
        T sum = ACCEL_PACK_LANE_(v, 0);                                                                                \
        for (int lane = 1; lane < (lanes); lane++)                                                                     \
            sum += ACCEL_PACK_LANE_(v, lane);                                                                          \
        return sum;                                                                                                    \
    }
ACCEL_PACK_FUNCTIONS_(float, ACCEL_PACK_FLOATS)
ACCEL_PACK_FUNCTIONS_(double, ACCEL_PACK_DOUBLES)

#endif
