/* SPDX-License-Identifier: Apache-2.0 */
/* The reductions of sums.h by eight accumulators, each of which is one of the machine's widest vectors: written with vectors, because
 * of eight numbers gcc makes slow code. For a file that defines REAL, and REAL_SUFFIX as x86's functions of its vectors end. */
#include <math.h>
#include <omp.h>
#include <stddef.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#define LEAST_NAMED(suffix) _mm512_min_##suffix
#elif defined(__AVX__)
enum { VECTOR_BYTES = 32 };
#define LEAST_NAMED(suffix) _mm256_min_##suffix
#else
enum { VECTOR_BYTES = 16 };
#define LEAST_NAMED(suffix) _mm_min_##suffix
#endif

typedef REAL vector __attribute__((vector_size(VECTOR_BYTES)));
typedef REAL vector_anywhere __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));

/* A minimum and a sum need two sets of accumulators. With a set of eight, machines of 16 registers would keep some in memory. */
enum {
    WIDTH = VECTOR_BYTES / sizeof(REAL),
    EIGHT = 8,
#if defined(__x86_64__) && !defined(__AVX512F__)
    MIN_EIGHT = EIGHT / 2
#else
    MIN_EIGHT = EIGHT
#endif
};

static inline vector vector_at(const REAL *x)
{
    return *(const vector_anywhere *)x;
}

static inline vector least_of(vector a, vector b)
{
#if defined(__x86_64__)
#define LEAST_OF(suffix) LEAST_NAMED(suffix)
    return LEAST_OF(REAL_SUFFIX)(a, b);
#undef LEAST_OF
#else
    for (size_t k = 0; k < WIDTH; ++k)
        b[k] = a[k] < b[k] ? a[k] : b[k];
    return b;
#endif
}

static inline REAL sum_in(vector v)
{
    REAL sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < WIDTH; ++k)
        sum += v[k];
    return sum;
}

static inline REAL sum_in_all(const vector s[EIGHT])
{
    return sum_in(((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
}

static __attribute__((noinline)) REAL sum_alone_by_eight(size_t n, const REAL *x)
{
    vector s[EIGHT] = {{0}};
    size_t i = 0;
    for (; i + EIGHT * WIDTH <= n; i += EIGHT * WIDTH)
        for (size_t k = 0; k < EIGHT; ++k)
            s[k] += vector_at(x + i + k * WIDTH);
    for (; i + EIGHT / 2 * WIDTH <= n; i += EIGHT / 2 * WIDTH)
        for (size_t k = 0; k < EIGHT / 2; ++k)
            s[k] += vector_at(x + i + k * WIDTH);
    for (; i + WIDTH <= n; i += WIDTH)
        s[0] += vector_at(x + i);
    REAL sum = sum_in_all(s);
    for (; i < n; ++i)
        sum += x[i];
    return sum;
}

static __attribute__((noinline)) REAL dot_alone_by_eight(size_t n, const REAL *x, const REAL *y)
{
    vector s[EIGHT] = {{0}};
    size_t i = 0;
    for (; i + EIGHT * WIDTH <= n; i += EIGHT * WIDTH)
        for (size_t k = 0; k < EIGHT; ++k)
            s[k] += vector_at(x + i + k * WIDTH) * vector_at(y + i + k * WIDTH);
    for (; i + EIGHT / 2 * WIDTH <= n; i += EIGHT / 2 * WIDTH)
        for (size_t k = 0; k < EIGHT / 2; ++k)
            s[k] += vector_at(x + i + k * WIDTH) * vector_at(y + i + k * WIDTH);
    for (; i + WIDTH <= n; i += WIDTH)
        s[0] += vector_at(x + i) * vector_at(y + i);
    REAL dot = sum_in_all(s);
    for (; i < n; ++i)
        dot += x[i] * y[i];
    return dot;
}

static __attribute__((noinline)) REAL min_sum_alone_by_eight(size_t n, const REAL *x, REAL *minimum)
{
    vector s[EIGHT] = {{0}}, low[MIN_EIGHT];
    size_t i = 0;
    for (size_t k = 0; k < MIN_EIGHT; ++k)
        low[k] = s[k] + (REAL)INFINITY;
    for (; i + MIN_EIGHT * WIDTH <= n; i += MIN_EIGHT * WIDTH)
        for (size_t k = 0; k < MIN_EIGHT; ++k) {
            const vector v = vector_at(x + i + k * WIDTH);
            s[k] += v;
            low[k] = least_of(v, low[k]);
        }
    for (; i + WIDTH <= n; i += WIDTH) {
        s[0] += vector_at(x + i);
        low[0] = least_of(vector_at(x + i), low[0]);
    }
    for (size_t half = MIN_EIGHT / 2; half != 0; half /= 2)
        for (size_t k = 0; k < half; ++k)
            low[k] = least_of(low[k], low[k + half]);
    REAL sum = sum_in_all(s), least = INFINITY;
#pragma omp simd reduction(min : least)
    for (size_t k = 0; k < WIDTH; ++k)
        least = low[0][k] < least ? low[0][k] : least;
    for (; i < n; ++i) {
        sum += x[i];
        least = x[i] < least ? x[i] : least;
    }
    *minimum = least;
    return sum;
}

/* A thread's share of n elements begins at a vector. */
static inline size_t share_begin(size_t n, size_t thread)
{
    const size_t threads = (size_t)omp_get_num_threads();
    return thread == threads ? n : n / WIDTH * thread / threads * WIDTH;
}

static __attribute__((noinline)) REAL sum_of_by_eight(size_t n, const REAL *x)
{
    REAL sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        const size_t thread = (size_t)omp_get_thread_num(), begin = share_begin(n, thread);
        sum += sum_alone_by_eight(share_begin(n, thread + 1) - begin, x + begin);
    }
    return sum;
}

static __attribute__((noinline)) REAL dot_of_by_eight(size_t n, const REAL *x, const REAL *y)
{
    REAL dot = 0;
#pragma omp parallel reduction(+ : dot)
    {
        const size_t thread = (size_t)omp_get_thread_num(), begin = share_begin(n, thread);
        dot += dot_alone_by_eight(share_begin(n, thread + 1) - begin, x + begin, y + begin);
    }
    return dot;
}

static __attribute__((noinline)) REAL min_sum_of_by_eight(size_t n, const REAL *x, REAL *minimum)
{
    REAL sum = 0, least = INFINITY;
#pragma omp parallel reduction(+ : sum) reduction(min : least)
    {
        const size_t thread = (size_t)omp_get_thread_num(), begin = share_begin(n, thread);
        sum += min_sum_alone_by_eight(share_begin(n, thread + 1) - begin, x + begin, &least);
    }
    *minimum = least;
    return sum;
}
