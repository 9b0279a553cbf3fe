/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of floats with OpenMP; parameter 0 is n. */
#include <math.h>
#include <stdlib.h>

#include "way.h"

#define REAL float
#define REAL_SUFFIX ps
#define LANES 64 /* more leave more over, which small sums feel */
#define MIN_LANES 64

typedef struct sums_state {
    size_t n;
    float *x, *y;
    float sum, minimum;
} sums_state;

#include "sum_runs.h"

/* Sums of any part of them are whole numbers that floats have. */
static float x_at(size_t i)
{
    return (float)(i * 7919 % 101) - 50;
}

static void close_floats(void *state)
{
    sums_state *s = state;
    native_release(s->x);
    native_release(s->y);
    free(s);
}

static void *open_floats(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0];
    sums_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (sums_state){
        .n = n, .x = native_allocate(n, sizeof(float)), .y = native_allocate(n, sizeof(float)), .minimum = -50};
    if (s->x == NULL || s->y == NULL) {
        close_floats(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) {
        s->x[i] = x_at(i);
        s->y[i] = 1;
    }
    return s;
}

static bool check(void *state)
{
    const sums_state *s = state;
    float sum = 0;
    for (size_t i = 0; i < s->n; ++i)
        sum += x_at(i);
    return s->sum == sum && s->minimum == -50;
}

#define WAY(symbol, text, runs)                                                                                        \
    const native_way symbol = {.name = text, .open = open_floats, .run = runs, .check = check, .close = close_floats}

WAY(native_float_sum, "float-sum-omp", run_sum);
WAY(native_float_sum_serial, "float-sum-serial", run_sum_alone);
WAY(native_float_dot, "float-dot-omp", run_dot);
WAY(native_float_dot_serial, "float-dot-serial", run_dot_alone);
WAY(native_float_min_sum, "float-min-sum-omp", run_min_sum);
WAY(native_float_min_sum_serial, "float-min-sum-serial", run_min_sum_alone);
WAY(native_float_sum_eight, "float-sum-eight-omp", run_sum_eight);
WAY(native_float_sum_eight_serial, "float-sum-eight-serial", run_sum_eight_alone);
WAY(native_float_dot_eight, "float-dot-eight-omp", run_dot_eight);
WAY(native_float_dot_eight_serial, "float-dot-eight-serial", run_dot_eight_alone);
WAY(native_float_min_sum_eight, "float-min-sum-eight-omp", run_min_sum_eight);
WAY(native_float_min_sum_eight_serial, "float-min-sum-eight-serial", run_min_sum_eight_alone);
