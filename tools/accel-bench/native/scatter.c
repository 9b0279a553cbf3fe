/* SPDX-License-Identifier: Apache-2.0 */
/*
 * to[cell[i]] += value[i] with OpenMP; parameters are n, the number of cells, and the type: 0 int, 1 double, 2 complex
 * float, 3 complex double. By atomics: OpenMP's for numbers, a compare-and-swap of 64 bits for complex floats, OpenMP's
 * on each part for complex doubles, as there is no wider one. And in a copy of the cells for each thread. Both without
 * prefetching and with: which is faster depends on type and machine.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "../cases/scatter_values.h"
#include "way.h"

static const size_t sizes[SCATTER_TYPES] = {sizeof(int), sizeof(double), sizeof(complex_float), sizeof(complex_double)};

typedef struct scatter_state {
    size_t n, cells;
    uint64_t type;
    uint32_t *cell;
    void *value, *to, *copies; /* copies: of the cells, for each thread */
    size_t done;               /* passes */
} scatter_state;

/* What one CPU's prefetching asks for behind its own copy, another one is writing: so far apart, in bytes. */
enum { APART = 512 };

static size_t copy_stride(size_t cells, size_t size)
{
    return cells + APART / size;
}

static void close_scatter(void *state)
{
    scatter_state *s = state;
    native_release(s->cell);
    native_release(s->value);
    native_release(s->to);
    native_release(s->copies);
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
    s->copies = native_allocate((size_t)omp_get_max_threads() * copy_stride(s->cells, sizes[s->type]), sizes[s->type]);
    if (s->cell == NULL || s->value == NULL || s->to == NULL || s->copies == NULL) {
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

/* As libaccel's kernels do (kernels/scatter.k.c says why and how far): the line of an update that comes soon, and the lines of what
 * is read from memory. */
enum { AHEAD = 2, READ_AHEAD = 1024, COPY_AHEAD = 512 };
#define FETCH_NOTHING
#define FETCH_CELL __builtin_prefetch(&to[cell[i + AHEAD < n ? i + AHEAD : i]], 1);
#define FETCH_LINES(ahead)                                                                                             \
    __builtin_prefetch(&cell[i + (ahead)]);                                                                            \
    __builtin_prefetch(&value[i + (ahead)]);

#define ATOMIC_LOOP(name, T, fetch, statement)                                                                         \
    static __attribute__((noinline)) void name(size_t n, const uint32_t *cell, const T *value, T *to)                  \
    {                                                                                                                  \
        _Pragma("omp parallel for schedule(static)") for (size_t i = 0; i < n; ++i)                                    \
        {                                                                                                              \
            fetch statement                                                                                            \
        }                                                                                                              \
    }
#define BY_ATOMICS(name, T, fetch, statement)                                                                          \
    ATOMIC_LOOP(name, T, FETCH_NOTHING, statement)                                                                     \
    ATOMIC_LOOP(name##_ahead, T, fetch, statement)
BY_ATOMICS(atomic_int, int, FETCH_LINES(READ_AHEAD) FETCH_CELL, _Pragma("omp atomic") to[cell[i]] += value[i];)
BY_ATOMICS(atomic_double, double, FETCH_CELL, _Pragma("omp atomic") to[cell[i]] += value[i];)
BY_ATOMICS(atomic_complex_double, complex_double, FETCH_CELL, _Pragma("omp atomic") to[cell[i]].re += value[i].re;
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
BY_ATOMICS(atomic_complex_float, complex_float, FETCH_CELL, add_complex_float(&to[cell[i]], value[i]);)

static void add_by_atomics(scatter_state *s, bool ahead)
{
    if (s->type == SCATTER_INT)
        (ahead ? atomic_int_ahead : atomic_int)(s->n, s->cell, s->value, s->to);
    else if (s->type == SCATTER_DOUBLE)
        (ahead ? atomic_double_ahead : atomic_double)(s->n, s->cell, s->value, s->to);
    else if (s->type == SCATTER_COMPLEX_FLOAT)
        (ahead ? atomic_complex_float_ahead : atomic_complex_float)(s->n, s->cell, s->value, s->to);
    else
        (ahead ? atomic_complex_double_ahead : atomic_complex_double)(s->n, s->cell, s->value, s->to);
}

static void run_atomics(void *state, size_t repetitions)
{
    scatter_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        add_by_atomics(s, false);
    s->done += repetitions;
}

static void run_atomics_ahead(void *state, size_t repetitions)
{
    scatter_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        add_by_atomics(s, true);
    s->done += repetitions;
}

/* Each thread clears and fills its own copy. Then all together add the copies, cell by cell. */
#define COPY_LOOP(name, T, fetch, add)                                                                                 \
    static __attribute__((noinline)) void name(size_t n, size_t cells, const uint32_t *cell, const T *value,           \
                                               T *copies, T *to)                                                       \
    {                                                                                                                  \
        const size_t stride = copy_stride(cells, sizeof(T));                                                           \
        _Pragma("omp parallel")                                                                                        \
        {                                                                                                              \
            const size_t threads = (size_t)omp_get_num_threads();                                                      \
            T *own = copies + (size_t)omp_get_thread_num() * stride;                                                   \
            memset(own, 0, cells * sizeof(T));                                                                         \
            _Pragma("omp for schedule(static)") for (size_t i = 0; i < n; ++i)                                         \
            {                                                                                                          \
                fetch T *target = &own[cell[i]];                                                                       \
                add(target, value[i]);                                                                                 \
            }                                                                                                          \
            _Pragma("omp for schedule(static)") for (size_t c = 0; c < cells; ++c)                                     \
            {                                                                                                          \
                T *target = &to[c];                                                                                    \
                for (size_t t = 0; t < threads; ++t)                                                                   \
                    add(target, copies[t * stride + c]);                                                               \
            }                                                                                                          \
        }                                                                                                              \
    }
#define BY_COPIES(name, T, add)                                                                                        \
    COPY_LOOP(name, T, FETCH_NOTHING, add)                                                                             \
    COPY_LOOP(name##_ahead, T, FETCH_LINES(COPY_AHEAD), add)
#define ADD_NUMBER(target, v) *target += v
#define ADD_COMPLEX(target, v) target->re += v.re, target->im += v.im
BY_COPIES(copy_int, int, ADD_NUMBER)
BY_COPIES(copy_double, double, ADD_NUMBER)
BY_COPIES(copy_complex_float, complex_float, ADD_COMPLEX)
BY_COPIES(copy_complex_double, complex_double, ADD_COMPLEX)

static void add_in_copies(scatter_state *s, bool ahead)
{
    if (s->type == SCATTER_INT)
        (ahead ? copy_int_ahead : copy_int)(s->n, s->cells, s->cell, s->value, s->copies, s->to);
    else if (s->type == SCATTER_DOUBLE)
        (ahead ? copy_double_ahead : copy_double)(s->n, s->cells, s->cell, s->value, s->copies, s->to);
    else if (s->type == SCATTER_COMPLEX_FLOAT)
        (ahead ? copy_complex_float_ahead : copy_complex_float)(s->n, s->cells, s->cell, s->value, s->copies, s->to);
    else
        (ahead ? copy_complex_double_ahead : copy_complex_double)(s->n, s->cells, s->cell, s->value, s->copies, s->to);
}

static void run_copies(void *state, size_t repetitions)
{
    scatter_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        add_in_copies(s, false);
    s->done += repetitions;
}

static void run_copies_ahead(void *state, size_t repetitions)
{
    scatter_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        add_in_copies(s, true);
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

#define WAY(symbol, text, runs)                                                                                        \
    const native_way symbol = {.name = text, .open = open_scatter, .run = runs, .check = check, .close = close_scatter}

WAY(native_scatter, "scatter-omp", run_atomics);
WAY(native_scatter_ahead, "scatter-ahead-omp", run_atomics_ahead);
WAY(native_scatter_copies, "scatter-copies-omp", run_copies);
WAY(native_scatter_copies_ahead, "scatter-copies-ahead-omp", run_copies_ahead);
