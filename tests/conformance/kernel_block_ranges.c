/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions and scans of ranges by a block: the bits that the order of accel/kernel/collective.h gives, for ranges shorter and
 * longer than the block, in both forms of kernel. */
#include "../kernels/block_ranges.h"
#include "block_order.h"
#include "trial.h"

#include <math.h>

static void add_doubles(void *a, const void *b)
{
    *(double *)a += *(const double *)b;
}
static void compose(void *a, const void *b)
{
    block_ranges_affine *first = a;
    const block_ranges_affine *second = b;
    first->offset = second->factor * first->offset + second->offset;
    first->factor = second->factor * first->factor;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* n values of a range, by m threads. */
static double sum_of(const double *values, size_t n, size_t m)
{
    double *each = host_memory(m * sizeof *each), sum;
    for (size_t i = 0; i < m; ++i)
        each[i] = 0;
    for (size_t i = 0; i < n; ++i)
        each[i % m] += values[i];
    block_order_reduce(each, n == 0 ? 1 : smaller(n, m), sizeof *each, add_doubles, &sum);
    free(each);
    return sum;
}

/* Each value becomes what it and those before it make; `before`, what to start with, what all make. */
static void scan_of(void *values, size_t n, size_t m, size_t size, into_function into, void *before)
{
    for (size_t first = 0; first < n; first += m) {
        char *tile = (char *)values + first * size;
        const size_t count = smaller(n - first, m);
        block_order_scan(tile, count, size, into);
        for (size_t i = 0; i < count; ++i) {
            char left[BLOCK_ORDER_LARGEST];
            memcpy(left, before, size);
            into(left, tile + i * size);
            memcpy(tile + i * size, left, size);
        }
        memcpy(before, tile + (count - 1) * size, size);
    }
}

static void affines_equal(const trial *t, size_t i, block_ranges_affine found, block_ranges_affine expected)
{
    trial_doubles_equal(t, i, found.factor, expected.factor);
    trial_doubles_equal(t, i, found.offset, expected.offset);
}

/* What each thread of block b was told. */
static void check_results(const trial *t, const block_ranges_results *each, const block_ranges_results *expected)
{
    for (size_t i = 0; i < trial_block_threads(t); ++i)
        trial_assert(t, memcmp(&each[i], expected, sizeof *expected) == 0, "thread %zu was told other results", i);
}

static void check_block(const trial *t, const block_ranges_args *host, size_t b)
{
    const size_t n = t->n, m = trial_block_threads(t), third = n / 3, at = b * n;
    const double *x = host->x + at, *y = host->y + at;
    double *products = host_memory(n * sizeof *products), *rest = host_memory(n * sizeof *rest);
    block_ranges_affine *composed = host_memory(n * sizeof *composed), start = {1, 0};
    block_ranges_results results = {.span.least = INFINITY, .composed = start};
    uint16_t kept = 0;
    for (size_t i = 0; i < n; ++i) {
        products[i] = x[i] * y[i];
        rest[i] = y[i];
        composed[i] = (block_ranges_affine){1 + x[i] * 0x1p-12, y[i]};
        results.most = (uint16_t)(x[i] * 1000) > results.most ? (uint16_t)(x[i] * 1000) : results.most;
        if (i >= n / 2)
            results.span.least = fmin(results.span.least, products[i]);
        if (i < BLOCK_RANGES_TILE) {
            trial_words_equal(t, i, host->kept[at + i], kept);
            kept = (uint16_t)(kept + (x[i] > 1));
        }
    }
    results.kept = kept;
    results.sum = sum_of(products, n, m);
    results.span.sum = sum_of(products + n / 2, n - n / 2, m);
    scan_of(products, n, m, sizeof *products, add_doubles, &results.last);
    scan_of(rest + third, n - third, m, sizeof *rest, add_doubles, &results.all);
    scan_of(composed, n, m, sizeof *composed, compose, &results.composed);
    results.before = results.composed;
    for (size_t i = 0; i < n; ++i) {
        trial_doubles_equal(t, i, host->inclusive[at + i], products[i]);
        trial_doubles_equal(t, i, host->in_place[at + i], i < third ? y[i] : i == third ? 0 : rest[i - 1]);
        affines_equal(t, i, host->composed[at + i], composed[i]);
        affines_equal(t, i, host->before[at + i], i == 0 ? start : composed[i - 1]);
    }
    check_results(t, host->each + b * m, &results);
    free(products);
    free(rest);
    free(composed);
}

static void check(trial *t)
{
    const size_t blocks = trial_blocks(t), all = blocks * t->n, threads = trial_threads(t);
    double *x = host_memory(all * sizeof *x), *y = host_memory(all * sizeof *y);
    double *inclusive = host_memory(all * sizeof *inclusive), *in_place = host_memory(all * sizeof *in_place);
    block_ranges_affine *composed = host_memory(all * sizeof *composed), *before = host_memory(all * sizeof *before);
    uint16_t *kept = host_memory(all * sizeof *kept);
    block_ranges_results *each = host_memory(threads * sizeof *each);
    uint32_t random = 2026;
    for (size_t i = 0; i < all; ++i) {
        random = random * 1664525u + 1013904223u;
        x[i] = 0.25 + (double)(random >> 8) * 0x1.8p-24;
        y[i] = ldexp(1 + (double)(random % 4096) * 0x1p-12, (int)(random >> 27) - 16) / 3;
    }
    const block_ranges_args args = {.n = t->n,
                                    .x = trial_memory(t, x, all * sizeof *x),
                                    .y = trial_memory(t, y, all * sizeof *y),
                                    .inclusive = trial_memory(t, NULL, all * sizeof *inclusive),
                                    .in_place = trial_memory(t, NULL, all * sizeof *in_place),
                                    .composed = trial_memory(t, NULL, all * sizeof *composed),
                                    .before = trial_memory(t, NULL, all * sizeof *before),
                                    .kept = trial_memory(t, NULL, all * sizeof *kept),
                                    .each = trial_memory(t, NULL, threads * sizeof *each)};
    const block_ranges_args host = {t->n, x, y, inclusive, in_place, composed, before, kept, each};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.inclusive, inclusive, all * sizeof *inclusive);
    trial_read(t, args.in_place, in_place, all * sizeof *in_place);
    trial_read(t, args.composed, composed, all * sizeof *composed);
    trial_read(t, args.before, before, all * sizeof *before);
    trial_read(t, args.kept, kept, all * sizeof *kept);
    trial_read(t, args.each, each, threads * sizeof *each);
    for (size_t b = 0; b < blocks; ++b)
        check_block(t, &host, b);
    free(x);
    free(y);
    free(inclusive);
    free(in_place);
    free(composed);
    free(before);
    free(kept);
    free(each);
}

#define LINE(b, t)                                                                                                     \
    {                                                                                                                  \
        .dims = 1, .blocks = {b}, .threads = {t}, .elems = { 1 }                                                       \
    }
static const trial_shape some_shapes[] = {
    LINE(2, 1),   LINE(1, 31),   LINE(2, 32),
    LINE(1, 33),  LINE(2, 128),  LINE(1, 100),
    LINE(1, 256), LINE(1, 1024), {.dims = 3, .blocks = {1, 1, 2}, .threads = {3, 5, 7}, .elems = {1, 1, 1}}};
static const trial_shapes shapes = {sizeof some_shapes / sizeof some_shapes[0], some_shapes};
/* Those of a block, and a value less and more. */
#define SIZES TRIAL_SIZES(0, 1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 5000)

START_TEST(b6_ranges_by_block_kernels_have_one_order)
{
    try_kernel("block_ranges_block_form", SIZES, shapes, check);
}
END_TEST

START_TEST(b6_ranges_by_thread_kernels_have_the_same_order)
{
    try_kernel("block_ranges_thread_form", SIZES, shapes, check);
}
END_TEST

void block_ranges_tests(Suite *suite)
{
    add(suite, b6_ranges_by_block_kernels_have_one_order);
    add(suite, b6_ranges_by_thread_kernels_have_the_same_order);
}
