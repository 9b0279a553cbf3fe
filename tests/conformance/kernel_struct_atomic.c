/* SPDX-License-Identifier: Apache-2.0 */
/* Updates of structs of 16 and 40 bytes as one step, many threads on few cells. */
#include "../kernels/struct_atomic.h"
#include "trial.h"

static void check(trial *t, size_t cells)
{
    complex_value *values = host_memory(cells * sizeof *values);
    statistics *summary = host_memory(cells * sizeof *summary), *expected = calloc(cells, sizeof *expected);
    ck_assert_ptr_nonnull(expected);
    for (uint64_t i = 0; i < t->n; ++i) {
        statistics *s = &expected[i % cells];
        if (s->count == 0 || i % 101 > s->largest) { /* i grows: the first that has it is the smallest */
            s->largest = i % 101;
            s->at = i;
        }
        s->count += 1;
        s->sum += i;
        s->squares += i * i;
    }
    struct_atomic_args args = {.n = t->n,
                               .cells = cells,
                               .values = trial_memory(t, NULL, cells * sizeof *values),
                               .summary = trial_memory(t, NULL, cells * sizeof *summary)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.values, values, cells * sizeof *values);
    trial_read(t, args.summary, summary, cells * sizeof *summary);
    for (size_t c = 0; c < cells; ++c) { /* all sums are exact below 2^53 */
        trial_doubles_equal(t, c, values[c].re, (double)expected[c].sum);
        trial_doubles_equal(t, c, values[c].im, -(double)expected[c].sum);
        trial_words_equal(t, c, summary[c].count, expected[c].count);
        trial_words_equal(t, c, summary[c].sum, expected[c].sum);
        trial_words_equal(t, c, summary[c].squares, expected[c].squares);
        trial_words_equal(t, c, summary[c].largest, expected[c].largest);
        trial_words_equal(t, c, summary[c].at, expected[c].at);
    }
    free(values);
    free(summary);
    free(expected);
}

/* What i in [0, n) with step `step` make of a cell. */
static void expect(statistics *s, size_t cells, size_t n, uint64_t step)
{
    memset(s, 0, cells * sizeof *s);
    for (uint64_t i = 0; i < n; i += step) {
        statistics *own = &s[i % cells];
        if (own->count == 0 || i % 101 > own->largest) {
            own->largest = i % 101;
            own->at = i;
        }
        own->count += 1;
        own->sum += i;
        own->squares += i * i;
    }
}

static void check_modified(trial *t, size_t cells)
{
    halves *pairs = host_memory(cells * sizeof *pairs);
    small_complex *smalls = host_memory(cells * sizeof *smalls),
                  *straddle = host_memory((cells + 1) * sizeof *straddle);
    wide_complex *wides = host_memory(cells * sizeof *wides);
    colour *colours = host_memory(cells * sizeof *colours);
    statistics *summary = host_memory(cells * sizeof *summary), *all = host_memory(cells * sizeof *all),
               *even = host_memory(cells * sizeof *even);
    expect(all, cells, t->n, 1);
    expect(even, cells, t->n, 2);
    char *base = trial_memory(t, NULL, (cells + 1) * sizeof *straddle);
    modify_args args = {.n = t->n,
                        .cells = cells,
                        .pairs = trial_memory(t, NULL, cells * sizeof *pairs),
                        .smalls = trial_memory(t, NULL, cells * sizeof *smalls),
                        .straddle = (small_complex *)(void *)(base + 4),
                        .wides = trial_memory(t, NULL, cells * sizeof *wides),
                        .colours = trial_memory(t, NULL, cells * sizeof *colours),
                        .summary = trial_memory(t, NULL, cells * sizeof *summary)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.pairs, pairs, cells * sizeof *pairs);
    trial_read(t, args.smalls, smalls, cells * sizeof *smalls);
    trial_read(t, base, straddle, (cells + 1) * sizeof *straddle);
    trial_read(t, args.wides, wides, cells * sizeof *wides);
    trial_read(t, args.colours, colours, cells * sizeof *colours);
    trial_read(t, args.summary, summary, cells * sizeof *summary);
    for (size_t c = 0; c < cells; ++c) {
        small_complex far;
        memcpy(&far, (char *)straddle + 4 + c * sizeof far, sizeof far);
        trial_words_equal(t, c, pairs[c].low, (uint16_t)all[c].count);
        trial_words_equal(t, c, pairs[c].high, (uint16_t)(2 * all[c].count));
        trial_doubles_equal(t, c, (double)smalls[c].re, (double)all[c].count);
        trial_doubles_equal(t, c, (double)smalls[c].im, -(double)all[c].count);
        trial_doubles_equal(t, c, (double)far.re, (double)all[c].count);
        trial_doubles_equal(t, c, (double)far.im, -(double)all[c].count);
        trial_doubles_equal(t, c, wides[c].re, (double)all[c].sum);
        trial_doubles_equal(t, c, wides[c].im, -(double)all[c].sum);
        trial_words_equal(t, c, (unsigned char)colours[c].red, (unsigned char)all[c].count);
        trial_words_equal(t, c, (unsigned char)colours[c].green, (unsigned char)-all[c].count);
        trial_words_equal(t, c, (unsigned char)colours[c].blue, all[c].count % 2);
        trial_words_equal(t, c, summary[c].count, even[c].count);
        trial_words_equal(t, c, summary[c].sum, even[c].sum);
        trial_words_equal(t, c, summary[c].squares, even[c].squares);
        trial_words_equal(t, c, summary[c].largest, even[c].largest);
        trial_words_equal(t, c, summary[c].at, even[c].at);
    }
    free(pairs);
    free(smalls);
    free(straddle);
    free(wides);
    free(colours);
    free(summary);
    free(all);
    free(even);
}

static void modify_one_cell(trial *t)
{
    check_modified(t, 1);
}

static void modify_many_cells(trial *t)
{
    check_modified(t, 1000);
}

static void one_cell(trial *t)
{
    check(t, 1);
}

static void few_cells(trial *t)
{
    check(t, 7);
}

static void many_cells(trial *t)
{
    check(t, 1000);
}

static void try_cells(const char *kernel)
{
    try_kernel(kernel, TRIAL_SIZES(0, 1, 100, 2003), trial_any_shape, one_cell);
    try_kernel(kernel, TRIAL_SIZES(0, 1, 100, 2003), trial_any_shape, few_cells);
    try_kernel(kernel, TRIAL_SIZES(2003), trial_any_shape, many_cells);
}

START_TEST(k8_structs_are_updated_as_one_step_by_block_kernels)
{
    try_cells("struct_atomic_block");
}
END_TEST

START_TEST(k8_structs_are_updated_as_one_step_by_thread_kernels)
{
    try_cells("struct_atomic_thread");
}
END_TEST

START_TEST(k8_objects_of_any_size_are_modified_as_one_step)
{
    try_kernel("modify_block", TRIAL_SIZES(0, 1, 100, 1003), trial_any_shape, modify_one_cell);
    try_kernel("modify_block", TRIAL_SIZES(1003), trial_any_shape, modify_many_cells);
    try_kernel("modify_thread", TRIAL_SIZES(0, 1, 100, 1003), trial_any_shape, modify_one_cell);
    try_kernel("modify_thread", TRIAL_SIZES(1003), trial_any_shape, modify_many_cells);
}
END_TEST

void struct_atomic_tests(Suite *suite)
{
    add(suite, k8_objects_of_any_size_are_modified_as_one_step);
    add(suite, k8_structs_are_updated_as_one_step_by_block_kernels);
    add(suite, k8_structs_are_updated_as_one_step_by_thread_kernels);
}
