/* SPDX-License-Identifier: Apache-2.0 */
/* The ways of OpenBLAS, in a program of their own, built where it is installed. */
#include <cblas.h>
#include <stdlib.h>

#include "way.h"

/* C = A B, with parameter 0 as n, in rows. */
typedef struct gemm_state {
    size_t n, size;
    void *a, *b, *c;
} gemm_state;

static void close_gemm(void *state)
{
    gemm_state *s = state;
    native_release(s->a);
    native_release(s->b);
    native_release(s->c);
    free(s);
}

static void *open_gemm(size_t n, size_t size)
{
    const size_t elements = n * n;
    gemm_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (gemm_state){.n = n,
                      .size = size,
                      .a = native_allocate(elements, size),
                      .b = native_allocate(elements, size),
                      .c = native_allocate(elements, size)};
    if (s->a == NULL || s->b == NULL || s->c == NULL) {
        close_gemm(s);
        return NULL;
    }
    return s;
}

static double a_at(size_t i)
{
    return (double)(i % 11) - 5;
}

static double b_at(size_t i)
{
    return (double)(i % 13) - 6;
}

static void *open_dgemm(const uint64_t parameters[NATIVE_PARAMETERS])
{
    gemm_state *s = open_gemm(parameters[0], sizeof(double));
    for (size_t i = 0; s != NULL && i < s->n * s->n; ++i) {
        ((double *)s->a)[i] = a_at(i);
        ((double *)s->b)[i] = b_at(i);
        ((double *)s->c)[i] = 0;
    }
    return s;
}

static void *open_sgemm(const uint64_t parameters[NATIVE_PARAMETERS])
{
    gemm_state *s = open_gemm(parameters[0], sizeof(float));
    for (size_t i = 0; s != NULL && i < s->n * s->n; ++i) {
        ((float *)s->a)[i] = (float)a_at(i);
        ((float *)s->b)[i] = (float)b_at(i);
        ((float *)s->c)[i] = 0;
    }
    return s;
}

static void run_dgemm(void *state, size_t repetitions)
{
    const gemm_state *s = state;
    const blasint n = (blasint)s->n;
    for (size_t r = 0; r < repetitions; ++r)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, s->a, n, s->b, n, 0, s->c, n);
}

static void run_sgemm(void *state, size_t repetitions)
{
    const gemm_state *s = state;
    const blasint n = (blasint)s->n;
    for (size_t r = 0; r < repetitions; ++r)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, s->a, n, s->b, n, 0, s->c, n);
}

/* Freivalds with v = 1, 2, ...: small whole numbers, so that both sides are exact. */
static bool check_gemm(void *state)
{
    const gemm_state *s = state;
    const size_t n = s->n;
    double *bv = malloc(n * sizeof *bv);
    bool good = bv != NULL;
    for (size_t i = 0; good && i < n; ++i) {
        bv[i] = 0;
        for (size_t j = 0; j < n; ++j)
            bv[i] += b_at(i * n + j) * (double)(j % 1021 + 1);
    }
    for (size_t i = 0; good && i < n; ++i) {
        double left = 0, right = 0;
        for (size_t j = 0; j < n; ++j) {
            const size_t k = i * n + j;
            left += (s->size == sizeof(float) ? (double)((const float *)s->c)[k] : ((const double *)s->c)[k]) *
                    (double)(j % 1021 + 1);
            right += a_at(k) * bv[j];
        }
        good = left == right;
    }
    free(bv);
    return good;
}

static const native_way dgemm = {
    .name = "dgemm", .open = open_dgemm, .run = run_dgemm, .check = check_gemm, .close = close_gemm};
static const native_way sgemm = {
    .name = "sgemm", .open = open_sgemm, .run = run_sgemm, .check = check_gemm, .close = close_gemm};
const native_way *const native_ways[] = {&dgemm, &sgemm, NULL};
