/* SPDX-License-Identifier: Apache-2.0 */
/* cuBLAS, opened at run time: no header of CUDA is needed, and the program is built on machines without it. */
#ifndef CUBLAS_H
#define CUBLAS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cublas {
    void *library; /* dlopen's; NULL: it is not open */
    void *handle;  /* NULL: none was made */
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, void *stream);
    int (*dgemm)(void *handle, int transpose_a, int transpose_b, int m, int n, int k, const double *alpha,
                 const double *a, int a_pitch, const double *b, int b_pitch, const double *beta, double *c,
                 int c_pitch);
} cublas;

/* name NULL: that of CUDA 13, 12 or 11. false: there is no such library, or a function is missing in it, and dlerror has
 * the reason. */
bool cublas_open(cublas *, const char *name);
/* Lets it work in the stream, for the calling thread's current context. 0, or the status of cuBLAS. */
int cublas_use(cublas *, void *stream);
/* Submits C = A * B to the stream: square matrices with n rows, which are `pitch` numbers apart, in the device's memory. 0,
 * or the status of cuBLAS. */
int cublas_multiply(const cublas *, size_t n, size_t pitch, const double *a, const double *b, double *c);
/* Also of one that is not open. Before the device's context ends. */
void cublas_close(cublas *);

#endif
