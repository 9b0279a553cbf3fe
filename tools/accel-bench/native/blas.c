/* SPDX-License-Identifier: Apache-2.0 */
/* The ways of OpenBLAS, in a program of their own, built where it is installed. */
#include <cblas.h>
#include <stdlib.h>

#include "way.h"

/* C = A B with parameter 0 as n, in rows. */
typedef struct dgemm_state {
    size_t n;
    double *a, *b, *c;
} dgemm_state;

static void close_dgemm(void *state)
{
    dgemm_state *s = state;
    native_release(s->a);
    native_release(s->b);
    native_release(s->c);
    free(s);
}

static void *open_dgemm(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0], elements = n * n;
    dgemm_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (dgemm_state){.n = n,
                       .a = native_allocate(elements, sizeof(double)),
                       .b = native_allocate(elements, sizeof(double)),
                       .c = native_allocate(elements, sizeof(double))};
    if (s->a == NULL || s->b == NULL || s->c == NULL) {
        close_dgemm(s);
        return NULL;
    }
    for (size_t i = 0; i < elements; ++i) {
        s->a[i] = (double)(i % 11) - 5;
        s->b[i] = (double)(i % 13) - 6;
        s->c[i] = 0;
    }
    return s;
}

static void run_dgemm(void *state, size_t repetitions)
{
    const dgemm_state *s = state;
    const blasint n = (blasint)s->n;
    for (size_t r = 0; r < repetitions; ++r)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, s->a, n, s->b, n, 0, s->c, n);
}

/* Freivalds with v = 1, 2, ...: small whole numbers, so that both sides are exact. */
static bool check_dgemm(void *state)
{
    const dgemm_state *s = state;
    const size_t n = s->n;
    double *bv = malloc(n * sizeof *bv);
    bool good = bv != NULL;
    for (size_t i = 0; good && i < n; ++i) {
        bv[i] = 0;
        for (size_t j = 0; j < n; ++j)
            bv[i] += s->b[i * n + j] * (double)(j % 1021 + 1);
    }
    for (size_t i = 0; good && i < n; ++i) {
        double left = 0, right = 0;
        for (size_t j = 0; j < n; ++j) {
            left += s->c[i * n + j] * (double)(j % 1021 + 1);
            right += s->a[i * n + j] * bv[j];
        }
        good = left == right;
    }
    free(bv);
    return good;
}

static const native_way dgemm = {
    .name = "dgemm", .open = open_dgemm, .run = run_dgemm, .check = check_dgemm, .close = close_dgemm};
const native_way *const native_ways[] = {&dgemm, NULL};
