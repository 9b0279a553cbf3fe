/* SPDX-License-Identifier: Apache-2.0 */
/* The functions whose errors are bounded, and the arguments of their kernels: double_NAME and float_NAME. */
#ifndef TEST_MATHEMATICS_FUNCTIONS_H
#define TEST_MATHEMATICS_FUNCTIONS_H
#include <stddef.h>

/* X(name): functions of one argument. */
#define MATHEMATICS_ONE(X)                                                                                             \
    X(acos)                                                                                                            \
    X(acosh)                                                                                                           \
    X(asin)                                                                                                            \
    X(asinh)                                                                                                           \
    X(atan)                                                                                                            \
    X(atanh)                                                                                                           \
    X(cbrt)                                                                                                            \
    X(cos)                                                                                                             \
    X(cosh)                                                                                                            \
    X(erf)                                                                                                             \
    X(erfc)                                                                                                            \
    X(exp)                                                                                                             \
    X(exp2)                                                                                                            \
    X(expm1)                                                                                                           \
    X(lgamma)                                                                                                          \
    X(log)                                                                                                             \
    X(log10)                                                                                                           \
    X(log1p)                                                                                                           \
    X(log2)                                                                                                            \
    X(rsqrt)                                                                                                           \
    X(sin)                                                                                                             \
    X(sinh)                                                                                                            \
    X(sqrt)                                                                                                            \
    X(tan)                                                                                                             \
    X(tanh)                                                                                                            \
    X(tgamma)                                                                                                          \
    X(ceil)                                                                                                            \
    X(floor)                                                                                                           \
    X(nearbyint)                                                                                                       \
    X(rint)                                                                                                            \
    X(round)                                                                                                           \
    X(trunc)

/* X(name): functions of two arguments. */
#define MATHEMATICS_TWO(X)                                                                                             \
    X(atan2)                                                                                                           \
    X(hypot)                                                                                                           \
    X(pow)                                                                                                             \
    X(fdim)                                                                                                            \
    X(fmax)                                                                                                            \
    X(fmin)                                                                                                            \
    X(fmod)                                                                                                            \
    X(remainder)

typedef struct {
    size_t n;
    const double *x, *y;
    double *out;
} double_args;

typedef struct {
    size_t n;
    const float *x, *y;
    float *out;
} float_args;

#endif
