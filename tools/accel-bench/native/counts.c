/* SPDX-License-Identifier: Apache-2.0 */
/* How often each byte occurs, with OpenMP: as the reduction of an array, and by atomics. Parameter 0 is n. */
#include <stdlib.h>

#include "../cases/counts_values.h"
#include "way.h"

enum { BINS = 256 };

typedef struct counts_state {
    size_t n, done; /* passes */
    uint8_t *x;
    uint32_t bins[BINS];
} counts_state;

static void close_counts(void *state)
{
    counts_state *s = state;
    native_release(s->x);
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
    if (s->x == NULL) {
        close_counts(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i)
        s->x[i] = counts_byte(i);
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

static void run_reduction(void *state, size_t repetitions)
{
    counts_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        count_by_reduction(s->n, s->x, s->bins);
    s->done += repetitions;
}

static void run_atomics(void *state, size_t repetitions)
{
    counts_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        count_by_atomics(s->n, s->x, s->bins);
    s->done += repetitions;
}

/* Counts wrap, here and there. */
static bool check(void *state)
{
    const counts_state *s = state;
    uint32_t once[BINS] = {0};
    bool good = true;
    for (size_t i = 0; i < s->n; ++i)
        ++once[counts_byte(i)];
    for (size_t b = 0; b < BINS; ++b)
        good = good && s->bins[b] == (uint32_t)(once[b] * s->done);
    return good;
}

const native_way native_counts = {
    .name = "counts-omp", .open = open_counts, .run = run_reduction, .check = check, .close = close_counts};
const native_way native_counts_atomics = {
    .name = "counts-atomics-omp", .open = open_counts, .run = run_atomics, .check = check, .close = close_counts};
