/* SPDX-License-Identifier: Apache-2.0 */
/* Mathematics has the types of C++ on every target: the assertions hold when this compiles. Row i of values and counts
 * has what follows from x[i], y[i] and w[i]. Any work division. */
#include <accel/kernel.h>
#include "mathematics.h"

#define IS(T, ...) ACCEL_STATIC_ASSERT_(sizeof(__VA_ARGS__) == sizeof(T), "the type of " #__VA_ARGS__)
#define ONE(name)                                                                                                      \
    IS(float, name(x));                                                                                                \
    IS(double, name(d));                                                                                               \
    IS(float, name##f(x))
#define ONE_OR_INTEGER(name)                                                                                           \
    ONE(name);                                                                                                         \
    IS(double, name(i))
#define TWO(name)                                                                                                      \
    IS(float, name(x, x));                                                                                             \
    IS(double, name(d, d));                                                                                            \
    IS(double, name(x, d));                                                                                            \
    IS(double, name(d, x));                                                                                            \
    IS(double, name(x, i));                                                                                            \
    IS(double, name(i, i));                                                                                            \
    IS(float, name##f(x, x))
#define ORDER(name)                                                                                                    \
    IS(float, name(x, x));                                                                                             \
    IS(double, name(d, x));                                                                                            \
    IS(double, name(x, d));                                                                                            \
    IS(float, name(x, i));                                                                                             \
    IS(int32_t, name(i, i));                                                                                           \
    IS(uint32_t, name((uint32_t)i, i));                                                                                \
    IS(size_t, name(args.n, i));                                                                                       \
    IS(uint64_t, name(args.w[0], (int64_t)i))

ACCEL_FN void types(const mathematics_args args, float x, double d, int32_t i, int *exponent, float *whole)
{
    (void)args, (void)x, (void)d, (void)i, (void)exponent, (void)whole;
    ONE_OR_INTEGER(acos);
    ONE_OR_INTEGER(acosh);
    ONE_OR_INTEGER(asin);
    ONE_OR_INTEGER(asinh);
    ONE_OR_INTEGER(atan);
    ONE_OR_INTEGER(atanh);
    ONE_OR_INTEGER(cbrt);
    ONE_OR_INTEGER(ceil);
    ONE_OR_INTEGER(cos);
    ONE_OR_INTEGER(cosh);
    ONE_OR_INTEGER(erf);
    ONE_OR_INTEGER(erfc);
    ONE_OR_INTEGER(exp);
    ONE_OR_INTEGER(exp2);
    ONE_OR_INTEGER(expm1);
    ONE(fabs);
    ONE_OR_INTEGER(floor);
    ONE_OR_INTEGER(lgamma);
    ONE_OR_INTEGER(log);
    ONE_OR_INTEGER(log10);
    ONE_OR_INTEGER(log1p);
    ONE_OR_INTEGER(log2);
    ONE_OR_INTEGER(logb);
    ONE_OR_INTEGER(nearbyint);
    ONE_OR_INTEGER(rint);
    ONE_OR_INTEGER(round);
    ONE_OR_INTEGER(rsqrt);
    ONE_OR_INTEGER(sin);
    ONE_OR_INTEGER(sinh);
    ONE_OR_INTEGER(sqrt);
    ONE_OR_INTEGER(tan);
    ONE_OR_INTEGER(tanh);
    ONE_OR_INTEGER(tgamma);
    ONE_OR_INTEGER(trunc);
    TWO(atan2);
    TWO(copysign);
    TWO(fdim);
    TWO(fmax);
    TWO(fmin);
    TWO(fmod);
    TWO(hypot);
    TWO(nextafter);
    TWO(pow);
    TWO(remainder);
    ORDER(min);
    ORDER(max);
    IS(float, fma(x, x, x));
    IS(double, fma(x, x, d));
    IS(double, fma(x, x, i));
    IS(float, frexp(x, exponent));
    IS(double, frexp(d, exponent));
    IS(float, ldexp(x, 1));
    IS(double, ldexp(d, 1));
    IS(float, modf(x, whole));
    IS(double, modf(d, args.values));
    IS(float, remquo(x, x, exponent));
    IS(float, scalbn(x, 1));
    IS(int, ilogb(x));
    IS(long, lrint(x));
    IS(long, lround(d));
    IS(long long, llround(x));
    IS(float, abs(x));
    IS(double, abs(d));
    IS(int32_t, abs(i));
    IS(int64_t, abs((int64_t)i));
    IS(float, clamp(x, 0, 1));
    IS(double, clamp(x, 0.0, 1));
    IS(size_t, clamp(args.n, 0, 1));
}

ACCEL_KERNEL(mathematics, mathematics_args, args)
{
    ACCEL_FOR_EACH(acc, k, args.n) {
        const float x = args.x[k], y = args.y[k];
        const double d = (double)x;
        const int32_t i = (int32_t)args.w[k];
        const uint32_t u = (uint32_t)args.w[k];
        const uint64_t w = args.w[k];
        double *v = args.values + k * MATHEMATICS_VALUES;
        uint64_t *c = args.counts + k * MATHEMATICS_COUNTS;
        float whole = 0;
        int exponent = 0;
        types(args, x, d, i, &exponent, &whole);
        v[0] = (double)abs(x);
        v[1] = abs(d);
        v[2] = (double)abs(i | 1);
        v[3] = (double)sqrt(x); /* of a float: rounded to one */
        v[4] = sqrt(d);
        v[5] = (double)fabs(x);
        v[6] = (double)min(x, y);
        v[7] = (double)max(x, y);
        v[8] = min(d, y);
        v[9] = max(x, (double)y);
        v[10] = (double)min(i, (int32_t)7);
        v[11] = (double)max(i, (int32_t)-7);
        v[12] = (double)clamp(x, -1.0f, 1.0f);
        v[13] = (double)clamp(i, (int32_t)-1000, (int32_t)1000);
        v[14] = clamp(d, 0, y);
        v[15] = (double)fmin(x, y);
        v[16] = (double)fmax(x, y);
        v[17] = (double)floor(x);
        v[18] = (double)frexp(clamp(x, -1e30f, 1e30f), &exponent);
        v[19] = (double)exponent;
        v[20] = (double)modf(clamp(x, -1e30f, 1e30f), &whole);
        v[21] = (double)whole;
        v[22] = (double)copysign(x, y);
        v[23] = (double)fma(x, y, x);
        v[24] = (double)(isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * signbit(x));
        v[25] = (double)(isnan(d) + 2 * isinf(d) + 4 * isfinite(d) + 8 * signbit(d));
        v[26] = (double)lrint(clamp(x, -1000, 1000));
        v[27] = (double)rint(x);
        c[0] = accel_popcount(u);
        c[1] = accel_popcount(w);
        c[2] = accel_leading_zeros(u);
        c[3] = accel_leading_zeros(w);
        c[4] = accel_trailing_zeros(u);
        c[5] = accel_trailing_zeros(w);
        c[6] = accel_reverse_bits(u);
        c[7] = accel_reverse_bits(w);
        c[8] = accel_rotate_left(u, (uint32_t)k);
        c[9] = accel_rotate_left(w, (uint32_t)k);
        c[10] = accel_rotate_right(u, (uint32_t)k);
        c[11] = accel_rotate_right(w, (uint32_t)k);
        c[12] = accel_popcount(i);
        c[13] = (uint64_t)accel_rotate_left((int64_t)w, 1);
    }
}
