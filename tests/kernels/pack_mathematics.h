/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of pack_mathematics.k.c, and its functions. */
#ifndef TEST_KERNELS_PACK_MATHEMATICS_H
#define TEST_KERNELS_PACK_MATHEMATICS_H
#include <stddef.h>

/* X(function, argument): row after row of the result. -1 < x < 1, and no argument is rounded but by an addition. */
#define PACK_MATHEMATICS_ONE(X)                                                                                        \
    X(acos, x)                                                                                                         \
    X(acosh, 2 + x)                                                                                                    \
    X(asin, x)                                                                                                         \
    X(asinh, 8 * x)                                                                                                    \
    X(atan, 8 * x)                                                                                                     \
    X(atanh, x)                                                                                                        \
    X(cbrt, 8 * x)                                                                                                     \
    X(cos, 8 * x)                                                                                                      \
    X(cosh, 8 * x)                                                                                                     \
    X(erf, 2 * x)                                                                                                      \
    X(erfc, 4 * x)                                                                                                     \
    X(exp2, 8 * x)                                                                                                     \
    X(expm1, 2 * x)                                                                                                    \
    X(log10, 2 + x)                                                                                                    \
    X(log1p, x)                                                                                                        \
    X(log2, 2 + x)                                                                                                     \
    X(sinh, 8 * x)                                                                                                     \
    X(tan, x)
/* X(function, first argument, second argument): the rows behind those. */
#define PACK_MATHEMATICS_TWO(X) X(atan2, x, y)
enum { PACK_MATHEMATICS_ROWS = 19 };

/* out[n * row + i] = the row's function of x = x[i] and y = y[i], of floats or of doubles. */
typedef struct {
    size_t n;
    const void *x, *y;
    void *out;
} pack_mathematics_args;

#endif
