/* SPDX-License-Identifier: Apache-2.0 */
/* A product of a sparse matrix and a vector with 8 and with 32 lanes, and scans of each row with 4 lanes. Any work
 * division. */
#include <accel/kernel/row.h>
#include "row.h"

ACCEL_REDUCER(row_line, row_composed, a, b, {1, 0})
{
    a.c = a.c * b.m + b.c;
    a.m *= b.m;
    return a;
}

ACCEL_FN row_line row_line_of(const row_args args, size_t j)
{
    const row_line line = {2 * args.column[j] + 1, args.column[j]};
    return line;
}

/* The body of both forms. */
#define ROWS                                                                                                           \
    ACCEL_FOR_EACH_ROW(acc, row, args.n, 8) {                                                                          \
        const size_t begin = args.first[row], end = args.first[row + 1];                                               \
        if (begin == end && row % 2 == 1)                                                                              \
            continue;                                                                                                  \
        const float sum =                                                                                              \
            accel_row_reduce(acc, 8, float, ACCEL_SUM, j, begin, end, args.value[j] * args.x[args.column[j]]);         \
        ACCEL_ROW_ONCE(acc, 8)                                                                                         \
            args.sum[2 * row] += sum;                                                                                  \
    }                                                                                                                  \
    ACCEL_FOR_EACH_ROW(acc, row, args.n, 32) {                                                                         \
        const float sum = accel_row_reduce(acc, 32, float, ACCEL_SUM, j, args.first[row], args.first[row + 1],         \
                                           args.value[j] * args.x[args.column[j]]);                                    \
        ACCEL_ROW_ONCE(acc, 32)                                                                                        \
            args.sum[2 * row + 1] += sum;                                                                              \
    }                                                                                                                  \
    ACCEL_FOR_EACH_ROW(acc, row, args.n, 4) {                                                                          \
        const size_t begin = args.first[row], end = args.first[row + 1];                                               \
        row_line *const inclusive = args.scan, *const exclusive = args.scan + args.first[args.n];                      \
        ACCEL_ROW_FOR_EACH(acc, 4, j, begin, end)                                                                      \
            exclusive[j] = row_line_of(args, j);                                                                       \
        const row_line all =                                                                                           \
            accel_row_inclusive_scan(acc, 4, row_line, row_composed, inclusive, j, begin, end, row_line_of(args, j));  \
        ACCEL_ROW_ONCE(acc, 4)                                                                                         \
            args.line[row] = all;                                                                                      \
        (void)accel_row_exclusive_scan(acc, 4, row_line, row_composed, exclusive, j, begin, end, exclusive[j]);        \
    }

ACCEL_KERNEL(row_block_form, row_args, args){ROWS}

ACCEL_THREAD_KERNEL_NOSYNC(row_thread_form, row_args, args){ROWS}

/* A block that has all rows. */
ACCEL_KERNEL(row_team, row_team_args, args)
{
    const size_t first = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_PRIVATE(acc, float, total);
    ACCEL_PRIVATE(acc, float, alone);
    ACCEL_SHARED(acc, float, found[ROW_TEAM_MOST]);
    ACCEL_THREADS_NOSYNC(acc, t)
        ACCEL_MY(total, t) = ACCEL_MY(alone, t) = 0;
    ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, row, args.n, 8) {
        const float sum =
            accel_row_reduce(acc, 8, float, ACCEL_SUM, j, 0, args.m, args.a[row * args.m + j] * args.x[j]);
        ACCEL_ROW_ONCE(acc, 8)
            found[row] = sum;
        if (row % 5 == 3)
            continue;
        ACCEL_ROW_ONCE(acc, 8)
            ACCEL_MY(total, t) += args.y[row] * sum;
    }
    ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, row, args.n, 1)
        ACCEL_MY(alone, t) += args.y[row];
    ACCEL_THREADS(acc, t) {
        args.total[first + t] = ACCEL_MY(total, t);
        args.alone[first + t] = ACCEL_MY(alone, t);
        args.back[first + t] = t < args.n ? found[args.n - 1 - t] : 0;
    }
}

ACCEL_THREAD_KERNEL(row_team_of_threads, row_team_args, args)
{
    ACCEL_SHARED(acc, float, found[ROW_TEAM_MOST]);
    const size_t t = accel_thread_index(acc).x, i = accel_global_index(acc).x;
    float total = 0, alone = 0;
    ACCEL_THREAD_FOR_EACH_ROW_IN_BLOCK(acc, row, args.n, 8) {
        const float sum =
            accel_row_reduce(acc, 8, float, ACCEL_SUM, j, 0, args.m, args.a[row * args.m + j] * args.x[j]);
        ACCEL_ROW_ONCE(acc, 8)
            found[row] = sum;
        if (row % 5 == 3)
            continue;
        ACCEL_ROW_ONCE(acc, 8)
            total += args.y[row] * sum;
    }
    ACCEL_THREAD_FOR_EACH_ROW_IN_BLOCK(acc, row, args.n, 1)
        alone += args.y[row];
    accel_sync_block(acc);
    args.total[i] = total;
    args.alone[i] = alone;
    args.back[i] = t < args.n ? found[args.n - 1 - t] : 0;
}
