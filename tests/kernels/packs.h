/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of packs.k.c. */
#ifndef TEST_KERNELS_PACKS_H
#define TEST_KERNELS_PACKS_H
#include <stddef.h>
#include <stdint.h>

/* For all i < n: d[i] = 2 d[i] + 1 - d[i] / 4, f[i] = f[i] * f[i] - 3. sums[0] += all d before, sums[1] all f.
 * sums[2] = doubles in a pack. */
typedef struct {
    size_t n;
    double *d;
    float *f;
    double *sums;
} packs_args;

/* packs_order_T for the type T of a, b and out. For all i < n: out[i] = the lesser of a[i] and b[i], out[n + i] the
 * greater, out[2 n + i] = a[i] < b[i] ? a[i] + b[i] : a[i] - b[i], out[3 n + i] = a[i] * b[i]. counts[0] to [5] += how often
 * a is less, less or equal, equal, not equal, greater, not less; counts[6] += what masks say of themselves and is
 * not so. */
typedef struct {
    size_t n;
    const void *a, *b;
    void *out;
    uint32_t *counts;
} packs_order_args;

/* For all i < n: sums[i] = bytes[i] + words[i] + longs[i] + floats[i] + doubles[i], total[i] = the sum of those without a
 * sign, turned[i] = doubles[n - 1 - i], permuted[n - 1 - i] = floats[i]. Then bytes[i] = words[i] = longs[i] = 3 i - 70,
 * shorts[i] = 3 i. */
typedef struct {
    size_t n;
    int8_t *bytes;
    uint16_t *shorts;
    int32_t *words;
    uint32_t *unsigned_words;
    int64_t *longs;
    uint64_t *unsigned_longs;
    float *floats;
    double *doubles;
    double *sums;
    uint64_t *total;
    double *turned;
    float *permuted;
} packs_memory_args;

/* wrong[k] += how often function k of a pack is not that function of its numbers; of n numbers x between 0.01 and 0.99. */
typedef struct {
    size_t n;
    const double *x;
    uint32_t *wrong;
} packs_functions_args;
enum { PACKS_FUNCTIONS = 64 };

/* For all i < n: sums[3 i] = the sum of 32 products x[k] * y[k], k from 32 i, in the order of accel_pack_sum_of; the least
 * and the greatest x. The same for floats. */
typedef struct {
    size_t n;
    const double *x, *y;
    const float *u, *v;
    double *sums;
    float *float_sums;
} packs_sums_args;
enum { PACKS_SUMMED = 32 };

/* n squares of 16 x 16 numbers, one behind the other, are transposed in place. */
typedef struct {
    size_t n;
    double *doubles;
    float *floats;
    int64_t *longs;
    int32_t *words;
    uint64_t *unsigned_longs;
    uint32_t *unsigned_words;
} packs_transpose_args;
enum { PACKS_SIDE = 16 };

#endif
