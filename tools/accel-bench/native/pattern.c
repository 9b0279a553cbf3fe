/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of doubles with OpenMP: 64 or 32 accumulators of each thread, in any order; or eight vectors of them.
 * Parameter 0 is n; sums of rows have their extent as parameter 1. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "way.h"

#define REAL double
#define REAL_SUFFIX pd
#define LANES 64
#define MIN_LANES 32

typedef struct sums_state {
    size_t n, row;
    double *x, *y;
    double sum, minimum, maximum;
} sums_state;

#include "sum_runs.h"

static double x_at(size_t i)
{
    return (double)(i * 7919 % 1009) - 500;
}

static void close_pattern(void *state)
{
    sums_state *s = state;
    native_release(s->x);
    native_release(s->y);
    free(s);
}

static void *open_pattern(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0];
    sums_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (sums_state){.n = n,
                      .row = parameters[1],
                      .x = native_allocate(n, sizeof(double)),
                      .y = native_allocate(n, sizeof(double)),
                      .minimum = -500,
                      .maximum = 508};
    if (s->x == NULL || s->y == NULL) {
        close_pattern(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) {
        s->x[i] = x_at(i);
        s->y[i] = 1;
    }
    return s;
}

/* A loop in two dimensions, as programs have it where rows are not contiguous. Accumulators are the same for all rows: with
 * `omp simd` each short row would end with adding them up. */
static __attribute__((noinline)) double sum_of_rows_alone(size_t rows, size_t row, const double *x)
{
    enum { WIDE = 8, NARROW = 4 };
    double wide[WIDE] = {0}, narrow[NARROW] = {0}, sum = 0;
    for (size_t i = 0; i < rows; ++i) {
        const double *at = x + i * row;
        size_t j = 0;
        for (; j + WIDE <= row; j += WIDE)
            for (size_t k = 0; k < WIDE; ++k)
                wide[k] += at[j + k];
        for (; j + NARROW <= row; j += NARROW)
            for (size_t k = 0; k < NARROW; ++k)
                narrow[k] += at[j + k];
        for (; j < row; ++j)
            sum += at[j];
    }
    for (size_t k = 0; k < WIDE; ++k)
        sum += wide[k];
    for (size_t k = 0; k < NARROW; ++k)
        sum += narrow[k];
    return sum;
}

static __attribute__((noinline)) double sum_of_rows(size_t rows, size_t row, const double *x)
{
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        const size_t threads = (size_t)omp_get_num_threads(), thread = (size_t)omp_get_thread_num();
        const size_t begin = rows * thread / threads, end = rows * (thread + 1) / threads;
        sum += sum_of_rows_alone(end - begin, row, x + begin * row);
    }
    return sum;
}

static void run_rows_alone(void *state, size_t repetitions)
{
    sums_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        s->sum = sum_of_rows_alone(s->n / s->row, s->row, s->x);
}

static void run_rows(void *state, size_t repetitions)
{
    sums_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        s->sum = sum_of_rows(s->n / s->row, s->row, s->x);
}

/* 32 of each are as fast as compilers make this: 64 do not fit the registers, with `omp simd` each waits for the one before. */
enum { SUMMARY_LANES = 32 };

static __attribute__((noinline)) void summarise(sums_state *state)
{
    const double *x = state->x, *y = state->y;
    const size_t n = state->n;
    double dot = 0, least = INFINITY, most = -INFINITY;
#pragma omp parallel reduction(+ : dot) reduction(min : least) reduction(max : most)
    {
        double d[SUMMARY_LANES], l[SUMMARY_LANES], m[SUMMARY_LANES];
        for (size_t k = 0; k < SUMMARY_LANES; ++k) {
            d[k] = 0;
            l[k] = INFINITY;
            m[k] = -INFINITY;
        }
#pragma omp for schedule(static) nowait
        for (size_t row = 0; row < n / SUMMARY_LANES; ++row) {
            for (size_t k = 0; k < SUMMARY_LANES; ++k) {
                const double value = x[row * SUMMARY_LANES + k];
                l[k] = value < l[k] ? value : l[k];
                m[k] = value > m[k] ? value : m[k];
                d[k] += value * y[row * SUMMARY_LANES + k];
            }
        }
#pragma omp simd reduction(+ : dot) reduction(min : least) reduction(max : most)
        for (size_t k = 0; k < SUMMARY_LANES; ++k) {
            least = l[k] < least ? l[k] : least;
            most = m[k] > most ? m[k] : most;
            dot += d[k];
        }
    }
#pragma omp simd reduction(+ : dot) reduction(min : least) reduction(max : most)
    for (size_t i = n / SUMMARY_LANES * SUMMARY_LANES; i < n; ++i) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
        dot += x[i] * y[i];
    }
    state->sum = dot;
    state->minimum = least;
    state->maximum = most;
}

static void run_summary(void *state, size_t repetitions)
{
    for (size_t r = 0; r < repetitions; ++r)
        summarise(state);
}

/* Whole numbers: exact in any order. */
static bool check(void *state)
{
    const sums_state *s = state;
    double sum = 0;
    for (size_t i = 0; i < s->n; ++i)
        sum += x_at(i);
    return s->sum == sum && s->minimum == -500 && s->maximum == 508;
}

#define WAY(symbol, text, runs)                                                                                        \
    const native_way symbol = {.name = text, .open = open_pattern, .run = runs, .check = check, .close = close_pattern}

WAY(native_pattern_sum, "pattern-sum-omp", run_sum);
WAY(native_pattern_sum_serial, "pattern-sum-serial", run_sum_alone);
WAY(native_pattern_sum_eight, "sum-eight-omp", run_sum_eight);
WAY(native_pattern_sum_eight_serial, "sum-eight-serial", run_sum_eight_alone);
WAY(native_pattern_dot, "pattern-dot-omp", run_dot);
WAY(native_pattern_dot_serial, "pattern-dot-serial", run_dot_alone);
WAY(native_pattern_dot_eight, "dot-eight-omp", run_dot_eight);
WAY(native_pattern_dot_eight_serial, "dot-eight-serial", run_dot_eight_alone);
WAY(native_min_sum, "min-sum-omp", run_min_sum);
WAY(native_min_sum_serial, "min-sum-serial", run_min_sum_alone);
WAY(native_min_sum_eight, "min-sum-eight-omp", run_min_sum_eight);
WAY(native_min_sum_eight_serial, "min-sum-eight-serial", run_min_sum_eight_alone);
WAY(native_pattern_rows, "pattern-rows-omp", run_rows);
WAY(native_pattern_rows_serial, "pattern-rows-serial", run_rows_alone);
WAY(native_pattern_summary, "pattern-summary-omp", run_summary);
