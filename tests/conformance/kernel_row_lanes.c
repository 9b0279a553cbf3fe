/* SPDX-License-Identifier: Apache-2.0 */
/* Rows with 1, 2, 4 and 16 lanes: the order of accel/kernel/row.h for several types, in loops over rows of both forms of kernel
 * and of one block. */
#include "../kernels/row_lanes.h"
#include "trial.h"

#include <math.h>
#include <stdio.h>

/* The last one of block kernels alone. */
static const size_t lane_counts[] = {1, 2, 16, 4};
enum { LANE_COUNTS = sizeof lane_counts / sizeof lane_counts[0], MOST_LANES = 16 };

/* Row r has lengths[r % 10] elements. */
static const uint32_t lengths[] = {0, 1, 2, 15, 16, 17, 100, 0, 33, 64};

/* The form and the lanes under test. */
static size_t lanes;
static bool one_team, turns_again;

/* The sum of squares of a row's m numbers v, and the row's scan. */
static double sum_of(const float *v, size_t m)
{
    double lane[MOST_LANES] = {0};
    for (size_t j = 0; j < m; ++j)
        lane[j % lanes] += (double)v[j] * (double)v[j];
    for (size_t h = lanes / 2; h != 0; h /= 2)
        for (size_t k = 0; k < h; ++k)
            lane[k] += lane[k + h];
    return lane[0];
}

static void scan_of(const float *v, size_t m, float *scan)
{
    float before = 0;
    for (size_t at = 0; at < m; at += lanes) {
        const size_t count = m - at < lanes ? m - at : lanes;
        memcpy(scan + at, v + at, count * sizeof *v);
        for (size_t h = 1; h < count; h *= 2)
            for (size_t k = count; k-- > h;)
                scan[at + k] = scan[at + k - h] + scan[at + k];
        for (size_t k = 0; k < count; ++k)
            scan[at + k] = before + scan[at + k];
        before = scan[at + count - 1];
    }
}

/* Row r, whose m elements begin with number `at`; the pointers point there. */
static void check_row(const trial *t, const float *v, size_t at, size_t m, const row_lanes_result *result,
                      const row_lanes_args *found)
{
    float *scan = host_memory(m * sizeof *scan);
    row_lanes_result right = {sum_of(v, m), INT64_MAX, 0, 0, 0, 0, {INFINITY, -INFINITY, (uint32_t)m}};
    scan_of(v, m, scan);
    for (size_t j = 0; j < m; ++j) {
        const float other = v[m - 1 - j];
        trial_doubles_equal(t, at + j, (double)found->scan[j], (double)scan[j]);
        trial_words_equal(t, at + j, found->before[j], right.most);
        trial_doubles_equal(t, at + j, (double)found->turned[j],
                            (double)(turns_again ? other + scan[m - 1 - j] : other));
        right.least = ROW_WORD(v[j]) < right.least ? ROW_WORD(v[j]) : right.least;
        right.most = ROW_NARROW(v[j]) > right.most ? ROW_NARROW(v[j]) : right.most;
        right.bits ^= ROW_BITS(at + j);
        right.span.least = fminf(right.span.least, v[j]);
        right.span.most = fmaxf(right.span.most, v[j]);
    }
    right.all = m == 0 ? 0 : scan[m - 1];
    trial_doubles_equal(t, 0, result->sum, right.sum);
    trial_words_equal(t, 1, result->least, right.least);
    trial_words_equal(t, 2, result->most, right.most);
    trial_words_equal(t, 3, result->again, right.most);
    trial_words_equal(t, 4, result->bits, right.bits);
    trial_doubles_equal(t, 5, (double)result->all, (double)right.all);
    trial_doubles_equal(t, 6, (double)result->span.least, (double)right.span.least);
    trial_doubles_equal(t, 7, (double)result->span.most, (double)right.span.most);
    trial_words_equal(t, 8, result->span.count, right.span.count);
    free(scan);
}

static void check(trial *t)
{
    const size_t n = t->n, copies = one_team ? trial_blocks(t) : 1;
    uint32_t *first = host_memory((n + 1) * sizeof *first), random = 77;
    first[0] = 0;
    for (size_t r = 0; r < n; ++r)
        first[r + 1] = first[r] + lengths[r % 10];
    const size_t count = first[n], all = copies * count;
    float *value = host_memory(count * sizeof *value), *scan = host_memory(all * sizeof *scan),
          *turned = host_memory(all * sizeof *turned);
    uint16_t *before = host_memory(all * sizeof *before);
    row_lanes_result *result = host_memory(copies * n * sizeof *result);
    for (size_t j = 0; j < count; ++j) {
        random = random * 1664525u + 1013904223u;
        value[j] = (float)(int32_t)(random >> 8) * 0x1p-17f * 1.5f - 95;
    }
    const row_lanes_args args = {.n = n,
                                 .first = trial_memory(t, first, (n + 1) * sizeof *first),
                                 .value = trial_memory(t, value, count * sizeof *value),
                                 .result = trial_memory(t, NULL, copies * n * sizeof *result),
                                 .scan = trial_memory(t, NULL, all * sizeof *scan),
                                 .before = trial_memory(t, NULL, all * sizeof *before),
                                 .turned = trial_memory(t, NULL, all * sizeof *turned)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.result, result, copies * n * sizeof *result);
    trial_read(t, args.scan, scan, all * sizeof *scan);
    trial_read(t, args.before, before, all * sizeof *before);
    trial_read(t, args.turned, turned, all * sizeof *turned);
    for (size_t copy = 0; copy < copies; ++copy)
        for (size_t r = 0; r < n; ++r) {
            const size_t at = copy * count + first[r];
            const row_lanes_args found = {.scan = scan + at, .before = before + at, .turned = turned + at};
            check_row(t, value + first[r], first[r], first[r + 1] - first[r], &result[copy * n + r], &found);
        }
    free(first);
    free(value);
    free(scan);
    free(turned);
    free(before);
    free(result);
}

static void try_form(const char *form, size_t counts, trial_shapes shapes)
{
    char name[64];
    for (size_t k = 0; k < counts; ++k) {
        lanes = lane_counts[k];
        snprintf(name, sizeof name, "row_lanes_%s_%zu", form, lanes);
        try_kernel(name, TRIAL_SIZES(0, 1, 7, 40), shapes, check);
    }
}

START_TEST(b7_rows_of_block_kernels_have_any_number_of_lanes)
{
    one_team = turns_again = false;
    try_form("block", LANE_COUNTS, trial_any_shape);
}
END_TEST

START_TEST(b7_rows_of_thread_kernels_may_be_on_both_sides_of_a_barrier)
{
    one_team = false;
    turns_again = true;
    try_form("thread", LANE_COUNTS - 1, trial_any_shape);
}
END_TEST

START_TEST(b7_rows_of_one_block_have_reductions_scans_and_elements)
{
    one_team = turns_again = true;
    try_form("team", LANE_COUNTS - 1, trial_line_shapes);
}
END_TEST

void row_lanes_tests(Suite *suite)
{
    add(suite, b7_rows_of_block_kernels_have_any_number_of_lanes);
    add(suite, b7_rows_of_thread_kernels_may_be_on_both_sides_of_a_barrier);
    add(suite, b7_rows_of_one_block_have_reductions_scans_and_elements);
}
