/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exclusive scans of doubles: one thread in a loop, and OpenMP in two passes. Parameter 0 is n.
 *
 * The second is written for speed: chunks stay in the caches between the passes, and each thread scans eight parts of its
 * share side by side, so that no addition waits for the one before it.
 */
#include <stdlib.h>

#include "way.h"

enum { PARTS = 8, BLOCK = 4096, CHUNK = 1 << 18, MAX_THREADS = 1024 };

#if defined(_OPENMP)
#include <omp.h>
#endif

typedef struct scan_state {
    size_t n;
    double *x, *out;
} scan_state;

static double x_at(size_t i)
{
    return (double)(i * 7919 % 1009) - 500;
}

static void close_scan(void *state)
{
    scan_state *s = state;
    native_release(s->x);
    native_release(s->out);
    free(s);
}

static void *open_scan(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0];
    scan_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (scan_state){.n = n, .x = native_allocate(n, sizeof(double)), .out = native_allocate(n, sizeof(double))};
    if (s->x == NULL || s->out == NULL) {
        close_scan(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) {
        s->x[i] = x_at(i);
        s->out[i] = 0;
    }
    return s;
}

static __attribute__((noinline)) double scan_alone(size_t n, const double *restrict x, double *restrict out, double sum)
{
    for (size_t i = 0; i < n; ++i) {
        out[i] = sum;
        sum += x[i];
    }
    return sum;
}

static void run_alone(void *state, size_t repetitions)
{
    scan_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        scan_alone(s->n, s->x, s->out, 0);
}

static double sum_of(size_t n, const double *x)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; ++i)
        sum += x[i];
    return sum;
}

static __attribute__((noinline)) double scan_block(const double *restrict x, double *restrict out, double sum)
{
    enum { LENGTH = BLOCK / PARTS };
    double s[PARTS];
    for (size_t p = 0; p < PARTS; ++p) {
        s[p] = sum;
        sum += sum_of(LENGTH, x + p * LENGTH);
    }
    for (size_t i = 0; i < LENGTH; ++i) {
        for (size_t p = 0; p < PARTS; ++p) {
            out[p * LENGTH + i] = s[p];
            s[p] += x[p * LENGTH + i];
        }
    }
    return sum;
}

#if defined(_OPENMP)
static __attribute__((noinline)) void scan_parallel(size_t n, const double *x, double *out)
{
    static double totals[2][MAX_THREADS];
#pragma omp parallel num_threads(omp_get_max_threads() < MAX_THREADS ? omp_get_max_threads() : MAX_THREADS)
    {
        const size_t threads = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        double before = 0;
        for (size_t at = 0, turn = 0; at < n; at += CHUNK, turn = 1 - turn) {
            const size_t count = n - at < CHUNK ? n - at : CHUNK;
            size_t i = at + count * me / threads;
            const size_t end = at + count * (me + 1) / threads;
            double sum = before;
            totals[turn][me] = sum_of(end - i, x + i);
#pragma omp barrier
            for (size_t t = 0; t < threads; ++t) {
                before += totals[turn][t];
                sum += t < me ? totals[turn][t] : 0;
            }
            for (; end - i >= BLOCK; i += BLOCK)
                sum = scan_block(x + i, out + i, sum);
            scan_alone(end - i, x + i, out + i, sum);
        }
    }
}

static void run_parallel(void *state, size_t repetitions)
{
    scan_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        scan_parallel(s->n, s->x, s->out);
}
#endif

/* Whole numbers: exact in any order. */
static bool check(void *state)
{
    const scan_state *s = state;
    double sum = 0;
    for (size_t i = 0; i < s->n; ++i) {
        if (s->out[i] != sum)
            return false;
        sum += x_at(i);
    }
    return true;
}

const native_way native_scan_serial = {
    .name = "scan-serial", .open = open_scan, .run = run_alone, .check = check, .close = close_scan};
#if defined(_OPENMP)
const native_way native_scan_parallel = {
    .name = "scan-omp", .open = open_scan, .run = run_parallel, .check = check, .close = close_scan};
#endif
