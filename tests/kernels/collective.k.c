/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions, scans, broadcasts and sorts over the threads of a block, in both forms of kernel. Any number of blocks
 * and threads, one to three dimensions. The sorted tile has n elements, for any number of threads. */
#include <accel/kernel/collective.h>
#include "collective.h"

ACCEL_REDUCER(collective_line, line, a, b, {1, 0})
{
    a.c = a.c * b.m + b.c;
    a.m *= b.m;
    return a;
}

ACCEL_REDUCER(collective_span, span, a, b, {INFINITY, -INFINITY, 0})
{
    a.least = b.least < a.least ? b.least : a.least;
    a.most = b.most > a.most ? b.most : a.most;
    a.count += b.count;
    return a;
}

#define DESCENDING(a, b) ((a).key > (b).key)

ACCEL_FN collective_line line_of(float x, size_t t)
{
    const collective_line line = {(uint32_t)(x * 16384) * 2 + 1, (uint32_t)t};
    return line;
}
ACCEL_FN collective_span span_of(float x)
{
    const collective_span span = {x, x, 1};
    return span;
}

ACCEL_KERNEL(collective_block_form, collective_args, args)
{
    ACCEL_SHARED(acc, collective_pair, tile[COLLECTIVE_TILE]);
    ACCEL_SHARED(acc, collective_pair, spare[COLLECTIVE_TILE]);
    ACCEL_PRIVATE(acc, float, product);
    ACCEL_PRIVATE(acc, float, inclusive);
    ACCEL_PRIVATE(acc, float, exclusive);
    ACCEL_PRIVATE(acc, double, wide);
    ACCEL_PRIVATE(acc, collective_line, lines);
    ACCEL_PRIVATE(acc, collective_line, lines_before);
    ACCEL_PRIVATE(acc, collective_span, spans);
    ACCEL_PRIVATE(acc, uint32_t, whole);
    ACCEL_PRIVATE(acc, uint16_t, narrow);
    ACCEL_PRIVATE(acc, uint16_t, narrow_before);
    const accel_index extent = accel_block_extent(acc), index = accel_block_index(acc), grid = accel_grid_extent(acc);
    const size_t threads = extent.x * extent.y * extent.z;
    const size_t block = (index.z * grid.y + index.y) * grid.x + index.x, first = block * threads;
    ACCEL_THREADS(acc, t) {
        const float x = args.x[first + t], y = args.y[first + t];
        ACCEL_MY(product, t) = x * y;
        ACCEL_MY(inclusive, t) = x * y;
        ACCEL_MY(exclusive, t) = x;
        ACCEL_MY(wide, t) = (double)x * (double)y * (double)y;
        ACCEL_MY(lines, t) = line_of(x, t);
        ACCEL_MY(lines_before, t) = line_of(x, t);
        ACCEL_MY(spans, t) = span_of(x);
        ACCEL_MY(whole, t) = x > 0.26f ? 1u : 0u;
        ACCEL_MY(narrow, t) = (uint16_t)(x * 1000);
        ACCEL_MY(narrow_before, t) = (uint16_t)(x * 1000);
        for (size_t i = t; i < args.n; i += threads) {
            const collective_pair pair = {args.key[block * args.n + i], (uint32_t)i};
            tile[i] = pair;
        }
    }
    const float product_sum = accel_block_reduce(acc, float, ACCEL_SUM, product);
    const float last = accel_block_inclusive_scan(acc, float, ACCEL_SUM, inclusive);
    (void)accel_block_exclusive_scan(acc, float, ACCEL_SUM, exclusive);
    const double sum = accel_block_exclusive_scan(acc, double, ACCEL_SUM, wide);
    const collective_line broadcast = accel_block_broadcast(acc, collective_line, lines, threads / 3);
    (void)accel_block_inclusive_scan(acc, collective_line, line, lines);
    const collective_line all_lines = accel_block_exclusive_scan(acc, collective_line, line, lines_before);
    const collective_span all_spans = accel_block_reduce(acc, collective_span, span, spans);
    const uint32_t every = accel_block_reduce(acc, uint32_t, ACCEL_AND, whole);
    const uint16_t most = accel_block_reduce(acc, uint16_t, ACCEL_MAX, narrow);
    (void)accel_block_inclusive_scan(acc, uint16_t, ACCEL_SUM, narrow);
    (void)accel_block_exclusive_scan(acc, uint16_t, ACCEL_MAX, narrow_before);
    accel_block_sort(acc, collective_pair, DESCENDING, tile, spare, args.n);
    ACCEL_THREADS(acc, t) {
        collective_thread *each = &args.each[first + t];
        each->inclusive = ACCEL_MY(inclusive, t);
        each->exclusive = ACCEL_MY(exclusive, t);
        each->exclusive_double = ACCEL_MY(wide, t);
        each->line = ACCEL_MY(lines, t);
        each->line_before = ACCEL_MY(lines_before, t);
        each->narrow = ACCEL_MY(narrow, t);
        each->narrow_before = ACCEL_MY(narrow_before, t);
        for (size_t i = t; i < args.n; i += threads)
            args.sorted[block * args.n + i] = tile[i];
    }
    ACCEL_ONCE(acc) {
        collective_block *result = &args.block[block];
        result->sum = sum;
        result->product_sum = product_sum;
        result->last = last;
        result->span = all_spans;
        result->every = every;
        result->broadcast = broadcast;
        result->all_lines = all_lines;
        result->most = most;
    }
}

ACCEL_THREAD_KERNEL(collective_thread_form, collective_args, args)
{
    ACCEL_SHARED(acc, collective_pair, tile[COLLECTIVE_TILE]);
    ACCEL_SHARED(acc, collective_pair, spare[COLLECTIVE_TILE]);
    const accel_index extent = accel_block_extent(acc), index = accel_block_index(acc), grid = accel_grid_extent(acc);
    const accel_index thread = accel_thread_index(acc);
    const size_t threads = extent.x * extent.y * extent.z, t = (thread.z * extent.y + thread.y) * extent.x + thread.x;
    const size_t block = (index.z * grid.y + index.y) * grid.x + index.x, first = block * threads;
    const float x = args.x[first + t], y = args.y[first + t];
    collective_block result;
    collective_thread each;
    for (size_t i = t; i < args.n; i += threads) {
        const collective_pair pair = {args.key[block * args.n + i], (uint32_t)i};
        tile[i] = pair;
    }
    result.product_sum = accel_sync_block_reduce(acc, float, ACCEL_SUM, x *y);
    each.inclusive = accel_sync_block_inclusive_scan(acc, float, ACCEL_SUM, x *y, &result.last);
    each.exclusive = accel_sync_block_exclusive_scan(acc, float, ACCEL_SUM, x, NULL);
    each.exclusive_double =
        accel_sync_block_exclusive_scan(acc, double, ACCEL_SUM, (double)x *(double)y *(double)y, &result.sum);
    result.broadcast = accel_sync_block_broadcast(acc, collective_line, line_of(x, t), threads / 3);
    each.line = accel_sync_block_inclusive_scan(acc, collective_line, line, line_of(x, t), NULL);
    each.line_before = accel_sync_block_exclusive_scan(acc, collective_line, line, line_of(x, t), &result.all_lines);
    result.span = accel_sync_block_reduce(acc, collective_span, span, span_of(x));
    result.every = accel_sync_block_reduce(acc, uint32_t, ACCEL_AND, x > 0.26f ? 1u : 0u);
    result.most = accel_sync_block_reduce(acc, uint16_t, ACCEL_MAX, (uint16_t)(x * 1000));
    each.narrow = accel_sync_block_inclusive_scan(acc, uint16_t, ACCEL_SUM, (uint16_t)(x * 1000), NULL);
    each.narrow_before = accel_sync_block_exclusive_scan(acc, uint16_t, ACCEL_MAX, (uint16_t)(x * 1000), NULL);
    accel_sync_block_sort(acc, collective_pair, DESCENDING, tile, spare, args.n);
    args.each[first + t] = each;
    for (size_t i = t; i < args.n; i += threads)
        args.sorted[block * args.n + i] = tile[i];
    if (t == 0)
        args.block[block] = result;
}
