/* SPDX-License-Identifier: Apache-2.0 */
/* What a solver takes and returns: the same for the device and for the plain C reference. */
#ifndef CG_SOLUTION_H
#define CG_SOLUTION_H

#include "sparse_matrix.h"

typedef struct solver_options {
    size_t iterations; /* at most */
    double tolerance;  /* converged when |r| <= tolerance |r at the start| */
} solver_options;

typedef struct solution {
    double *x;         /* rows */
    double *history;   /* |r| / |r at the start| before iteration 1, after 1, 2, ...: iterations + 1 values */
    size_t iterations; /* done */
    bool converged;
    bool indefinite; /* stopped because p . A p <= 0: the matrix is not positive definite */
    double seconds;  /* of the iterations, without set-up and transfers */
} solution;

/* Allocates for as many iterations as the options allow; Returns false if there is no memory; then nothing is allocated. */
bool solution_allocate(solution *, size_t rows, const solver_options *);
void solution_free(solution *);

double seconds_now(void);

/* What one iteration moves and computes: compulsory memory traffic in bytes, each array of a kernel counted once (also
 * p in the product, although it is gathered), and additions and multiplications, each being one operation.
 *                        bytes                                                             operations
 *   A p                  entries * (8 value + 4 column) + (rows + 1) * 8 row start         2 entries
 *                        + rows * (8 p + 8 result)
 *   p . A p              rows * 16                                                         2 rows
 *   r . r                rows * 8                                                          2 rows
 *   x, r and p updated   3 * rows * (16 read + 8 written)                                  3 * 2 rows
 */
double iteration_bytes(const sparse_matrix *);
double iteration_flops(const sparse_matrix *);

#endif
