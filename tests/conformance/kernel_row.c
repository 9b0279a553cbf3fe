/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a sparse matrix: sums in the order of accel/kernel/row.h, and scans; and the rows of one block. */
#include "../kernels/row.h"
#include "trial.h"

/* Row r has lengths[r % 10] elements. */
static const uint32_t lengths[] = {0, 1, 7, 8, 9, 31, 100, 0, 32, 300};

/* Joins the lanes by halves into lane 0. */
static float by_halves(float *lane, size_t lanes)
{
    for (size_t h = lanes / 2; h != 0; h /= 2)
        for (size_t k = 0; k < h; ++k)
            lane[k] += lane[k + h];
    return lane[0];
}

static float sum_of(const row_args *host, size_t row, size_t lanes)
{
    float lane[32] = {0};
    for (size_t j = host->first[row]; j < host->first[row + 1]; ++j) {
        const float product = host->value[j] * host->x[host->column[j]];
        lane[(j - host->first[row]) % lanes] += product;
    }
    return by_halves(lane, lanes);
}

static void check_scans(const trial *t, const row_args *host)
{
    const row_line *inclusive = host->scan, *exclusive = host->scan + host->first[host->n];
    for (size_t row = 0; row < host->n; ++row) {
        row_line all = {1, 0};
        for (size_t j = host->first[row]; j < host->first[row + 1]; ++j) {
            const uint32_t m = 2 * host->column[j] + 1;
            trial_words_equal(t, j, exclusive[j].m, all.m);
            trial_words_equal(t, j, exclusive[j].c, all.c);
            all = (row_line){all.m * m, all.c * m + host->column[j]};
            trial_words_equal(t, j, inclusive[j].m, all.m);
            trial_words_equal(t, j, inclusive[j].c, all.c);
        }
        trial_words_equal(t, row, host->line[row].m, all.m);
        trial_words_equal(t, row, host->line[row].c, all.c);
    }
}

static void check(trial *t)
{
    enum { COLUMNS = 1000 };
    const size_t n = t->n;
    uint32_t *first = host_memory((n + 1) * sizeof *first), random = 99;
    first[0] = 0;
    for (size_t r = 0; r < n; ++r)
        first[r + 1] = first[r] + lengths[r % 10];
    const size_t count = first[n];
    uint32_t *column = host_memory(count * sizeof *column);
    float *value = host_memory(count * sizeof *value), *x = host_memory(COLUMNS * sizeof *x);
    float *sum = host_memory(2 * n * sizeof *sum);
    row_line *line = host_memory(n * sizeof *line), *scan = host_memory(2 * count * sizeof *scan);
    for (size_t i = 0; i < count; ++i) {
        random = random * 1664525u + 1013904223u;
        column[i] = (random >> 8) % COLUMNS;
        value[i] = (float)((int)(random >> 21) - 1024) * 0x1p-8f;
    }
    for (size_t i = 0; i < COLUMNS; ++i)
        x[i] = (float)(i * 37 % 1024 + 1) * 0x1p-9f;
    const row_args args = {.n = n,
                           .first = trial_memory(t, first, (n + 1) * sizeof *first),
                           .column = trial_memory(t, column, count * sizeof *column),
                           .value = trial_memory(t, value, count * sizeof *value),
                           .x = trial_memory(t, x, COLUMNS * sizeof *x),
                           .sum = trial_memory(t, NULL, 2 * n * sizeof *sum),
                           .line = trial_memory(t, NULL, n * sizeof *line),
                           .scan = trial_memory(t, NULL, 2 * count * sizeof *scan)};
    const row_args host = {n, first, column, value, x, sum, line, scan};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.sum, sum, 2 * n * sizeof *sum);
    trial_read(t, args.line, line, n * sizeof *line);
    trial_read(t, args.scan, scan, 2 * count * sizeof *scan);
    for (size_t r = 0; r < n; ++r) {
        trial_doubles_equal(t, 2 * r, (double)sum[2 * r], (double)sum_of(&host, r, 8));
        trial_doubles_equal(t, 2 * r + 1, (double)sum[2 * r + 1], (double)sum_of(&host, r, 32));
    }
    check_scans(t, &host);
    free(first);
    free(column);
    free(value);
    free(x);
    free(sum);
    free(line);
    free(scan);
}

static float team_row(const row_team_args *host, size_t row)
{
    float lane[8] = {0};
    for (size_t j = 0; j < host->m; ++j)
        lane[j % 8] += host->a[row * host->m + j] * host->x[j];
    return by_halves(lane, 8);
}

static void check_team_block(const trial *t, const row_team_args *host, size_t block)
{
    const size_t threads = trial_block_threads(t), width = threads % 8 == 0 ? 8 : 1, groups = threads / width;
    for (size_t k = 0; k < threads; ++k) {
        float total = 0, alone = 0;
        for (size_t row = k / width; k % width == 0 && row < host->n; row += groups)
            total += row % 5 == 3 ? 0 : host->y[row] * team_row(host, row);
        for (size_t row = k; row < host->n; row += threads)
            alone += host->y[row];
        const size_t at = block * threads + k;
        trial_doubles_equal(t, at, (double)host->total[at], (double)total);
        trial_doubles_equal(t, at, (double)host->alone[at], (double)alone);
        trial_doubles_equal(t, at, (double)host->back[at], k < host->n ? (double)team_row(host, host->n - 1 - k) : 0);
    }
}

static void check_team(trial *t)
{
    enum { M = 37 };
    const size_t n = t->n, all = trial_threads(t);
    float *a = host_memory(n * M * sizeof *a), *x = host_memory(M * sizeof *x), *y = host_memory(n * sizeof *y);
    float *total = host_memory(all * sizeof *total), *alone = host_memory(all * sizeof *alone),
          *back = host_memory(all * sizeof *back);
    for (size_t i = 0; i < n * M; ++i)
        a[i] = (float)((int)(i * 7919 % 2048) - 1024) * 0x1p-8f;
    for (size_t j = 0; j < M; ++j)
        x[j] = (float)(j * 37 % 1024 + 1) * 0x1p-9f;
    for (size_t row = 0; row < n; ++row)
        y[row] = 1.0f / (float)(row + 3);
    const row_team_args args = {.n = n,
                                .m = M,
                                .a = trial_memory(t, a, n * M * sizeof *a),
                                .x = trial_memory(t, x, M * sizeof *x),
                                .y = trial_memory(t, y, n * sizeof *y),
                                .total = trial_memory(t, NULL, all * sizeof *total),
                                .alone = trial_memory(t, NULL, all * sizeof *alone),
                                .back = trial_memory(t, NULL, all * sizeof *back)};
    const row_team_args host = {n, M, a, x, y, total, alone, back};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.total, total, all * sizeof *total);
    trial_read(t, args.alone, alone, all * sizeof *alone);
    trial_read(t, args.back, back, all * sizeof *back);
    for (size_t block = 0; block < trial_blocks(t); ++block)
        check_team_block(t, &host, block);
    free(a);
    free(x);
    free(y);
    free(total);
    free(alone);
    free(back);
}

#define SIZES TRIAL_SIZES(0, 1, 7, 100)

START_TEST(b7_rows_of_a_block_kernel_have_one_order)
{
    try_kernel("row_block_form", SIZES, trial_any_shape, check);
}
END_TEST

START_TEST(b7_rows_of_a_thread_kernel_have_the_same_order)
{
    try_kernel("row_thread_form", SIZES, trial_any_shape, check);
}
END_TEST

START_TEST(b7_rows_of_one_block_are_shared_by_its_threads)
{
    try_kernel("row_team", SIZES, trial_line_shapes, check_team);
}
END_TEST

START_TEST(b7_rows_of_one_block_are_shared_by_threads_with_barriers_alike)
{
    try_kernel("row_team_of_threads", SIZES, trial_line_shapes, check_team);
}
END_TEST

void row_tests(Suite *suite)
{
    add(suite, b7_rows_of_a_block_kernel_have_one_order);
    add(suite, b7_rows_of_a_thread_kernel_have_the_same_order);
    add(suite, b7_rows_of_one_block_are_shared_by_its_threads);
    add(suite, b7_rows_of_one_block_are_shared_by_threads_with_barriers_alike);
}
