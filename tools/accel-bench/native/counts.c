/* SPDX-License-Identifier: Apache-2.0 */
/* How often each byte occurs, with OpenMP: as the reduction of an array, by atomics, and in tables of each thread, four of
 * them, so that equal neighbours do not wait for each other. The same with a weight for each byte, a double. Parameter 0 is n,
 * 1 whether there are weights. */
#include <stdlib.h>

#include "../cases/counts_values.h"
#include "way.h"

enum { BINS = 256, TABLES = 4 };

typedef struct counts_state {
    size_t n, done; /* passes */
    uint8_t *x;
    double *weight; /* NULL: none */
    uint32_t bins[BINS];
    double sums[BINS];
} counts_state;

static void close_counts(void *state)
{
    counts_state *s = state;
    native_release(s->x);
    native_release(s->weight);
    free(s);
}

static void *open_counts(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0];
    counts_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->n = n;
    s->x = native_allocate(n, 1);
    s->weight = parameters[1] != 0 ? native_allocate(n, sizeof(double)) : NULL;
    if (s->x == NULL || (parameters[1] != 0 && s->weight == NULL)) {
        close_counts(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) {
        s->x[i] = counts_byte(i);
        if (s->weight != NULL)
            s->weight[i] = counts_weight(i);
    }
    return s;
}

static __attribute__((noinline)) void count_by_reduction(size_t n, const uint8_t *x, uint32_t *bins)
{
#pragma omp parallel for schedule(static) reduction(+ : bins[:BINS])
    for (size_t i = 0; i < n; ++i)
        ++bins[x[i]];
}

static __attribute__((noinline)) void count_by_atomics(size_t n, const uint8_t *x, uint32_t *bins)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) {
#pragma omp atomic
        ++bins[x[i]];
    }
}

#define BY_TABLES(name, T, add)                                                                                        \
    static __attribute__((noinline)) void name(size_t n, const uint8_t *x, const double *weight, T *bins)              \
    {                                                                                                                  \
        (void)weight;                                                                                                  \
        _Pragma("omp parallel")                                                                                        \
        {                                                                                                              \
            T own[TABLES][BINS] = {{0}};                                                                               \
            _Pragma("omp for schedule(static) nowait") for (size_t i = 0; i < n / TABLES; ++i)                         \
            {                                                                                                          \
                for (size_t k = 0; k < TABLES; ++k)                                                                    \
                    own[k][x[TABLES * i + k]] += add(TABLES * i + k);                                                  \
            }                                                                                                          \
            _Pragma("omp critical") for (size_t b = 0; b < BINS; ++b) bins[b] +=                                       \
                (own[0][b] + own[1][b]) + (own[2][b] + own[3][b]);                                                     \
        }                                                                                                              \
        for (size_t i = n / TABLES * TABLES; i < n; ++i)                                                               \
            bins[x[i]] += add(i);                                                                                      \
    }
/* What one thread does without OpenMP. */
#define BY_TABLES_ALONE(name, T, add)                                                                                  \
    static __attribute__((noinline)) void name(size_t n, const uint8_t *x, const double *weight, T *bins)              \
    {                                                                                                                  \
        T own[TABLES][BINS] = {{0}};                                                                                   \
        (void)weight;                                                                                                  \
        for (size_t i = 0; i < n / TABLES; ++i) {                                                                      \
            for (size_t k = 0; k < TABLES; ++k)                                                                        \
                own[k][x[TABLES * i + k]] += add(TABLES * i + k);                                                      \
        }                                                                                                              \
        for (size_t b = 0; b < BINS; ++b)                                                                              \
            bins[b] += (own[0][b] + own[1][b]) + (own[2][b] + own[3][b]);                                              \
        for (size_t i = n / TABLES * TABLES; i < n; ++i)                                                               \
            bins[x[i]] += add(i);                                                                                      \
    }
#define ONE(i) 1
#define WEIGHT(i) weight[i]
BY_TABLES(count_in_tables, uint32_t, ONE)
BY_TABLES(weigh_in_tables, double, WEIGHT)
BY_TABLES_ALONE(count_alone, uint32_t, ONE)
BY_TABLES_ALONE(weigh_alone, double, WEIGHT)

static __attribute__((noinline)) void weigh_by_reduction(size_t n, const uint8_t *x, const double *weight, double *sums)
{
#pragma omp parallel for schedule(static) reduction(+ : sums[:BINS])
    for (size_t i = 0; i < n; ++i)
        sums[x[i]] += weight[i];
}

static void run_tables(void *state, size_t repetitions)
{
    counts_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        if (s->weight != NULL)
            weigh_in_tables(s->n, s->x, s->weight, s->sums);
        else
            count_in_tables(s->n, s->x, NULL, s->bins);
    }
    s->done += repetitions;
}

static void run_alone(void *state, size_t repetitions)
{
    counts_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        if (s->weight != NULL)
            weigh_alone(s->n, s->x, s->weight, s->sums);
        else
            count_alone(s->n, s->x, NULL, s->bins);
    }
    s->done += repetitions;
}

static void run_reduction(void *state, size_t repetitions)
{
    counts_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        if (s->weight != NULL)
            weigh_by_reduction(s->n, s->x, s->weight, s->sums);
        else
            count_by_reduction(s->n, s->x, s->bins);
    }
    s->done += repetitions;
}

static void run_atomics(void *state, size_t repetitions)
{
    counts_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        count_by_atomics(s->n, s->x, s->bins);
    s->done += repetitions;
}

/* Counts wrap, here and there; weights are whole numbers, exact in any order. */
static bool check(void *state)
{
    const counts_state *s = state;
    uint32_t once[BINS] = {0};
    double weight[BINS] = {0};
    bool good = true;
    for (size_t i = 0; i < s->n; ++i) {
        ++once[counts_byte(i)];
        weight[counts_byte(i)] += counts_weight(i);
    }
    for (size_t b = 0; b < BINS && s->weight == NULL; ++b)
        good = good && s->bins[b] == (uint32_t)(once[b] * s->done);
    for (size_t b = 0; b < BINS && s->weight != NULL; ++b)
        good = good && s->sums[b] == weight[b] * (double)s->done;
    return good;
}

const native_way native_counts = {
    .name = "counts-omp", .open = open_counts, .run = run_reduction, .check = check, .close = close_counts};
const native_way native_counts_serial = {
    .name = "counts-tables-serial", .open = open_counts, .run = run_alone, .check = check, .close = close_counts};
const native_way native_counts_tables = {
    .name = "counts-tables-omp", .open = open_counts, .run = run_tables, .check = check, .close = close_counts};
const native_way native_counts_atomics = {
    .name = "counts-atomics-omp", .open = open_counts, .run = run_atomics, .check = check, .close = close_counts};
