/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over elements of two and three dimensions visit each once. */
#include "../kernels/loops.h"
#include "trial.h"

/* A trial's size is the number of its extents. */
static const size_t extents[][3] = {{0, 5, 5},  {5, 0, 5}, {5, 5, 0},    {1, 1, 1},  {1, 5, 7},
                                    {3, 1, 33}, {4, 5, 6}, {2, 17, 100}, {40, 3, 1}, {13, 31, 29}};

static void check(trial *t, bool three)
{
    const size_t *extent = extents[t->n];
    const size_t count = extent[0] * extent[1] * (three ? extent[2] : 1);
    uint32_t *found = host_memory(count * sizeof *found);
    loops_args args = {.ni = extent[0],
                       .nj = extent[1],
                       .nk = three ? extent[2] : 1,
                       .count = trial_memory(t, NULL, count * sizeof *found)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.count, found, count * sizeof *found);
    for (size_t i = 0; i < count; ++i)
        trial_words_equal(t, i, found[i], 1);
    free(found);
}

static void two_dimensions(trial *t)
{
    check(t, false);
}

static void three_dimensions(trial *t)
{
    check(t, true);
}

static void odd_elements(trial *t)
{
    uint32_t *found = host_memory(t->n * sizeof *found);
    loops_args args = {.ni = t->n, .nj = 1, .nk = 1, .count = trial_memory(t, NULL, t->n * sizeof *found)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.count, found, t->n * sizeof *found);
    for (size_t i = 0; i < t->n; ++i)
        trial_words_equal(t, i, found[i], i % 2);
    free(found);
}

#define ALL_EXTENTS TRIAL_SIZES(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)

START_TEST(b3_for_each_of_two_dimensions_visits_every_element_once)
{
    try_kernel("loop_2d", ALL_EXTENTS, trial_any_shape, two_dimensions);
}
END_TEST

START_TEST(b3_for_each_of_two_dimensions_in_a_thread_kernel)
{
    try_kernel("loop_2d_threads", ALL_EXTENTS, trial_any_shape, two_dimensions);
}
END_TEST

START_TEST(b3_for_each_of_three_dimensions_visits_every_element_once)
{
    try_kernel("loop_3d", ALL_EXTENTS, trial_any_shape, three_dimensions);
    try_kernel("loop_3d_threads", ALL_EXTENTS, trial_any_shape, three_dimensions);
}
END_TEST

START_TEST(b3_continue_skips_one_element)
{
    try_kernel("loop_continue", TRIAL_ANY_SIZE, trial_any_shape, odd_elements);
}
END_TEST

void loops_tests(Suite *suite)
{
    add(suite, b3_for_each_of_two_dimensions_visits_every_element_once);
    add(suite, b3_for_each_of_two_dimensions_in_a_thread_kernel);
    add(suite, b3_for_each_of_three_dimensions_visits_every_element_once);
    add(suite, b3_continue_skips_one_element);
}
