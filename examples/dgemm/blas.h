/* SPDX-License-Identifier: Apache-2.0 */
/* OpenBLAS, or another library with the same functions. It is opened at run time, so the program is built without it. */
#ifndef BLAS_H
#define BLAS_H

#include <stdbool.h>
#include <stddef.h>

#define BLAS_USUAL "libopenblas.so.0"

typedef struct blas {
    void *library; /* dlopen's; NULL: it is not open */
    void (*dgemm)(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha, const double *a,
                  int a_pitch, const double *b, int b_pitch, double beta, double *c, int c_pitch);
    int threads;      /* 0: it does not tell */
    const char *core; /* the kind of CPU that it was tuned for; "" if it does not tell */
} blas;

/* false: there is no such library, or no cblas_dgemm in it, and dlerror has the reason. */
bool blas_open(blas *, const char *name);
/* C = A * B, square matrices of n dense rows. */
void blas_multiply(const blas *, size_t n, const double *a, const double *b, double *c);
/* Also of one that is not open. */
void blas_close(blas *);

#endif
