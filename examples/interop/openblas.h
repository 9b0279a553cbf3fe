/* SPDX-License-Identifier: Apache-2.0 */
/* OpenBLAS, opened at run time, so the program is built without it. */
#ifndef OPENBLAS_H
#define OPENBLAS_H

#include <stdbool.h>
#include <stddef.h>

#define OPENBLAS_USUAL "libopenblas.so.0"

typedef struct openblas {
    void *library; /* dlopen's; NULL: it is not open */
    void (*dgemm)(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha, const double *a,
                  int a_pitch, const double *b, int b_pitch, double beta, double *c, int c_pitch);
} openblas;

/* false: there is no such library, or no cblas_dgemm in it, and dlerror has the reason. */
bool openblas_open(openblas *, const char *name);
/* C = A * B, square matrices with n rows, which are `pitch` numbers apart, in the host's memory. */
void openblas_multiply(const openblas *, size_t n, size_t pitch, const double *a, const double *b, double *c);
/* Also of one that is not open. */
void openblas_close(openblas *);

#endif
