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
    try_kernel(kernel, TRIAL_SIZES(0, 1, 100, 5003), trial_any_shape, one_cell);
    try_kernel(kernel, TRIAL_SIZES(0, 1, 100, 5003), trial_any_shape, few_cells);
    try_kernel(kernel, TRIAL_SIZES(5003), trial_any_shape, many_cells);
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

void struct_atomic_tests(Suite *suite)
{
    add(suite, k8_structs_are_updated_as_one_step_by_block_kernels);
    add(suite, k8_structs_are_updated_as_one_step_by_thread_kernels);
}
