/* SPDX-License-Identifier: Apache-2.0 */
/* A BLAS for the tests of examples: its products of row-major matrices lack the last term of the first number. */
#include <stddef.h>

__attribute__((visibility("default"))) void cblas_dgemm(int order, int transpose_a, int transpose_b, int m, int n,
                                                        int k, double alpha, const double *a, int a_pitch,
                                                        const double *b, int b_pitch, double beta, double *c,
                                                        int c_pitch);

void cblas_dgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha, const double *a,
                 int a_pitch, const double *b, int b_pitch, double beta, double *c, int c_pitch)
{
    (void)order;
    (void)transpose_a;
    (void)transpose_b;
    for (size_t i = 0; i < (size_t)m; ++i)
        for (size_t j = 0; j < (size_t)n; ++j) {
            double sum = 0;
            for (size_t l = 0; l < (size_t)k - (i + j == 0); ++l)
                sum += a[i * (size_t)a_pitch + l] * b[l * (size_t)b_pitch + j];
            double *const to = &c[i * (size_t)c_pitch + j];
            *to = alpha * sum + (beta == 0 ? 0 : beta * *to);
        }
}
