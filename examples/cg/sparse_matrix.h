/* SPDX-License-Identifier: Apache-2.0 */
/* Square sparse matrices in compressed rows (CSR), and the linear system made of one. */
#ifndef CG_SPARSE_MATRIX_H
#define CG_SPARSE_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Row i holds the entries row_start[i] to row_start[i + 1], columns ascending. */
typedef struct sparse_matrix {
    size_t rows;
    size_t entries;
    size_t *row_start; /* rows + 1 */
    uint32_t *column;  /* entries */
    double *value;     /* entries */
} sparse_matrix;

/* A x = b. */
typedef struct linear_system {
    sparse_matrix a;
    double *b;     /* rows */
    double *start; /* rows: where the iteration begins */
    double *exact; /* rows: the solution from which b was made; NULL if unknown */
} linear_system;

/* Allocates the arrays, uninitialised. Returns false if there is no memory; then nothing is allocated. */
bool sparse_matrix_allocate(sparse_matrix *, size_t rows, size_t entries);
void linear_system_free(linear_system *);

/* y = A x in plain C. */
void sparse_matrix_multiply(const sparse_matrix *, const double *x, double *y);
/* The largest sum of a row's absolute values. */
double sparse_matrix_norm(const sparse_matrix *);
/* The entry at (row, column); 0 where none is stored. */
double sparse_matrix_at(const sparse_matrix *, size_t row, size_t column);
/* Finds an entry that differs from its mirror image by more than rounding. Returns false if there is none. */
bool sparse_matrix_find_asymmetry(const sparse_matrix *, size_t *row, size_t *column);

#endif
