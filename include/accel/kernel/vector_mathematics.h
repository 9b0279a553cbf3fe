/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/vector_mathematics.h - `accelcc --vector-math`: loops may call the C library's vector functions (libmvec).
 * gcc learns here that they exist; clang is told by -fveclib. docs/mathematics.md has their bounds.
 *
 *     double exp(double) __attribute__((simd("notinbranch")));     a loop may call _ZGVdN4v_exp for four of them
 */
#ifndef ACCEL_KERNEL_VECTOR_MATHEMATICS_H
#define ACCEL_KERNEL_VECTOR_MATHEMATICS_H

#include <math.h>

#if defined(__GLIBC__) && !defined(__clang__)
#if defined(__x86_64__)
#define ACCEL_VECTOR_FIRST_ __GLIBC_PREREQ(2, 22)
#define ACCEL_VECTOR_ALL_ __GLIBC_PREREQ(2, 35)
#elif defined(__aarch64__) /* 2.38 and 2.39 have some of them, of floats four at a time alone */
#define ACCEL_VECTOR_FIRST_ __GLIBC_PREREQ(2, 40)
#define ACCEL_VECTOR_ALL_ __GLIBC_PREREQ(2, 40)
#else
#define ACCEL_VECTOR_FIRST_ 0
#define ACCEL_VECTOR_ALL_ 0
#endif

#if defined(__cplusplus)
#define ACCEL_VECTOR_C_(declaration) extern "C" declaration noexcept __attribute__((__simd__("notinbranch")));
#else
#define ACCEL_VECTOR_C_(declaration) declaration __attribute__((__simd__("notinbranch")));
#endif
#define ACCEL_VECTOR_1_(name) ACCEL_VECTOR_C_(double name(double)) ACCEL_VECTOR_C_(float name##f(float))
#define ACCEL_VECTOR_2_(name) ACCEL_VECTOR_C_(double name(double, double)) ACCEL_VECTOR_C_(float name##f(float, float))

#if ACCEL_VECTOR_FIRST_
ACCEL_VECTOR_1_(cos)
ACCEL_VECTOR_1_(exp)
ACCEL_VECTOR_1_(log)
ACCEL_VECTOR_1_(sin)
ACCEL_VECTOR_2_(pow)
#endif
#if ACCEL_VECTOR_ALL_
ACCEL_VECTOR_1_(acos)
ACCEL_VECTOR_1_(acosh)
ACCEL_VECTOR_1_(asin)
ACCEL_VECTOR_1_(asinh)
ACCEL_VECTOR_1_(atan)
ACCEL_VECTOR_1_(atanh)
ACCEL_VECTOR_1_(cbrt)
ACCEL_VECTOR_1_(cosh)
ACCEL_VECTOR_1_(erf)
ACCEL_VECTOR_1_(erfc)
ACCEL_VECTOR_1_(exp2)
ACCEL_VECTOR_1_(expm1)
ACCEL_VECTOR_1_(log10)
ACCEL_VECTOR_1_(log1p)
ACCEL_VECTOR_1_(log2)
ACCEL_VECTOR_1_(sinh)
ACCEL_VECTOR_1_(tan)
ACCEL_VECTOR_1_(tanh)
ACCEL_VECTOR_2_(atan2)
ACCEL_VECTOR_2_(hypot)
#endif
#endif

#endif
