/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exclusive scans of doubles: one thread in a loop, and OpenMP in two passes. Parameter 0 is n.
 *
 * The second is written for speed. Shares stay in the caches between the passes. Each thread scans vectors within themselves, or
 * eight parts of a block side by side, so that no addition waits for the one before it. For more than the caches keep, a thread asks
 * for its next share while it scans this one, and writes past the caches.
 */
#include <stdlib.h>

#include "past.h"
#include "way.h"

/* SHARE: elements of a thread between two barriers, so that two of them fit its second level. */
enum { PARTS = 8, BLOCK = 512, SHARE = 1 << 15, MAX_THREADS = 1024, LINE = 64, LINE_ELEMS = 8, AHEAD = 8192 };

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

/* Four vectors of sums: additions to one would wait for each other. `ahead`: bytes between what is read and what is asked for,
 * or 0. */
static inline double sum_of(size_t n, const double *x, size_t ahead)
{
    enum { LANES = 32 };
    double s[LANES] = {0}, sum = 0;
    const size_t whole = n / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES) {
        for (size_t b = 0; ahead != 0 && b < LANES * sizeof *x; b += LINE)
            __builtin_prefetch((const char *)(x + i) + ahead + b);
        for (size_t k = 0; k < LANES; ++k)
            s[k] += x[i + k];
    }
    for (size_t k = 0; k < LANES; ++k)
        sum += s[k];
    for (size_t i = whole; i < n; ++i)
        sum += x[i];
    return sum;
}

#if defined(__AVX512F__)

/* Places by which the elements of a vector move up; zeros follow. */
#define SHIFTED(v, places)                                                                                             \
    _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(v), _mm512_setzero_si512(), 8 - (places)))

/* Vectors are scanned within themselves; from one to the next a single addition waits. `next`: bytes to what is asked for, if the
 * result goes past the caches. */
static inline double scan_vectors(const double *x, double *out, double sum, bool past, size_t next)
{
    const __m512i last = _mm512_set1_epi64(7);
    __m512d before = _mm512_set1_pd(sum);
    for (size_t i = 0; i < BLOCK; i += LINE_ELEMS) {
        const __m512d v = _mm512_loadu_pd(x + i), one = SHIFTED(v, 1);
        const __m512d two = _mm512_add_pd(one, SHIFTED(one, 1)), four = _mm512_add_pd(two, SHIFTED(two, 2));
        const __m512d scanned = _mm512_add_pd(four, SHIFTED(four, 4)), result = _mm512_add_pd(before, scanned);
        if (past) {
            _mm_prefetch((const char *)(x + i) + next, _MM_HINT_T1);
            _mm512_stream_pd(out + i, result);
        } else
            _mm512_storeu_pd(out + i, result);
        before = _mm512_add_pd(before, _mm512_permutexvar_pd(last, _mm512_add_pd(scanned, v)));
    }
    return _mm512_cvtsd_f64(before);
}

static __attribute__((noinline)) double scan_block(const double *restrict x, double *restrict out, double sum)
{
    return scan_vectors(x, out, sum, false, 0);
}

static __attribute__((noinline)) double scan_block_past(const double *restrict x, double *restrict out, double sum,
                                                        size_t next)
{
    return scan_vectors(x, out, sum, true, next);
}

#else

static __attribute__((noinline)) double scan_block(const double *restrict x, double *restrict out, double sum)
{
    enum { LENGTH = BLOCK / PARTS };
    double s[PARTS];
    for (size_t p = 0; p < PARTS; ++p) {
        s[p] = sum;
        sum += sum_of(LENGTH, x + p * LENGTH, 0);
    }
    for (size_t i = 0; i < LENGTH; ++i) {
        for (size_t p = 0; p < PARTS; ++p) {
            out[p * LENGTH + i] = s[p];
            s[p] += x[p * LENGTH + i];
        }
    }
    return sum;
}

#if defined(__x86_64__)
static double scan_block_past(const double *restrict x, double *restrict out, double sum, size_t next)
{
    _Alignas(LINE) double block[BLOCK];
    for (size_t i = 0; i < BLOCK; i += LINE_ELEMS)
        __builtin_prefetch((const char *)(x + i) + next);
    sum = scan_block(x, block, sum);
    for (size_t i = 0; i < BLOCK; i += LINE_ELEMS)
        past_write_line(out + i, block + i);
    return sum;
}
#endif

#endif

#if defined(_OPENMP)

/* Where the share of thread `me` begins in `count` elements: with a line. */
static size_t share_begin(size_t count, size_t me, size_t threads)
{
    return me == threads ? count : count * me / threads / LINE_ELEMS * LINE_ELEMS;
}

static inline void scan_parallel(size_t n, const double *x, double *out, bool past)
{
    static double totals[2][MAX_THREADS];
#pragma omp parallel num_threads(omp_get_max_threads() < MAX_THREADS ? omp_get_max_threads() : MAX_THREADS)
    {
        const size_t threads = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        const size_t chunk = SHARE * threads;
        double before = 0;
        for (size_t at = 0, turn = 0; at < n; at += chunk, turn = 1 - turn) {
            const size_t count = n - at < chunk ? n - at : chunk;
            size_t i = at + share_begin(count, me, threads);
            const size_t end = at + share_begin(count, me + 1, threads);
            double sum = before;
            totals[turn][me] = sum_of(end - i, x + i, past && at == 0 ? AHEAD : 0);
#pragma omp barrier
            for (size_t t = 0; t < threads; ++t) {
                before += totals[turn][t];
                sum += t < me ? totals[turn][t] : 0;
            }
#if defined(__x86_64__)
            for (; past && end - i >= BLOCK; i += BLOCK)
                sum = scan_block_past(x + i, out + i, sum, chunk * sizeof *x);
#endif
            for (; end - i >= BLOCK; i += BLOCK)
                sum = scan_block(x + i, out + i, sum);
            scan_alone(end - i, x + i, out + i, sum);
        }
#if defined(__x86_64__)
        if (past)
            _mm_sfence();
#endif
    }
}

static void run_parallel(void *state, size_t repetitions)
{
    scan_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        scan_parallel(s->n, s->x, s->out, false);
}

#if defined(__x86_64__)
static void run_past(void *state, size_t repetitions)
{
    scan_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        scan_parallel(s->n, s->x, s->out, true);
}
#endif

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
#if defined(__x86_64__)
const native_way native_scan_past = {
    .name = "scan-past-caches", .open = open_scan, .run = run_past, .check = check, .close = close_scan};
#endif
#endif
