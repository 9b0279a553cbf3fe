/* SPDX-License-Identifier: Apache-2.0 */
/* c = a + b of n * n * n elements with OpenMP over the outer loops; parameter 0 is n. */
#include <stdlib.h>

#include "way.h"

typedef struct tensor_state {
    size_t n;
    double *a, *b, *c;
} tensor_state;

static double a_at(size_t i)
{
    return (double)(i % 1021);
}

static double b_at(size_t i)
{
    return (double)(i % 509) / 2;
}

static void close_tensor(void *state)
{
    tensor_state *s = state;
    native_release(s->a);
    native_release(s->b);
    native_release(s->c);
    free(s);
}

static void *open_tensor(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0], elements = n * n * n;
    tensor_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (tensor_state){.n = n,
                        .a = native_allocate(elements, sizeof(double)),
                        .b = native_allocate(elements, sizeof(double)),
                        .c = native_allocate(elements, sizeof(double))};
    if (s->a == NULL || s->b == NULL || s->c == NULL) {
        close_tensor(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < elements; ++i) {
        s->a[i] = a_at(i);
        s->b[i] = b_at(i);
        s->c[i] = 0;
    }
    return s;
}

static __attribute__((noinline)) void add(size_t n, const double *a, const double *b, double *c)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            for (size_t k = 0; k < n; ++k)
                c[(i * n + j) * n + k] = a[(i * n + j) * n + k] + b[(i * n + j) * n + k];
}

static void run_add(void *state, size_t repetitions)
{
    const tensor_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        add(s->n, s->a, s->b, s->c);
}

static bool check(void *state)
{
    const tensor_state *s = state;
    for (size_t i = 0; i < s->n * s->n * s->n; ++i)
        if (s->c[i] != a_at(i) + b_at(i))
            return false;
    return true;
}

const native_way native_tensor = {
    .name = "tensor-omp", .open = open_tensor, .run = run_add, .check = check, .close = close_tensor};
