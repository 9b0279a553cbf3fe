/* SPDX-License-Identifier: Apache-2.0 */
/* The product in plain C, and how far from it another one may be. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

/* C = A * B, square matrices of n dense rows. */
void reference_multiply(size_t n, const double *a, const double *b, double *c);

/* The largest distance of two products of A and B, which were computed in any order, as a fraction of what rounding alone
 * may cause (README.md says why). Infinite where a number is none. false: no memory. */
bool reference_distance(size_t n, const double *a, const double *b, const double *c, const double *d, double *fraction);

#endif
