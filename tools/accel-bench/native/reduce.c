/* SPDX-License-Identifier: Apache-2.0 */
/* The minimum and the sum of an array in one pass, with OpenMP; parameter 0 is n. */
#include <math.h>
#include <stdlib.h>

#include "way.h"

typedef struct reduce_state {
    size_t n;
    double *x;
    double sum, minimum;
} reduce_state;

static double x_at(size_t i)
{
    return (double)(i * 7919 % 1009) - 500;
}

static void close_reduce(void *state)
{
    reduce_state *s = state;
    native_release(s->x);
    free(s);
}

static void *open_reduce(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0];
    reduce_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (reduce_state){.n = n, .x = native_allocate(n, sizeof(double)), .minimum = -500};
    if (s->x == NULL) {
        close_reduce(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i)
        s->x[i] = x_at(i);
    return s;
}

/* With `omp simd` each addition waits for the one before. */
enum { LANES = 32 };

static __attribute__((noinline)) double min_sum_of(size_t n, const double *x, double *minimum)
{
    double sum = 0, least = INFINITY;
#pragma omp parallel reduction(+ : sum) reduction(min : least)
    {
        double sums[LANES] = {0}, low[LANES];
        for (size_t k = 0; k < LANES; ++k)
            low[k] = INFINITY;
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < n / LANES; ++i) {
            for (size_t k = 0; k < LANES; ++k) {
                const double value = x[LANES * i + k];
                sums[k] += value;
                low[k] = value < low[k] ? value : low[k];
            }
        }
        for (size_t k = 0; k < LANES; ++k) {
            sum += sums[k];
            least = low[k] < least ? low[k] : least;
        }
    }
    for (size_t i = n / LANES * LANES; i < n; ++i) {
        sum += x[i];
        least = x[i] < least ? x[i] : least;
    }
    *minimum = least;
    return sum;
}

static void run_min_sum(void *state, size_t repetitions)
{
    reduce_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        s->sum = min_sum_of(s->n, s->x, &s->minimum);
}

/* Whole numbers: exact in any order. */
static bool check(void *state)
{
    const reduce_state *s = state;
    double sum = 0;
    for (size_t i = 0; i < s->n; ++i)
        sum += x_at(i);
    return s->sum == sum && s->minimum == -500;
}

const native_way native_min_sum = {
    .name = "min-sum-omp", .open = open_reduce, .run = run_min_sum, .check = check, .close = close_reduce};
