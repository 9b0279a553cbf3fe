/* SPDX-License-Identifier: Apache-2.0 */
/*
 * to[cell[i]] += value[i] with OpenMP; parameters are n, the number of cells, and the type: 0 int, 1 double, 2 complex
 * float, 3 complex double. By atomics: OpenMP's for numbers, a compare-and-swap of 64 bits for complex floats, OpenMP's
 * on each part for complex doubles, as there is no wider one. And in a copy of the cells for each thread.
 */
#include <stdlib.h>
#include <string.h>

#include "../cases/scatter_values.h"
#include "way.h"

static const size_t sizes[SCATTER_TYPES] = {sizeof(int), sizeof(double), sizeof(complex_float), sizeof(complex_double)};

typedef struct scatter_state {
    size_t n, cells;
    uint64_t type;
    uint32_t *cell;
    void *value, *to;
    size_t done; /* passes */
} scatter_state;

static void close_scatter(void *state)
{
    scatter_state *s = state;
    native_release(s->cell);
    native_release(s->value);
    native_release(s->to);
    free(s);
}

static void *open_scatter(const uint64_t parameters[NATIVE_PARAMETERS])
{
    scatter_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (scatter_state){.n = parameters[0], .cells = parameters[1], .type = parameters[2]};
    s->cell = native_allocate(s->n, sizeof *s->cell);
    s->value = native_allocate(s->n, sizes[s->type]);
    s->to = native_allocate(s->cells, sizes[s->type]);
    if (s->cell == NULL || s->value == NULL || s->to == NULL) {
        close_scatter(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < s->n; ++i) {
        s->cell[i] = scatter_cell((uint32_t)i, (uint32_t)s->cells);
        scatter_put(s->value, s->type, i, scatter_value((uint32_t)i, 0), scatter_value((uint32_t)i, 1));
    }
    for (size_t c = 0; c < s->cells; ++c)
        scatter_put(s->to, s->type, c, 0, 0);
    return s;
}

#define BY_ATOMICS(name, T, statement)                                                                                 \
    static __attribute__((noinline)) void name(size_t n, const uint32_t *cell, const T *value, T *to)                  \
    {                                                                                                                  \
        _Pragma("omp parallel for schedule(static)") for (size_t i = 0; i < n; ++i)                                    \
        {                                                                                                              \
            statement                                                                                                  \
        }                                                                                                              \
    }
BY_ATOMICS(atomic_int, int, _Pragma("omp atomic") to[cell[i]] += value[i];)
BY_ATOMICS(atomic_double, double, _Pragma("omp atomic") to[cell[i]] += value[i];)
BY_ATOMICS(atomic_complex_double, complex_double, _Pragma("omp atomic") to[cell[i]].re += value[i].re;
           _Pragma("omp atomic") to[cell[i]].im += value[i].im;)

static inline void add_complex_float(complex_float *to, complex_float value)
{
    typedef uint64_t __attribute__((may_alias)) word;
    word seen = __atomic_load_n((word *)to, __ATOMIC_RELAXED), next;
    do {
        complex_float sum;
        memcpy(&sum, &seen, sizeof sum);
        sum.re += value.re;
        sum.im += value.im;
        memcpy(&next, &sum, sizeof sum);
    } while (!__atomic_compare_exchange_n((word *)to, &seen, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
BY_ATOMICS(atomic_complex_float, complex_float, add_complex_float(&to[cell[i]], value[i]);)

static void run_atomics(void *state, size_t repetitions)
{
    scatter_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        if (s->type == SCATTER_INT)
            atomic_int(s->n, s->cell, s->value, s->to);
        else if (s->type == SCATTER_DOUBLE)
            atomic_double(s->n, s->cell, s->value, s->to);
        else if (s->type == SCATTER_COMPLEX_FLOAT)
            atomic_complex_float(s->n, s->cell, s->value, s->to);
        else
            atomic_complex_double(s->n, s->cell, s->value, s->to);
    }
    s->done += repetitions;
}

/* Each thread clears and fills its own copy, and adds it to the cells at the end. */
#define BY_COPIES(name, T, add, critical)                                                                              \
    static __attribute__((noinline)) void name(size_t n, size_t cells, const uint32_t *cell, const T *value, T *to)    \
    {                                                                                                                  \
        _Pragma("omp parallel")                                                                                        \
        {                                                                                                              \
            T *own = native_allocate(cells, sizeof(T));                                                                \
            if (own != NULL) /* without, the check finds it */                                                         \
                memset(own, 0, cells * sizeof(T));                                                                     \
            _Pragma("omp for schedule(static) nowait") for (size_t i = 0; i < n; ++i) if (own != NULL)                 \
            {                                                                                                          \
                T *target = &own[cell[i]];                                                                             \
                add(target, value[i]);                                                                                 \
            }                                                                                                          \
            _Pragma(critical) for (size_t c = 0; own != NULL && c < cells; ++c) add((&to[c]), own[c]);                 \
            native_release(own);                                                                                       \
        }                                                                                                              \
    }
#define ADD_NUMBER(target, v) *target += v
#define ADD_COMPLEX(target, v) target->re += v.re, target->im += v.im
BY_COPIES(copy_int, int, ADD_NUMBER, "omp critical")
BY_COPIES(copy_double, double, ADD_NUMBER, "omp critical")
BY_COPIES(copy_complex_float, complex_float, ADD_COMPLEX, "omp critical")
BY_COPIES(copy_complex_double, complex_double, ADD_COMPLEX, "omp critical")

static void run_copies(void *state, size_t repetitions)
{
    scatter_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        if (s->type == SCATTER_INT)
            copy_int(s->n, s->cells, s->cell, s->value, s->to);
        else if (s->type == SCATTER_DOUBLE)
            copy_double(s->n, s->cells, s->cell, s->value, s->to);
        else if (s->type == SCATTER_COMPLEX_FLOAT)
            copy_complex_float(s->n, s->cells, s->cell, s->value, s->to);
        else
            copy_complex_double(s->n, s->cells, s->cell, s->value, s->to);
    }
    s->done += repetitions;
}

static bool check(void *state)
{
    const scatter_state *s = state;
    long long *sum = calloc(2 * s->cells, sizeof *sum);
    bool good = sum != NULL;
    for (size_t i = 0; good && i < s->n; ++i)
        for (int part = 0; part < 2; ++part)
            sum[2 * scatter_cell((uint32_t)i, (uint32_t)s->cells) + (size_t)part] += scatter_value((uint32_t)i, part);
    for (size_t c = 0; good && c < s->cells; ++c)
        for (int part = 0; good && part < (s->type < SCATTER_COMPLEX_FLOAT ? 1 : 2); ++part)
            good = scatter_part(s->to, s->type, c, part) == (double)(sum[2 * c + (size_t)part] * (long long)s->done);
    free(sum);
    return good;
}

const native_way native_scatter = {
    .name = "scatter-omp", .open = open_scatter, .run = run_atomics, .check = check, .close = close_scatter};
const native_way native_scatter_copies = {
    .name = "scatter-copies-omp", .open = open_scatter, .run = run_copies, .check = check, .close = close_scatter};
