/* SPDX-License-Identifier: Apache-2.0 */
/* y += a x; parameter 0 is n. With a = 1 and small whole numbers in x, y counts exactly how often it was done. */
#include <stdlib.h>

#include "way.h"

typedef struct axpy_state {
    size_t n;
    double a, *x, *y;
    double done; /* times */
} axpy_state;

static void close_axpy(void *state)
{
    axpy_state *s = state;
    native_release(s->x);
    native_release(s->y);
    free(s);
}

static double x_at(size_t i)
{
    return (double)(i % 7 + 1);
}

static axpy_state *allocate(size_t n)
{
    axpy_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (axpy_state){.n = n, .a = 1, .x = native_allocate(n, sizeof(double)), .y = native_allocate(n, sizeof(double))};
    if (s->x != NULL && s->y != NULL)
        return s;
    close_axpy(s);
    return NULL;
}

static void *open_serial(const uint64_t parameters[NATIVE_PARAMETERS])
{
    axpy_state *s = allocate(parameters[0]);
    for (size_t i = 0; s != NULL && i < s->n; ++i) {
        s->x[i] = x_at(i);
        s->y[i] = 0;
    }
    return s;
}

static void *open_parallel(const uint64_t parameters[NATIVE_PARAMETERS])
{
    axpy_state *s = allocate(parameters[0]);
    if (s == NULL)
        return NULL;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < s->n; ++i) {
        s->x[i] = x_at(i);
        s->y[i] = 0;
    }
    return s;
}

static __attribute__((noinline)) void serial(size_t n, double a, const double *x, double *y)
{
    for (size_t i = 0; i < n; ++i)
        y[i] += a * x[i];
}

static void run_serial(void *state, size_t repetitions)
{
    axpy_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        serial(s->n, s->a, s->x, s->y);
    s->done += (double)repetitions;
}

static __attribute__((noinline)) void parallel(size_t n, double a, const double *x, double *y)
{
#pragma omp parallel for simd schedule(static)
    for (size_t i = 0; i < n; ++i)
        y[i] += a * x[i];
}

static void run_parallel(void *state, size_t repetitions)
{
    axpy_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        parallel(s->n, s->a, s->x, s->y);
    s->done += (double)repetitions;
}

static bool check(void *state)
{
    const axpy_state *s = state;
    for (size_t i = 0; i < s->n; ++i)
        if (s->y[i] != s->done * x_at(i))
            return false;
    return true;
}

const native_way native_axpy_serial = {
    .name = "axpy-c", .open = open_serial, .run = run_serial, .check = check, .close = close_axpy};
const native_way native_axpy_parallel = {
    .name = "axpy-omp", .open = open_parallel, .run = run_parallel, .check = check, .close = close_axpy};
