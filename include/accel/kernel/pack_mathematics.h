/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/pack_mathematics.h - the functions of accel/kernel/mathematics.h on packs.
 *
 * accel_pack_exp(v) calls exp for each number. Compilers make one instruction of that where there is one (sqrt, floor,
 * fma), and with `accelcc --vector-math` one call of the C library's vector function:
 *
 *     accel_pack_double _ZGVdN4v_exp(accel_pack_double);      four doubles in AVX2's registers
 */
#ifndef ACCEL_KERNEL_PACK_MATHEMATICS_H
#define ACCEL_KERNEL_PACK_MATHEMATICS_H

#include <accel/kernel/mathematics.h>
#include <accel/kernel/pack.h>

/* Functions for which glibc has vectors since 2.22, since 2.35, and others. */
#define ACCEL_PACK_MATHEMATICS_1_(first, later, other)                                                                 \
    first(cos) first(exp) first(log) first(sin) later(acos) later(acosh) later(asin) later(asinh) later(atan)          \
        later(atanh) later(cbrt) later(cosh) later(erf) later(erfc) later(exp2) later(expm1) later(log10) later(log1p) \
            later(log2) later(sinh) later(tan) later(tanh) other(round) other(rsqrt) other(sqrt)
#define ACCEL_PACK_MATHEMATICS_2_(first, later, other) first(pow) later(atan2) later(hypot) other(copysign) other(fmod)

#define accel_pack_acos(v) ACCEL_PACK_OF_REAL_(acos, v)(v)
#define accel_pack_acosh(v) ACCEL_PACK_OF_REAL_(acosh, v)(v)
#define accel_pack_asin(v) ACCEL_PACK_OF_REAL_(asin, v)(v)
#define accel_pack_asinh(v) ACCEL_PACK_OF_REAL_(asinh, v)(v)
#define accel_pack_atan(v) ACCEL_PACK_OF_REAL_(atan, v)(v)
#define accel_pack_atanh(v) ACCEL_PACK_OF_REAL_(atanh, v)(v)
#define accel_pack_cbrt(v) ACCEL_PACK_OF_REAL_(cbrt, v)(v)
#define accel_pack_ceil(v) ACCEL_PACK_OF_REAL_(ceil, v)(v)
#define accel_pack_cos(v) ACCEL_PACK_OF_REAL_(cos, v)(v)
#define accel_pack_cosh(v) ACCEL_PACK_OF_REAL_(cosh, v)(v)
#define accel_pack_erf(v) ACCEL_PACK_OF_REAL_(erf, v)(v)
#define accel_pack_erfc(v) ACCEL_PACK_OF_REAL_(erfc, v)(v)
#define accel_pack_exp(v) ACCEL_PACK_OF_REAL_(exp, v)(v)
#define accel_pack_exp2(v) ACCEL_PACK_OF_REAL_(exp2, v)(v)
#define accel_pack_expm1(v) ACCEL_PACK_OF_REAL_(expm1, v)(v)
#define accel_pack_floor(v) ACCEL_PACK_OF_REAL_(floor, v)(v)
#define accel_pack_log(v) ACCEL_PACK_OF_REAL_(log, v)(v)
#define accel_pack_log10(v) ACCEL_PACK_OF_REAL_(log10, v)(v)
#define accel_pack_log1p(v) ACCEL_PACK_OF_REAL_(log1p, v)(v)
#define accel_pack_log2(v) ACCEL_PACK_OF_REAL_(log2, v)(v)
#define accel_pack_rint(v) ACCEL_PACK_OF_REAL_(rint, v)(v)
#define accel_pack_round(v) ACCEL_PACK_OF_REAL_(round, v)(v)
#define accel_pack_rsqrt(v) ACCEL_PACK_OF_REAL_(rsqrt, v)(v)
#define accel_pack_sin(v) ACCEL_PACK_OF_REAL_(sin, v)(v)
#define accel_pack_sinh(v) ACCEL_PACK_OF_REAL_(sinh, v)(v)
#define accel_pack_sqrt(v) ACCEL_PACK_OF_REAL_(sqrt, v)(v)
#define accel_pack_tan(v) ACCEL_PACK_OF_REAL_(tan, v)(v)
#define accel_pack_tanh(v) ACCEL_PACK_OF_REAL_(tanh, v)(v)
#define accel_pack_trunc(v) ACCEL_PACK_OF_REAL_(trunc, v)(v)
#define accel_pack_atan2(y, x) ACCEL_PACK_OF_REAL_(atan2, y)((y), (x))
#define accel_pack_copysign(x, y) ACCEL_PACK_OF_REAL_(copysign, x)((x), (y))
#define accel_pack_fmod(x, y) ACCEL_PACK_OF_REAL_(fmod, x)((x), (y))
#define accel_pack_hypot(x, y) ACCEL_PACK_OF_REAL_(hypot, x)((x), (y))
#define accel_pack_pow(x, y) ACCEL_PACK_OF_REAL_(pow, x)((x), (y))

/* ------------------------------------------------------------------------------- number by number -- */

#define ACCEL_PACK_EACH_1_(T, bits, name)                                                                              \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(name, T)(accel_pack_##T v)                                           \
    {                                                                                                                  \
        ACCEL_EACH_LANE_(bits, lane)                                                                                   \
        ACCEL_PACK_LANE_(v, lane) = name(ACCEL_PACK_LANE_(v, lane));                                                   \
        return v;                                                                                                      \
    }
#define ACCEL_PACK_EACH_2_(T, bits, name)                                                                              \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(name, T)(accel_pack_##T a, accel_pack_##T b)                         \
    {                                                                                                                  \
        ACCEL_EACH_LANE_(bits, lane)                                                                                   \
        ACCEL_PACK_LANE_(a, lane) = name(ACCEL_PACK_LANE_(a, lane), ACCEL_PACK_LANE_(b, lane));                        \
        return a;                                                                                                      \
    }
#define ACCEL_PACK_EACH_FMA_(T, N, bits)                                                                               \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(fma, T)(accel_pack_##T a, accel_pack_##T b, accel_pack_##T c)        \
    {                                                                                                                  \
        ACCEL_EACH_LANE_(bits, lane)                                                                                   \
        ACCEL_PACK_LANE_(a, lane) =                                                                                    \
            fma(ACCEL_PACK_LANE_(a, lane), ACCEL_PACK_LANE_(b, lane), ACCEL_PACK_LANE_(c, lane));                      \
        return a;                                                                                                      \
    }
ACCEL_PACKS_REAL_(ACCEL_PACK_EACH_FMA_)

#define ACCEL_PACK_PLAIN_1_(name) ACCEL_PACK_EACH_1_(float, 32, name) ACCEL_PACK_EACH_1_(double, 64, name)
#define ACCEL_PACK_PLAIN_2_(name) ACCEL_PACK_EACH_2_(float, 32, name) ACCEL_PACK_EACH_2_(double, 64, name)

/* ------------------------------------------------------------------------------- vector functions -- */

#if defined(ACCEL_VECTOR_MATH) && defined(ACCEL_KERNEL_CPU_H) && defined(__x86_64__) && defined(__GLIBC__)
#define ACCEL_PACK_GLIBC_(minor) __GLIBC_PREREQ(2, minor)
#else
#define ACCEL_PACK_GLIBC_(minor) 0
#endif

#if defined(__AVX512F__)
#define ACCEL_PACK_VECTORS_32_ "eN16"
#define ACCEL_PACK_VECTORS_64_ "eN8"
#elif defined(__AVX2__)
#define ACCEL_PACK_VECTORS_32_ "dN8"
#define ACCEL_PACK_VECTORS_64_ "dN4"
#elif defined(__AVX__)
#define ACCEL_PACK_VECTORS_32_ "cN8"
#define ACCEL_PACK_VECTORS_64_ "cN4"
#else
#define ACCEL_PACK_VECTORS_32_ "bN4"
#define ACCEL_PACK_VECTORS_64_ "bN2"
#endif
#if defined(__cplusplus)
#define ACCEL_PACK_C_(...) extern "C" __VA_ARGS__;
#else
#define ACCEL_PACK_C_(...) __VA_ARGS__;
#endif
#define ACCEL_PACK_CALL_1_(T, bits, name, suffix)                                                                      \
    ACCEL_PACK_C_(accel_pack_##T accel_pack_vector_##name##_##T(accel_pack_##T) __asm__(                               \
        "_ZGV" ACCEL_PACK_VECTORS_##bits##_ "v_" #name suffix))                                                        \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(name, T)(accel_pack_##T v)                                           \
    {                                                                                                                  \
        return accel_pack_vector_##name##_##T(v);                                                                      \
    }
#define ACCEL_PACK_CALL_2_(T, bits, name, suffix)                                                                      \
    ACCEL_PACK_C_(accel_pack_##T accel_pack_vector_##name##_##T(accel_pack_##T, accel_pack_##T) __asm__(               \
        "_ZGV" ACCEL_PACK_VECTORS_##bits##_ "vv_" #name suffix))                                                       \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(name, T)(accel_pack_##T a, accel_pack_##T b)                         \
    {                                                                                                                  \
        return accel_pack_vector_##name##_##T(a, b);                                                                   \
    }
#define ACCEL_PACK_VECTOR_1_(name)                                                                                     \
    ACCEL_PACK_CALL_1_(float, 32, name, "f")                                                                           \
    ACCEL_PACK_CALL_1_(double, 64, name, "")
#define ACCEL_PACK_VECTOR_2_(name)                                                                                     \
    ACCEL_PACK_CALL_2_(float, 32, name, "f")                                                                           \
    ACCEL_PACK_CALL_2_(double, 64, name, "")

#if ACCEL_PACK_GLIBC_(35)
ACCEL_PACK_MATHEMATICS_1_(ACCEL_PACK_VECTOR_1_, ACCEL_PACK_VECTOR_1_, ACCEL_PACK_PLAIN_1_)
ACCEL_PACK_MATHEMATICS_2_(ACCEL_PACK_VECTOR_2_, ACCEL_PACK_VECTOR_2_, ACCEL_PACK_PLAIN_2_)
#elif ACCEL_PACK_GLIBC_(22)
ACCEL_PACK_MATHEMATICS_1_(ACCEL_PACK_VECTOR_1_, ACCEL_PACK_PLAIN_1_, ACCEL_PACK_PLAIN_1_)
ACCEL_PACK_MATHEMATICS_2_(ACCEL_PACK_VECTOR_2_, ACCEL_PACK_PLAIN_2_, ACCEL_PACK_PLAIN_2_)
#else
ACCEL_PACK_MATHEMATICS_1_(ACCEL_PACK_PLAIN_1_, ACCEL_PACK_PLAIN_1_, ACCEL_PACK_PLAIN_1_)
ACCEL_PACK_MATHEMATICS_2_(ACCEL_PACK_PLAIN_2_, ACCEL_PACK_PLAIN_2_, ACCEL_PACK_PLAIN_2_)
#endif

/* -------------------------------------------------------------------------------------- to integers -- */

/* gcc rounds the numbers one by one, as it may not raise the flag for inexact results; this instruction does not. */
#if defined(ACCEL_KERNEL_CPU_H) && defined(__SSE4_1__) && !defined(__clang__)
#if defined(__AVX512F__)
#define ACCEL_PACK_ROUND_32_(v, mode) __builtin_ia32_rndscaleps_mask(v, mode, v, (short)-1, 4)
#define ACCEL_PACK_ROUND_64_(v, mode) __builtin_ia32_rndscalepd_mask(v, mode, v, (char)-1, 4)
#elif defined(__AVX__)
#define ACCEL_PACK_ROUND_32_(v, mode) __builtin_ia32_roundps256(v, mode)
#define ACCEL_PACK_ROUND_64_(v, mode) __builtin_ia32_roundpd256(v, mode)
#else
#define ACCEL_PACK_ROUND_32_(v, mode) __builtin_ia32_roundps(v, mode)
#define ACCEL_PACK_ROUND_64_(v, mode) __builtin_ia32_roundpd(v, mode)
#endif
#define ACCEL_PACK_ROUND_OF_(T, bits, name, mode)                                                                      \
    ACCEL_INLINE_ accel_pack_##T ACCEL_PACK_NAME_(name, T)(accel_pack_##T v)                                           \
    {                                                                                                                  \
        return ACCEL_PACK_ROUND_##bits##_(v, mode);                                                                    \
    }
#define ACCEL_PACK_ROUNDING_(name, mode)                                                                               \
    ACCEL_PACK_ROUND_OF_(float, 32, name, mode)                                                                        \
    ACCEL_PACK_ROUND_OF_(double, 64, name, mode)
#else
#define ACCEL_PACK_ROUNDING_(name, mode) ACCEL_PACK_PLAIN_1_(name)
#endif
ACCEL_PACK_ROUNDING_(floor, 9)
ACCEL_PACK_ROUNDING_(ceil, 10)
ACCEL_PACK_ROUNDING_(trunc, 11)
ACCEL_PACK_ROUNDING_(rint, 4)

#endif
