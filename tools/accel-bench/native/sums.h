/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of arrays of REAL as they are written for speed with OpenMP: LANES accumulators of each thread, and MIN_LANES of a
 * minimum and a sum, in any order. For a file that defines the three and uses some; with `omp simd` alone
 * each addition would wait for the one before. It is what adds the accumulators up and takes what is left of the array. */
#include <math.h>
#include <stddef.h>

static __attribute__((noinline, unused)) REAL sum_of(size_t n, const REAL *x)
{
    REAL sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        REAL s[LANES] = {0};
#pragma omp for schedule(static) nowait
        for (size_t row = 0; row < n / LANES; ++row) {
            for (size_t k = 0; k < LANES; ++k)
                s[k] += x[row * LANES + k];
        }
#pragma omp simd reduction(+ : sum)
        for (size_t k = 0; k < LANES; ++k)
            sum += s[k];
    }
#pragma omp simd reduction(+ : sum)
    for (size_t i = n / LANES * LANES; i < n; ++i)
        sum += x[i];
    return sum;
}

/* What one thread does without OpenMP. */
static __attribute__((noinline, unused)) REAL sum_alone(size_t n, const REAL *x)
{
    REAL s[LANES] = {0}, sum = 0;
    const size_t whole = n / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES) {
        for (size_t k = 0; k < LANES; ++k)
            s[k] += x[i + k];
    }
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < LANES; ++k)
        sum += s[k];
#pragma omp simd reduction(+ : sum)
    for (size_t i = whole; i < n; ++i)
        sum += x[i];
    return sum;
}

static __attribute__((noinline, unused)) REAL dot_of(size_t n, const REAL *x, const REAL *y)
{
    REAL dot = 0;
#pragma omp parallel reduction(+ : dot)
    {
        REAL s[LANES] = {0};
#pragma omp for schedule(static) nowait
        for (size_t row = 0; row < n / LANES; ++row) {
            for (size_t k = 0; k < LANES; ++k)
                s[k] += x[row * LANES + k] * y[row * LANES + k];
        }
#pragma omp simd reduction(+ : dot)
        for (size_t k = 0; k < LANES; ++k)
            dot += s[k];
    }
#pragma omp simd reduction(+ : dot)
    for (size_t i = n / LANES * LANES; i < n; ++i)
        dot += x[i] * y[i];
    return dot;
}

static __attribute__((noinline, unused)) REAL dot_alone(size_t n, const REAL *x, const REAL *y)
{
    REAL s[LANES] = {0}, dot = 0;
    const size_t whole = n / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES) {
        for (size_t k = 0; k < LANES; ++k)
            s[k] += x[i + k] * y[i + k];
    }
#pragma omp simd reduction(+ : dot)
    for (size_t k = 0; k < LANES; ++k)
        dot += s[k];
#pragma omp simd reduction(+ : dot)
    for (size_t i = whole; i < n; ++i)
        dot += x[i] * y[i];
    return dot;
}

static __attribute__((noinline, unused)) REAL min_sum_of(size_t n, const REAL *x, REAL *minimum)
{
    REAL sum = 0, least = INFINITY;
#pragma omp parallel reduction(+ : sum) reduction(min : least)
    {
        REAL sums[MIN_LANES] = {0}, low[MIN_LANES];
        for (size_t k = 0; k < MIN_LANES; ++k)
            low[k] = INFINITY;
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < n / MIN_LANES; ++i) {
            for (size_t k = 0; k < MIN_LANES; ++k) {
                const REAL value = x[MIN_LANES * i + k];
                sums[k] += value;
                low[k] = value < low[k] ? value : low[k];
            }
        }
#pragma omp simd reduction(+ : sum) reduction(min : least)
        for (size_t k = 0; k < MIN_LANES; ++k) {
            sum += sums[k];
            least = low[k] < least ? low[k] : least;
        }
    }
#pragma omp simd reduction(+ : sum) reduction(min : least)
    for (size_t i = n / MIN_LANES * MIN_LANES; i < n; ++i) {
        sum += x[i];
        least = x[i] < least ? x[i] : least;
    }
    *minimum = least;
    return sum;
}

static __attribute__((noinline, unused)) REAL min_sum_alone(size_t n, const REAL *x, REAL *minimum)
{
    REAL sums[MIN_LANES] = {0}, low[MIN_LANES], sum = 0, least = INFINITY;
    const size_t whole = n / MIN_LANES * MIN_LANES;
    for (size_t k = 0; k < MIN_LANES; ++k)
        low[k] = INFINITY;
    for (size_t i = 0; i < whole; i += MIN_LANES) {
        for (size_t k = 0; k < MIN_LANES; ++k) {
            sums[k] += x[i + k];
            low[k] = x[i + k] < low[k] ? x[i + k] : low[k];
        }
    }
#pragma omp simd reduction(+ : sum) reduction(min : least)
    for (size_t k = 0; k < MIN_LANES; ++k) {
        sum += sums[k];
        least = low[k] < least ? low[k] : least;
    }
#pragma omp simd reduction(+ : sum) reduction(min : least)
    for (size_t i = whole; i < n; ++i) {
        sum += x[i];
        least = x[i] < least ? x[i] : least;
    }
    *minimum = least;
    return sum;
}
