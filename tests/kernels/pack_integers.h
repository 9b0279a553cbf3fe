/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of pack_integers.k.c. */
#ifndef TEST_KERNELS_PACK_INTEGERS_H
#define TEST_KERNELS_PACK_INTEGERS_H
#include <stddef.h>

/* pack_integers_T for the type T of a, b, out and folds. n pieces of 32 numbers each; in piece i, for all j < 32:
 *
 *     row 0 to 7 of out    a / b, a % b, a & b, a | b, a ^ b, ~a, (a & 1023) << b, a >> b
 *     row 8                a[31 - j] of the piece, by an index without a sign
 *     row 9                the same, scattered by such an index
 *     row 10               place j % 5 has the last of those j, scattered by an index with a sign; the other places stay
 *
 * folds[4 i] = the sum of what accel_pack_sum gives for each pack; then what accel_pack_sum_of gives, the least and the
 * greatest a. 1 <= b < 20. */
typedef struct {
    size_t n;
    const void *a, *b;
    void *out;
    void *folds;
} pack_integers_args;
enum { PACK_PIECE = 32, PACK_ROWS = 11, PACK_FOLDS = 4, PACK_CELLS = 5 };

/* pack_conversions_32 and _64. Rows of n numbers: `in` has integers with and without a sign, numbers, and those not below 0.
 * `out` has, in this order, what a row becomes:
 *
 *     row 0, 1    the integers as float or double
 *     row 2, 3    row 2 of `in` as integers with a sign, row 3 as integers without
 *     row 4, 5    row 1 of `in` as integers with a sign, row 0 as integers without */
typedef struct {
    size_t n;
    const void *in;
    void *out;
} pack_conversions_args;
enum { PACK_CONVERTED = 4, PACK_CONVERSIONS = 6 };

#endif
