/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/clang_pow.h - pow of GPUs as C++ has it. clang's own headers have overloads for an int as the exponent,
 * which multiply: they return a float for a float, and err more the larger the exponent is. So accel/kernel/gpu/hip.h and
 * gpu/cuda_clang.h rename pow while they read these headers, and it is declared here.
 */
#ifndef ACCEL_KERNEL_CLANG_POW_H
#define ACCEL_KERNEL_CLANG_POW_H

#if defined(__clang__) /* the simulated GPU of tests has a pow that needs none of this */
#include <type_traits>

#define ACCEL_POW_ static inline __attribute__((device, always_inline, unused))
ACCEL_POW_ double pow(double x, double y)
{
    return accel_clang_pow(x, y);
}
ACCEL_POW_ float pow(float x, float y)
{
    return powf(x, y);
}
template <class X_, class Y_>
ACCEL_POW_ typename std::enable_if<std::is_arithmetic<X_>::value && std::is_arithmetic<Y_>::value, double>::type
pow(X_ x, Y_ y)
{
    return accel_clang_pow(static_cast<double>(x), static_cast<double>(y));
}
#undef ACCEL_POW_
#endif

#endif
