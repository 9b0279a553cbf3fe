/* SPDX-License-Identifier: Apache-2.0 */
/*
 * qsort, std::sort and GNU's parallel sorts of a copy of the keys; parameters are n and the type. And a histogram with OpenMP, in four copies of
 * the counters for each thread, so that equal neighbours do not wait for each other; the parameter is n. And a selection of
 * words by flags without a branch: one loop, and with OpenMP in two passes.
 */
#include "../cases/algorithm_values.h"
#include "way.h"

#include <stdlib.h>
#include <string.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

typedef struct algorithm_state {
    size_t n, size;
    void *from, *to;
    uint32_t counts[HISTOGRAM_BINS];
    uint8_t *flags; /* of a selection, and how many are chosen */
    size_t chosen;
} algorithm_state;

static void close_algorithm(void *state)
{
    algorithm_state *s = state;
    native_release(s->from);
    native_release(s->to);
    native_release(s->flags);
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

static bool check_sort(void *state)
{
    const algorithm_state *s = state;
    const uint32_t *words = s->to;
    const double *doubles = s->to;
    for (size_t i = 1; i < s->n; ++i)
        if (s->size == sizeof(double) ? doubles[i] < doubles[i - 1] : words[i] < words[i - 1])
            return false;
    return true;
}

/* A way that copies the keys and calls `words` or `doubles`. */
#define SORT(symbol, text, copy, words, doubles)                                                                       \
    void words(uint32_t *keys, size_t n);                                                                              \
    void doubles(double *keys, size_t n);                                                                              \
    static void run_##symbol(void *state, size_t repetitions)                                                          \
    {                                                                                                                  \
        algorithm_state *s = state;                                                                                    \
        for (size_t r = 0; r < repetitions; ++r) {                                                                     \
            copy(s->to, s->from, s->n * s->size);                                                                      \
            if (s->size == sizeof(double))                                                                             \
                doubles(s->to, s->n);                                                                                  \
            else                                                                                                       \
                words(s->to, s->n);                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    const native_way symbol = {                                                                                        \
        .name = text, .open = open_sort, .run = run_##symbol, .check = check_sort, .close = close_algorithm}

#if defined(NATIVE_CPP) /* sort.cpp */
SORT(native_std_sort, "std::sort", memcpy, native_std_sort_words, native_std_sort_doubles);
#endif
#if defined(NATIVE_PARALLEL_CPP) /* sort_parallel.cpp */
static void copy_by_all(void *to, const void *from, size_t size)
{
    enum { PARTS = 64 };
#pragma omp parallel for schedule(static)
    for (size_t part = 0; part < PARTS; ++part) {
        const size_t begin = size * part / PARTS, end = size * (part + 1) / PARTS;
        memcpy((char *)to + begin, (const char *)from + begin, end - begin);
    }
}

SORT(native_mergesort, "gnu-mergesort-omp", copy_by_all, native_mergesort_words, native_mergesort_doubles);
SORT(native_quicksort, "gnu-quicksort-omp", copy_by_all, native_quicksort_words, native_quicksort_doubles);
#endif

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

static void *open_select(const uint64_t parameters[NATIVE_PARAMETERS])
{
    algorithm_state *s = open_algorithm(parameters[0], sizeof(uint32_t));
    if (s == NULL)
        return NULL;
    s->flags = native_allocate(s->n, 1);
    if (s->flags == NULL) {
        close_algorithm(s);
        return NULL;
    }
    for (size_t i = 0; i < s->n; ++i) {
        ((uint32_t *)s->from)[i] = (uint32_t)i;
        s->flags[i] = select_flag(i);
    }
    return s;
}

/* Stores behind the last chosen one are another thread's; so the loop ends there. */
static __attribute__((noinline)) size_t choose(size_t begin, size_t end, const uint32_t *restrict from,
                                               const uint8_t *restrict flags, uint32_t *restrict to, size_t at,
                                               size_t last)
{
    for (size_t i = begin; i < end && at < last; ++i) {
        to[at] = from[i];
        at += flags[i] != 0;
    }
    return at;
}

static void run_select(void *state, size_t repetitions)
{
    algorithm_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        s->chosen = choose(0, s->n, s->from, s->flags, s->to, 0, s->n);
}

#if defined(_OPENMP)
static void run_select_omp(void *state, size_t repetitions)
{
    enum { MOST = 1024 };
    algorithm_state *s = state;
    static size_t counts[MOST + 1];
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel num_threads(omp_get_max_threads() < MOST ? omp_get_max_threads() : MOST)
        {
            const size_t threads = (size_t)omp_get_num_threads(), t = (size_t)omp_get_thread_num();
            const size_t begin = s->n * t / threads, end = s->n * (t + 1) / threads;
            size_t sum = 0;
            for (size_t i = begin; i < end; ++i)
                sum += s->flags[i] != 0;
            counts[t + 1] = sum;
#pragma omp barrier
            size_t at = 0;
            for (size_t other = 1; other <= t; ++other)
                at += counts[other];
            at = choose(begin, end, s->from, s->flags, s->to, at, at + sum);
            if (t + 1 == threads)
                s->chosen = at;
        }
    }
}
#endif

static bool check_select(void *state)
{
    const algorithm_state *s = state;
    size_t at = 0;
    bool good = true;
    for (size_t i = 0; i < s->n; ++i)
        if (select_flag(i) != 0)
            good = good && ((const uint32_t *)s->to)[at++] == (uint32_t)i;
    return good && at == s->chosen;
}

const native_way native_select = {
    .name = "select", .open = open_select, .run = run_select, .check = check_select, .close = close_algorithm};
#if defined(_OPENMP)
const native_way native_select_omp = {
    .name = "select-omp", .open = open_select, .run = run_select_omp, .check = check_select, .close = close_algorithm};
#endif
const native_way native_qsort = {
    .name = "qsort", .open = open_sort, .run = run_sort, .check = check_sort, .close = close_algorithm};
const native_way native_histogram = {.name = "histogram-omp",
                                     .open = open_histogram,
                                     .run = run_histogram,
                                     .check = check_histogram,
                                     .close = close_algorithm};
