/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in loops with OpenMP, as they are called by themselves, and by the C library's vector functions. Parameter 0 is n. */
#include <math.h>
#include <stdlib.h>

#include "../cases/mathematics_values.h"
#include "way.h"

typedef struct mathematics_state {
    size_t n;
    float *float_x, *float_y;
    double *x, *y;
} mathematics_state;

static void close_mathematics(void *state)
{
    mathematics_state *s = state;
    native_release(s->float_x);
    native_release(s->float_y);
    native_release(s->x);
    native_release(s->y);
    free(s);
}

static void *open_mathematics(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0];
    mathematics_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (mathematics_state){.n = n,
                             .float_x = native_allocate(n, sizeof(float)),
                             .float_y = native_allocate(n, sizeof(float)),
                             .x = native_allocate(n, sizeof(double)),
                             .y = native_allocate(n, sizeof(double))};
    if (s->float_x == NULL || s->float_y == NULL || s->x == NULL || s->y == NULL) {
        close_mathematics(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) {
        s->float_x[i] = (float)mathematics_x(i);
        s->float_y[i] = 0;
        s->x[i] = mathematics_x(i);
        s->y[i] = 0;
    }
    return s;
}

static bool check_exponentials(void *state)
{
    const mathematics_state *s = state;
    for (size_t i = 0; i < s->n; ++i)
        if (!mathematics_is_exp(s->float_y[i], i))
            return false;
    return true;
}

static bool check_logarithms(void *state)
{
    const mathematics_state *s = state;
    for (size_t i = 0; i < s->n; ++i)
        if (!mathematics_is_log(s->y[i], i))
            return false;
    return true;
}

/* The pointers are locals, so that the compiler knows that no store changes them. */
#define LOOP(name, type, from, to, function)                                                                           \
    static __attribute__((noinline)) void name(size_t n, const type *x, type *y)                                       \
    {                                                                                                                  \
        _Pragma("omp parallel for simd schedule(static)") for (size_t i = 0; i < n; ++i) y[i] = function(x[i]);        \
    }                                                                                                                  \
    static void run_##name(void *state, size_t repetitions)                                                            \
    {                                                                                                                  \
        mathematics_state *s = state;                                                                                  \
        for (size_t r = 0; r < repetitions; ++r)                                                                       \
            name(s->n, s->from, s->to);                                                                                \
    }

#define WAY(symbol, text, runs, checks)                                                                                \
    const native_way symbol = {                                                                                        \
        .name = text, .open = open_mathematics, .run = runs, .check = checks, .close = close_mathematics}

LOOP(exponentials, float, float_x, float_y, expf)
LOOP(logarithms, double, x, y, log)
WAY(native_exponentials, "expf-omp", run_exponentials, check_exponentials);
WAY(native_logarithms, "log-omp", run_logarithms, check_logarithms);

#if defined(NATIVE_MVEC) && !defined(__clang__)
/* glibc's headers say so only with -ffast-math, which changes sums, too. */
__attribute__((simd("notinbranch"), const)) float vector_expf(float) __asm__("expf");
__attribute__((simd("notinbranch"), const)) double vector_log(double) __asm__("log");
LOOP(vector_exponentials, float, float_x, float_y, vector_expf)
LOOP(vector_logarithms, double, x, y, vector_log)
WAY(native_vector_exponentials, "expf-libmvec-omp", run_vector_exponentials, check_exponentials);
WAY(native_vector_logarithms, "log-libmvec-omp", run_vector_logarithms, check_logarithms);
#endif
