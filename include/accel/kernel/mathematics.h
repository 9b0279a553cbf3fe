/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/mathematics.h - mathematics that means the same on every target.
 *
 * Kernels are C++ on GPUs, so the functions of C have the types that C++ gives them. In C++ they are the overloads of
 * <cmath>. In C they are macros, and exp(x) is
 *
 *     _Generic((x), float : expf, long double : expl, default : exp)(x)
 */
#ifndef ACCEL_KERNEL_MATHEMATICS_H
#define ACCEL_KERNEL_MATHEMATICS_H

#include <accel/kernel/atomic.h>
#if defined(ACCEL_VECTOR_MATH) && defined(ACCEL_KERNEL_CPU_H)
#include <accel/kernel/vector_mathematics.h>
#endif

/* gcc calls the library's fmin in every element of a loop. A choice it vectorises, as clang does with fmin. */
#if defined(ACCEL_KERNEL_CPU_H) && defined(__x86_64__) && !defined(__clang__)
#define ACCEL_ORDER_BY_CHOICE_ 1
#else
#define ACCEL_ORDER_BY_CHOICE_ 0
#endif

#if ACCEL_ORDER_BY_CHOICE_
/* Of two zeros the second, and of a NaN and a number the number, like glibc. */
#define ACCEL_CHOICE_(T, name, order)                                                                                  \
    ACCEL_INLINE_ T name(T x, T y)                                                                                     \
    {                                                                                                                  \
        return y != y ? x : x order y ? x : y;                                                                         \
    }
ACCEL_CHOICE_(float, accel_fminf, <)
ACCEL_CHOICE_(float, accel_fmaxf, >)
ACCEL_CHOICE_(double, accel_fmin, <)
ACCEL_CHOICE_(double, accel_fmax, >)
ACCEL_CHOICE_(long double, accel_fminl, <)
ACCEL_CHOICE_(long double, accel_fmaxl, >)
#endif

/* --------------------------------------------------------------------------------- functions of C, in C -- */

#if !defined(__cplusplus)
#define ACCEL_REAL_(name, x) _Generic((x), float : name##f, long double : name##l, default : name)
#define ACCEL_REAL_2_(name, x, y)                                                                                      \
    _Generic((x) + (y), long double                                                                                    \
             : name##l, default                                                                                        \
             : _Generic((x), float                                                                                     \
                        : _Generic((y), float                                                                          \
                                   : name##f, default                                                                  \
                                   : name),                                                                            \
                          default                                                                                      \
                        : name))

#define acos(x) ACCEL_REAL_(acos, x)(x)
#define acosh(x) ACCEL_REAL_(acosh, x)(x)
#define asin(x) ACCEL_REAL_(asin, x)(x)
#define asinh(x) ACCEL_REAL_(asinh, x)(x)
#define atan(x) ACCEL_REAL_(atan, x)(x)
#define atanh(x) ACCEL_REAL_(atanh, x)(x)
#define cbrt(x) ACCEL_REAL_(cbrt, x)(x)
#define ceil(x) ACCEL_REAL_(ceil, x)(x)
#define cos(x) ACCEL_REAL_(cos, x)(x)
#define cosh(x) ACCEL_REAL_(cosh, x)(x)
#define erf(x) ACCEL_REAL_(erf, x)(x)
#define erfc(x) ACCEL_REAL_(erfc, x)(x)
#define exp(x) ACCEL_REAL_(exp, x)(x)
#define exp2(x) ACCEL_REAL_(exp2, x)(x)
#define expm1(x) ACCEL_REAL_(expm1, x)(x)
#define fabs(x) ACCEL_REAL_(fabs, x)(x)
#define floor(x) ACCEL_REAL_(floor, x)(x)
#define frexp(x, exponent) ACCEL_REAL_(frexp, x)(x, exponent)
#define ilogb(x) ACCEL_REAL_(ilogb, x)(x)
#define ldexp(x, n) ACCEL_REAL_(ldexp, x)(x, n)
#define lgamma(x) ACCEL_REAL_(lgamma, x)(x)
#define llrint(x) ACCEL_REAL_(llrint, x)(x)
#define llround(x) ACCEL_REAL_(llround, x)(x)
#define log(x) ACCEL_REAL_(log, x)(x)
#define log10(x) ACCEL_REAL_(log10, x)(x)
#define log1p(x) ACCEL_REAL_(log1p, x)(x)
#define log2(x) ACCEL_REAL_(log2, x)(x)
#define logb(x) ACCEL_REAL_(logb, x)(x)
#define lrint(x) ACCEL_REAL_(lrint, x)(x)
#define lround(x) ACCEL_REAL_(lround, x)(x)
#define modf(x, whole) ACCEL_REAL_(modf, x)(x, whole)
#define nearbyint(x) ACCEL_REAL_(nearbyint, x)(x)
#define rint(x) ACCEL_REAL_(rint, x)(x)
#define round(x) ACCEL_REAL_(round, x)(x)
#define scalbln(x, n) ACCEL_REAL_(scalbln, x)(x, n)
#define scalbn(x, n) ACCEL_REAL_(scalbn, x)(x, n)
#define sin(x) ACCEL_REAL_(sin, x)(x)
#define sinh(x) ACCEL_REAL_(sinh, x)(x)
#define sqrt(x) ACCEL_REAL_(sqrt, x)(x)
#define tan(x) ACCEL_REAL_(tan, x)(x)
#define tanh(x) ACCEL_REAL_(tanh, x)(x)
#define tgamma(x) ACCEL_REAL_(tgamma, x)(x)
#define trunc(x) ACCEL_REAL_(trunc, x)(x)

#define atan2(y, x) ACCEL_REAL_2_(atan2, y, x)(y, x)
#define copysign(x, y) ACCEL_REAL_2_(copysign, x, y)(x, y)
#define fdim(x, y) ACCEL_REAL_2_(fdim, x, y)(x, y)
#if ACCEL_ORDER_BY_CHOICE_
#define fmax(x, y) ACCEL_REAL_2_(accel_fmax, x, y)(x, y)
#define fmin(x, y) ACCEL_REAL_2_(accel_fmin, x, y)(x, y)
#define fmaxf(x, y) accel_fmaxf(x, y)
#define fminf(x, y) accel_fminf(x, y)
#else
#define fmax(x, y) ACCEL_REAL_2_(fmax, x, y)(x, y)
#define fmin(x, y) ACCEL_REAL_2_(fmin, x, y)(x, y)
#endif
#define fmod(x, y) ACCEL_REAL_2_(fmod, x, y)(x, y)
#define hypot(x, y) ACCEL_REAL_2_(hypot, x, y)(x, y)
#define nextafter(x, y) ACCEL_REAL_2_(nextafter, x, y)(x, y)
#define pow(x, y) ACCEL_REAL_2_(pow, x, y)(x, y)
#define remainder(x, y) ACCEL_REAL_2_(remainder, x, y)(x, y)
#define remquo(x, y, quotient) ACCEL_REAL_2_(remquo, x, y)(x, y, quotient)

#define fma(x, y, z)                                                                                                   \
    _Generic((x) + (y) + (z), long double                                                                              \
             : fmal, default                                                                                           \
             : _Generic((x), float                                                                                     \
                        : ACCEL_REAL_2_(fma, y, z), default                                                            \
                        : fma))(x, y, z)

/* No `default`: the absolute value of an unsigned integer is an error, as in C++. */
#define abs(x)                                                                                                         \
    _Generic(+(x), int : abs, long : labs, long long : llabs, float : fabsf, double : fabs, long double : fabsl)(x)

/* 0 or 1, as in C++; the macros of C give any other number, too. */
#undef isfinite
#undef isinf
#undef isnan
#undef signbit
#define isfinite(x) (__builtin_isfinite(x) != 0)
#define isinf(x) (__builtin_isinf(x) != 0)
#define isnan(x) (__builtin_isnan(x) != 0)
#define signbit(x) (__builtin_signbit(x) != 0)
#endif

/* ------------------------------------------------------------------------------- order and inverse root -- */

#if ACCEL_ORDER_BY_CHOICE_ /* of two zeros the first */
#define ACCEL_LESSER_(suffix, a, b) accel_fmin##suffix(b, a)
#define ACCEL_GREATER_(suffix, a, b) accel_fmax##suffix(b, a)
#else
#define ACCEL_LESSER_(suffix, a, b) fmin##suffix(a, b)
#define ACCEL_GREATER_(suffix, a, b) fmax##suffix(a, b)
#endif

#if defined(__cplusplus)
#define ACCEL_TYPED_(name, S) accel_##name##_on
#else
#define ACCEL_TYPED_(name, S) accel_##name##_##S
#endif

#define ACCEL_ORDER_FUNCTIONS_(T, S, lesser, greater)                                                                  \
    ACCEL_INLINE_ T ACCEL_TYPED_(min, S)(T a, T b)                                                                     \
    {                                                                                                                  \
        return lesser;                                                                                                 \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_TYPED_(max, S)(T a, T b)                                                                     \
    {                                                                                                                  \
        return greater;                                                                                                \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_TYPED_(clamp, S)(T x, T low, T high)                                                         \
    {                                                                                                                  \
        return ACCEL_TYPED_(min, S)(ACCEL_TYPED_(max, S)(x, low), high);                                               \
    }
#define ACCEL_INTEGER_ORDER_(T, S) ACCEL_ORDER_FUNCTIONS_(T, S, b<a ? b : a, b> a ? b : a)
ACCEL_INTEGERS_(ACCEL_INTEGER_ORDER_)
ACCEL_ORDER_FUNCTIONS_(float, float, ACCEL_LESSER_(f, a, b), ACCEL_GREATER_(f, a, b))
ACCEL_ORDER_FUNCTIONS_(double, double, ACCEL_LESSER_(, a, b), ACCEL_GREATER_(, a, b))

/* rsqrt and rsqrtf are macros on CPUs: glibc 2.42 has functions of these names, whose last bits are others. */
#if defined(ACCEL_KERNEL_CPU_H)
ACCEL_INLINE_ float accel_rsqrt_float(float x)
{
    return 1 / sqrtf(x);
}
ACCEL_INLINE_ double accel_rsqrt_double(double x)
{
    return 1 / (sqrt)(x);
}
#undef rsqrtf
#define rsqrtf(x) accel_rsqrt_float(x)
#endif

#if defined(__cplusplus)
/* Templates, because compilers for GPUs have overloads of these for some types, which then come first. */
template <class A_, class B_> ACCEL_INLINE_ auto min(A_ a, B_ b) -> decltype(accel_min_on(a + b, a + b))
{
    using T_ = decltype(a + b);
    return accel_min_on(static_cast<T_>(a), static_cast<T_>(b));
}
template <class A_, class B_> ACCEL_INLINE_ auto max(A_ a, B_ b) -> decltype(accel_max_on(a + b, a + b))
{
    using T_ = decltype(a + b);
    return accel_max_on(static_cast<T_>(a), static_cast<T_>(b));
}
template <class X_, class A_, class B_>
ACCEL_INLINE_ auto clamp(X_ x, A_ low, B_ high) -> decltype(accel_min_on(x + low + high, x + low + high))
{
    using T_ = decltype(x + low + high);
    return accel_clamp_on(static_cast<T_>(x), static_cast<T_>(low), static_cast<T_>(high));
}
#if defined(ACCEL_KERNEL_CPU_H)
template <class T_> ACCEL_INLINE_ auto accel_rsqrt_on(T_ x) -> decltype(sqrt(x))
{
    return 1 / sqrt(x);
}
#undef rsqrt
#define rsqrt(x) accel_rsqrt_on(x)
#else
template <class T_> ACCEL_INLINE_ auto rsqrt(T_ x) -> decltype(sqrt(x))
{
    return sizeof(sqrt(x)) == sizeof(float) ? rsqrtf(static_cast<float>(x)) : rsqrt(static_cast<double>(x));
}
#endif
#else
#define ACCEL_BY_INTEGER_(name)                                                                                        \
    int : name##_int,                                                                                                  \
          unsigned int : name##_uint,                                                                                  \
                         long : name##_long,                                                                           \
                                unsigned long : name##_ulong,                                                          \
                                                long long : name##_llong,                                              \
                                                            unsigned long long : name##_ullong
#define ACCEL_BY_NUMBER_(name, x) _Generic(x, ACCEL_BY_INTEGER_(name), float : name##_float, double : name##_double)
#define min(a, b) ACCEL_BY_NUMBER_(accel_min, (a) + (b))(a, b)
#define max(a, b) ACCEL_BY_NUMBER_(accel_max, (a) + (b))(a, b)
#define clamp(x, low, high) ACCEL_BY_NUMBER_(accel_clamp, (x) + (low) + (high))(x, low, high)
#undef rsqrt
#define rsqrt(x) _Generic((x), float : accel_rsqrt_float, default : accel_rsqrt_double)(x)
#endif

#endif
