/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/distribution.h - normal, exponential and integer-range numbers, the same bits on every target.
 *
 * All of it is integer arithmetic on fixed-point numbers. The last step converts an integer and scales it by a power of
 * two, which is exact. So no function of the mathematics library is called, and neither contraction nor -ffast-math
 * changes a bit. Qm.n is an unsigned integer that counts units of 2^-n and has m bits above the point.
 *
 * Every function takes a fixed number of random words and rejects none, so counters stay in step whatever they are.
 *
 *  - Normal: Box and Muller, "A note on the generation of random normal deviates" (1958). The angle is taken in one
 *    quadrant, and two further bits give the signs.
 *  - Exponential: inversion, -ln(u).
 *  - Integer range: the upper half of a product, Lemire, "Fast random integer generation in an interval" (2019). Twice
 *    as many random bits as the result has take the place of its rejection.
 *  - Logarithm, sine and the first guess of 1 / sqrt are polynomials through Chebyshev points; their errors stand at
 *    each. Newton's iteration makes the root exact enough.
 *
 * tests/conformance/kernel_distribution.c compares them with the C library and pins their bits.
 */
#ifndef ACCEL_KERNEL_DISTRIBUTION_H
#define ACCEL_KERNEL_DISTRIBUTION_H

#include <accel/kernel/bits.h>
#include <accel/kernel/philox.h>

typedef struct accel_normal_floats {
    float v[4];
} accel_normal_floats;

typedef struct accel_normal_doubles {
    double v[2];
} accel_normal_doubles;

/* ---------------------------------------------------------------------------------------- fixed point -- */

/* The upper half of a product. */
ACCEL_INLINE_ uint32_t accel_high_32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}
ACCEL_INLINE_ uint64_t accel_high_64(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__) && defined(ACCEL_KERNEL_CPU_H)
    __extension__ typedef unsigned __int128 accel_product;
    return (uint64_t)((accel_product)a * b >> 64);
#else
    const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    const uint64_t middle = ah * bl + (al * bl >> 32);
    return ah * bh + (middle >> 32) + ((al * bh + (uint32_t)middle) >> 32);
#endif
}

/* -ln((word + 1/2) / 2^32) as Q5.32. With u = 2^-(zeros + 1) (1 + f) it is (zeros + 1) ln 2 - ln(1 + f); the polynomial
 * is ln(1 + f) / f, to 2^-35. */
ACCEL_INLINE_ uint64_t accel_minus_log_32(uint32_t word)
{
    const uint32_t zeros = accel_leading_zeros_32(word);
    const uint32_t f = (uint32_t)(((uint64_t)word << 1 | 1) << zeros);
    uint32_t p = 0x001a0d0e;
    p = 0x00c663d5 - accel_high_32(p, f);
    p = 0x02c488ff - accel_high_32(p, f);
    p = 0x0648fcf5 - accel_high_32(p, f);
    p = 0x0a832d0c - accel_high_32(p, f);
    p = 0x0e6cfe56 - accel_high_32(p, f);
    p = 0x11cdfb9f - accel_high_32(p, f);
    p = 0x153b4261 - accel_high_32(p, f);
    p = 0x1995f95f - accel_high_32(p, f);
    p = 0x1fffb1dd - accel_high_32(p, f);
    p = 0x2aaaa734 - accel_high_32(p, f);
    p = 0x3ffffff0 - accel_high_32(p, f);
    p = 0x80000000 - accel_high_32(p, f);
    const uint64_t whole = (zeros + 1) * (uint64_t)0xb17217f8; /* ln 2 */
    const uint64_t part = (uint64_t)p * f >> 31;
    return whole > part ? whole - part : 0;
}

/* -ln((x + 1/2) / 2^64) as Q6.57, in the same way; the polynomial to 2^-64. */
ACCEL_INLINE_ uint64_t accel_minus_log_64(uint64_t x)
{
    const uint32_t zeros = accel_leading_zeros_64(x);
    const uint64_t f = zeros == 64 ? 0 : (x << 1 | 1) << zeros;
    uint64_t p = 0x00003a17664e23d8;
    p = 0x0002f6b80d416ec5 - accel_high_64(p, f);
    p = 0x0012763ccddc66d4 - accel_high_64(p, f);
    p = 0x004943765c561b26 - accel_high_64(p, f);
    p = 0x00d1138b31547df7 - accel_high_64(p, f);
    p = 0x01cc4e743efec759 - accel_high_64(p, f);
    p = 0x0335c1ca456a2436 - accel_high_64(p, f);
    p = 0x04d7bb59fc9d0f68 - accel_high_64(p, f);
    p = 0x066a35384ccffd39 - accel_high_64(p, f);
    p = 0x07be1b5b764fd080 - accel_high_64(p, f);
    p = 0x08d017fe4dce1207 - accel_high_64(p, f);
    p = 0x09bb68af5502fd92 - accel_high_64(p, f);
    p = 0x0aa262f75d075cf4 - accel_high_64(p, f);
    p = 0x0ba101b1e5b8fffb - accel_high_64(p, f);
    p = 0x0ccc73632d6d61b3 - accel_high_64(p, f);
    p = 0x0e38d6abde670438 - accel_high_64(p, f);
    p = 0x0ffffe9366d9e1e9 - accel_high_64(p, f);
    p = 0x124924744a640929 - accel_high_64(p, f);
    p = 0x155555539222927f - accel_high_64(p, f);
    p = 0x1999999987bd0ce9 - accel_high_64(p, f);
    p = 0x1fffffffff905598 - accel_high_64(p, f);
    p = 0x2aaaaaaaaaa936a3 - accel_high_64(p, f);
    p = 0x3ffffffffffffe11 - accel_high_64(p, f);
    p = 0x8000000000000000 - accel_high_64(p, f);
    const uint64_t whole = (zeros + 1) * (uint64_t)0x0162e42fefa39ef3; /* ln 2 */
    const uint64_t part = accel_high_64(p, f) >> 6;
    return whole > part ? whole - part : 0;
}

/* sin(pi/2 t), t as Q0.32, as Q1.31. The polynomial is sin(pi/2 t) / t in t * t, to 2^-35. */
ACCEL_INLINE_ uint32_t accel_quadrant_32(uint32_t t)
{
    const uint32_t z = accel_high_32(t, t);
    uint32_t p = 0x00001cca;
    p = 0x00054050 - accel_high_32(p, z);
    p = 0x00996897 - accel_high_32(p, z);
    p = 0x0a335e03 - accel_high_32(p, z);
    p = 0x52aef394 - accel_high_32(p, z);
    p = 0xc90fdaa2 - accel_high_32(p, z);
    return accel_high_32(p, t);
}

/* The same with 64 bits, to 2^-70. */
ACCEL_INLINE_ uint64_t accel_quadrant_64(uint64_t t)
{
    const uint64_t z = accel_high_64(t, t);
    uint64_t p = 0x000000000005fb53;
    p = 0x00000000035577c7 - accel_high_64(p, z);
    p = 0x000000016fad4888 - accel_high_64(p, z);
    p = 0x0000007a3d0ce381 - accel_high_64(p, z);
    p = 0x00001e3074fdc521 - accel_high_64(p, z);
    p = 0x000541e0d21fb066 - accel_high_64(p, z);
    p = 0x009969667315eab9 - accel_high_64(p, z);
    p = 0x0a335e33bad570cc - accel_high_64(p, z);
    p = 0x52aef39896f94afa - accel_high_64(p, z);
    p = 0xc90fdaa22168c235 - accel_high_64(p, z);
    return accel_high_64(p, t);
}

/* y = 1 / sqrt(x) as Q2.30, x as Q0.32 and at least 1/4. A polynomial as Q6.26 to 2^-9, then y = y (3 - x y y) / 2. */
ACCEL_INLINE_ uint32_t accel_inverse_root(uint32_t x)
{
    uint32_t p = 0x1643f9e3;
    p = 0x54cca42c - accel_high_32(p, x);
    p = 0x82f570d4 - accel_high_32(p, x);
    p = 0x69a78d5e - accel_high_32(p, x);
    p = 0x307a3d85 - accel_high_32(p, x);
    p = 0x0f3efe19 - accel_high_32(p, x);
    uint64_t y = (uint64_t)p << 4;
    y = y * ((((uint64_t)3 << 62) - x * (y * y >> 30)) >> 32) >> 31;
    y = y * ((((uint64_t)3 << 62) - x * (y * y >> 30)) >> 32) >> 31;
    return (uint32_t)y;
}

/* sqrt(2 l) as Q3.29, l as Q5.32. */
ACCEL_INLINE_ uint32_t accel_radius_32(uint64_t l)
{
    const uint64_t square = l << 1 | 1;
    const uint32_t shift = accel_leading_zeros_64(square) & 62;
    const uint32_t x = (uint32_t)(square << shift >> 32);
    return (uint32_t)((uint64_t)x * accel_inverse_root(x) >> 30 >> (shift / 2 - 13));
}

/* sqrt(2 l) as Q4.60, l as Q6.57. One more step of Newton's, with y as Q2.62. */
ACCEL_INLINE_ uint64_t accel_radius_64(uint64_t l)
{
    const uint64_t square = l | 1;
    const uint32_t shift = accel_leading_zeros_64(square) & 62;
    const uint64_t x = square << shift;
    uint64_t y = (uint64_t)accel_inverse_root((uint32_t)(x >> 32)) << 32;
    y = accel_high_64(y, ((uint64_t)3 << 60) - accel_high_64(x, accel_high_64(y, y))); /* Q5.59 */
    return accel_high_64(x, y) << 5 >> (shift / 2);
}

/* The sign of an even word is plus. */
ACCEL_INLINE_ float accel_signed_float(uint64_t product, uint32_t sign)
{
    return (float)(sign % 2 == 0 ? (int64_t)product : -(int64_t)product) * 0x1p-60f;
}
ACCEL_INLINE_ double accel_signed_double(uint64_t product, uint64_t sign)
{
    return (double)(sign % 2 == 0 ? (int64_t)product : -(int64_t)product) * 0x1p-59;
}

/* --------------------------------------------------------------------------------------- distributions -- */

/* Four independent numbers of mean 0 and standard deviation 1 from four words, of at most 6.8 to either side. Those not
 * used cost nothing, but 0 and 1 come from the same two words, and so do 2 and 3. */
ACCEL_INLINE_ accel_normal_floats accel_normal_float(const accel_philox_words words)
{
    accel_normal_floats normal;
    for (int i = 0; i < 4; i += 2) {
        const uint64_t radius = accel_radius_32(accel_minus_log_32(words.v[i]));
        const uint32_t angle = words.v[i + 1];
        const uint32_t t = angle << 2 | 2;
        normal.v[i] = accel_signed_float(radius * accel_quadrant_32(t), angle >> 31);
        normal.v[i + 1] = accel_signed_float(radius * accel_quadrant_32(0 - t), angle >> 30);
    }
    return normal;
}

/* Two of them from four words, of at most 9.5 to either side. */
ACCEL_INLINE_ accel_normal_doubles accel_normal_double(const accel_philox_words words)
{
    const uint64_t radius = accel_radius_64(accel_minus_log_64((uint64_t)words.v[0] << 32 | words.v[1]));
    const uint64_t angle = (uint64_t)words.v[2] << 32 | words.v[3];
    const uint64_t t = angle << 2 | 2;
    const accel_normal_doubles normal = {
        {accel_signed_double(accel_high_64(radius, accel_quadrant_64(t)), angle >> 63),
         accel_signed_double(accel_high_64(radius, accel_quadrant_64(0 - t)), angle >> 62)}};
    return normal;
}

/* A number of mean 1, at least 0: a multiple of 2^-32 up to 22.9, and one of 2^-57 up to 45.1. */
ACCEL_INLINE_ float accel_exponential_float(uint32_t word)
{
    return (float)(int64_t)accel_minus_log_32(word) * 0x1p-32f;
}
ACCEL_INLINE_ double accel_exponential_double(uint32_t high, uint32_t low)
{
    return (double)(int64_t)accel_minus_log_64((uint64_t)high << 32 | low) * 0x1p-57;
}

/* An integer in [0, n), or any word if n is 0: floor(words * n / 2^64), of the two words as one number of 64 bits. No
 * result is likelier or less likely than 1 / n by more than 2^-64. */
ACCEL_INLINE_ uint32_t accel_range_32(uint32_t high, uint32_t low, uint32_t n)
{
    return n == 0 ? high : (uint32_t)(((uint64_t)high * n + accel_high_32(low, n)) >> 32);
}

/* The same with 64 bits, from four words: floor(words * n / 2^128), to 2^-128. */
ACCEL_INLINE_ uint64_t accel_range_64(const accel_philox_words words, uint64_t n)
{
    const uint64_t high = (uint64_t)words.v[0] << 32 | words.v[1];
    const uint64_t low = accel_high_64((uint64_t)words.v[2] << 32 | words.v[3], n);
    return n == 0 ? high : accel_high_64(high, n) + (high * n + low < low);
}

#endif
