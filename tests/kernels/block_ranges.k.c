/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions and scans of ranges by a block, in both forms of kernel. Any number of blocks and threads, one to three dimensions. */
#include <accel/kernel/collective.h>
#include "block_ranges.h"

ACCEL_REDUCER(block_ranges_affine, compose, a, b, {1, 0})
{
    a.offset = b.factor * a.offset + b.offset;
    a.factor = b.factor * a.factor;
    return a;
}
ACCEL_REDUCER(block_ranges_span, span, a, b, {INFINITY, 0})
{
    a.least = b.least < a.least ? b.least : a.least;
    a.sum += b.sum;
    return a;
}

ACCEL_FN block_ranges_affine affine_of(double x, double y)
{
    const block_ranges_affine affine = {1 + x * 0x1p-12, y};
    return affine;
}
ACCEL_FN block_ranges_span span_of(double x)
{
    const block_ranges_span one = {x, x};
    return one;
}

/* Of block number `block`, which has `threads` threads. */
#define OF_BLOCK                                                                                                       \
    const size_t n = args.n, shared_n = n < BLOCK_RANGES_TILE ? n : BLOCK_RANGES_TILE;                                 \
    const double *const x = args.x + block * n, *const y = args.y + block * n;                                         \
    double *const inclusive = args.inclusive + block * n, *const in_place = args.in_place + block * n;                 \
    block_ranges_affine *const composed = args.composed + block * n, *const before = args.before + block * n;          \
    block_ranges_results result;

/* What another thread reads. Nothing but the call stands between, so the call itself is a barrier before it reads. */
#define PREPARE_SUM                                                                                                    \
    for (size_t i = t; i < n; i += threads)                                                                            \
        in_place[n - 1 - i] = y[n - 1 - i];
#define PREPARE_SCAN                                                                                                   \
    for (size_t i = t; i < n; i += threads)                                                                            \
        composed[n - 1 - i] = affine_of(x[n - 1 - i], y[n - 1 - i]);

/* `call` begins as the names of the form do. */
#define SUM(call) result.sum = call##_reduce(acc, double, ACCEL_SUM, j, 0, n, x[j] * in_place[j]);
#define RANGES(call)                                                                                                   \
    result.composed = call##_inclusive_scan(acc, block_ranges_affine, compose, composed, j, 0, n, composed[j]);        \
    result.span = call##_reduce(acc, block_ranges_span, span, j, n / 2, n, span_of(x[j] * y[j]));                      \
    result.most = call##_reduce(acc, uint16_t, ACCEL_MAX, j, 0, n, (uint16_t)(x[j] * 1000));                           \
    result.last = call##_inclusive_scan(acc, double, ACCEL_SUM, inclusive, j, 0, n, x[j] * y[j]);                      \
    result.all = call##_exclusive_scan(acc, double, ACCEL_SUM, in_place, j, n / 3, n, in_place[j]);                    \
    result.before = call##_exclusive_scan(acc, block_ranges_affine, compose, before, j, 0, n, affine_of(x[j], y[j]));  \
    result.kept = call##_exclusive_scan(acc, uint16_t, ACCEL_SUM, tile, j, 0, shared_n, (uint16_t)(x[j] > 1 ? 1 : 0));

#define STORE                                                                                                          \
    for (size_t i = t; i < shared_n; i += threads)                                                                     \
        args.kept[block * n + i] = tile[i];                                                                            \
    args.each[block * threads + t] = result;

ACCEL_KERNEL(block_ranges_block_form, block_ranges_args, args)
{
    ACCEL_SHARED(acc, uint16_t, tile[BLOCK_RANGES_TILE]);
    const accel_index extent = accel_block_extent(acc), index = accel_block_index(acc), grid = accel_grid_extent(acc);
    const size_t block = (index.z * grid.y + index.y) * grid.x + index.x, threads = extent.x * extent.y * extent.z;
    OF_BLOCK
    ACCEL_THREADS_NOSYNC(acc, t) {
        PREPARE_SUM
    }
    SUM(accel_block_range)
    ACCEL_THREADS_NOSYNC(acc, t) {
        PREPARE_SCAN
    }
    RANGES(accel_block_range)
    ACCEL_THREADS(acc, t) {
        STORE
    }
}

ACCEL_THREAD_KERNEL(block_ranges_thread_form, block_ranges_args, args)
{
    ACCEL_SHARED(acc, uint16_t, tile[BLOCK_RANGES_TILE]);
    const accel_index extent = accel_block_extent(acc), index = accel_block_index(acc), grid = accel_grid_extent(acc);
    const accel_index thread = accel_thread_index(acc);
    const size_t block = (index.z * grid.y + index.y) * grid.x + index.x, threads = extent.x * extent.y * extent.z;
    const size_t t = (thread.z * extent.y + thread.y) * extent.x + thread.x;
    OF_BLOCK
    PREPARE_SUM
    SUM(accel_sync_block_range)
    PREPARE_SCAN
    RANGES(accel_sync_block_range)
    STORE
}
