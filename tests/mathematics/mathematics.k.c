/* SPDX-License-Identifier: Apache-2.0 */
/* One kernel per function and type: out[i] = f(x[i]), or f(x[i], y[i]). Any work division. The last kernel is only
 * compiled. */
#include <accel/kernel.h>
#include "functions.h"

#define KERNEL_NAME(T, f) T##_##f
#define KERNEL(T, f, ...)                                                                                              \
    ACCEL_KERNEL(KERNEL_NAME(T, f), T##_args, args)                                                                    \
    {                                                                                                                  \
        ACCEL_FOR_EACH(acc, i, args.n)                                                                                 \
            args.out[i] = f(__VA_ARGS__);                                                                              \
    }
#define ONE(f) KERNEL(double, f, args.x[i]) KERNEL(float, f, args.x[i])
#define TWO(f) KERNEL(double, f, args.x[i], args.y[i]) KERNEL(float, f, args.x[i], args.y[i])

MATHEMATICS_ONE(ONE)
MATHEMATICS_TWO(TWO)

/* Overloads for integers and for numbers of two types, and those of functions that have no bound. */
#define INTEGER_ONE(f) +f((int)args.n)
#define INTEGER_TWO(f) +f((int)args.n, x) + f(x, 2) + f(d, x) + f(d, args.n)
ACCEL_KERNEL(integers, double_args, args)
{
    const double d = args.x[0];
    const float x = (float)d;
    int n = 0;
    float whole = 0;
    double whole_double = 0;
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.out[i] = 0 MATHEMATICS_ONE(INTEGER_ONE) MATHEMATICS_TWO(INTEGER_TWO);
        args.out[i] += fma(x, d, 2) + (double)fma(x, x, x) + fabs(d) + (double)abs(x) + (double)abs(n);
        args.out[i] +=
            (double)frexp(x, &n) + frexp(d, &n) + (double)ldexp(x, n) + ldexp(d, n) + (double)modf(x, &whole);
        args.out[i] += modf(d, &whole_double) + (double)remquo(x, x, &n) + remquo(d, d, &n) + (double)scalbn(x, n);
        args.out[i] +=
            (double)copysign(x, x) + copysign(d, d) + (double)nextafter(x, whole) + nextafter(d, whole_double);
        args.out[i] += (double)logb(x) + logb(d) + scalbn(d, n);
        args.out[i] += (double)(ilogb(x) + ilogb(d) + lrint(x) + lrint(d) + lround(x) + lround(d));
        args.out[i] += (double)(llrint(x) + llrint(d) + llround(x) + llround(d));
        args.out[i] += (double)(isnan(x) + isinf(x) + isfinite(x) + signbit(x));
        args.out[i] += (double)(isnan(d) + isinf(d) + isfinite(d) + signbit(d));
    }
}
