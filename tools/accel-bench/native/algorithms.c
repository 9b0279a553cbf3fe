/* SPDX-License-Identifier: Apache-2.0 */
/*
 * qsort of a copy of the keys; parameters are n and the type. And a histogram with OpenMP, in four copies of the counters for
 * each thread, so that equal neighbours do not wait for each other; the parameter is n.
 */
#include <stdlib.h>
#include <string.h>

#include "../cases/algorithm_values.h"
#include "way.h"

typedef struct algorithm_state {
    size_t n, size;
    void *from, *to;
    uint32_t counts[HISTOGRAM_BINS];
} algorithm_state;

static void close_algorithm(void *state)
{
    algorithm_state *s = state;
    native_release(s->from);
    native_release(s->to);
    free(s);
}

static algorithm_state *open_algorithm(size_t n, size_t size)
{
    algorithm_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->n = n;
    s->size = size;
    s->from = native_allocate(n, size);
    s->to = native_allocate(n, size);
    if (s->from == NULL || s->to == NULL) {
        close_algorithm(s);
        return NULL;
    }
    return s;
}

static void *open_sort(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const bool doubles = parameters[1] == SORT_DOUBLE;
    algorithm_state *s = open_algorithm(parameters[0], doubles ? sizeof(double) : sizeof(uint32_t));
    for (size_t i = 0; s != NULL && i < s->n; ++i) {
        if (doubles)
            ((double *)s->from)[i] = sort_double(i);
        else
            ((uint32_t *)s->from)[i] = (uint32_t)algorithm_word(i);
    }
    return s;
}

static int compare_words(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_sort(void *state, size_t repetitions)
{
    algorithm_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        memcpy(s->to, s->from, s->n * s->size);
        qsort(s->to, s->n, s->size, s->size == sizeof(double) ? compare_doubles : compare_words);
    }
}

static void *open_histogram(const uint64_t parameters[NATIVE_PARAMETERS])
{
    algorithm_state *s = open_algorithm(parameters[0], sizeof(float));
    if (s == NULL)
        return NULL;
    float *values = s->from;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < s->n; ++i)
        values[i] = histogram_float(i);
    return s;
}

static __attribute__((noinline)) void count(size_t n, const float *x, uint32_t *counts)
{
#pragma omp parallel
    {
        uint32_t own[4][HISTOGRAM_BINS + 1] = {{0}}; /* the last for values outside */
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < n / 4; ++i)
            for (size_t k = 0; k < 4; ++k) {
                const float v = x[4 * i + k];
                ++own[k][v >= 0 && v < 1 ? (int)(v * HISTOGRAM_BINS) : HISTOGRAM_BINS];
            }
#pragma omp critical
        for (size_t b = 0; b < HISTOGRAM_BINS; ++b)
            counts[b] += own[0][b] + own[1][b] + own[2][b] + own[3][b];
    }
    for (size_t i = n / 4 * 4; i < n; ++i)
        if (x[i] >= 0 && x[i] < 1)
            ++counts[(int)(x[i] * HISTOGRAM_BINS)];
}

static void run_histogram(void *state, size_t repetitions)
{
    algorithm_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        memset(s->counts, 0, sizeof s->counts);
        count(s->n, s->from, s->counts);
    }
}

static bool check_histogram(void *state)
{
    const algorithm_state *s = state;
    uint32_t expected[HISTOGRAM_BINS] = {0};
    for (size_t i = 0; i < s->n; ++i)
        ++expected[(size_t)(histogram_float(i) * HISTOGRAM_BINS)];
    return memcmp(expected, s->counts, sizeof expected) == 0;
}

const native_way native_qsort = {.name = "qsort", .open = open_sort, .run = run_sort, .close = close_algorithm};
const native_way native_histogram = {.name = "histogram-omp",
                                     .open = open_histogram,
                                     .run = run_histogram,
                                     .check = check_histogram,
                                     .close = close_algorithm};
