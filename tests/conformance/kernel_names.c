/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that are called as functions of C are. */
#include "../kernels/names.h"
#include "trial.h"

typedef uint32_t (*value_function)(uint32_t i, uint32_t from);

static void check(trial *t, value_function value)
{
    const size_t bytes = t->n * sizeof(uint32_t);
    uint32_t *from = host_memory(bytes), *to = host_memory(bytes);
    for (uint32_t i = 0; i < t->n; ++i) {
        from[i] = i * 2654435761u + 1;
        to[i] = 77;
    }
    names_args args = {.n = t->n, .from = trial_memory(t, from, bytes), .to = trial_memory(t, to, bytes)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.to, to, bytes);
    for (uint32_t i = 0; i < t->n; ++i)
        trial_words_equal(t, i, to[i], value(i, from[i]));
    free(from);
    free(to);
}

static uint32_t copied(uint32_t i, uint32_t from)
{
    (void)i;
    return from;
}

static uint32_t zero(uint32_t i, uint32_t from)
{
    (void)i;
    (void)from;
    return 0;
}

static uint32_t own_number(uint32_t i, uint32_t from)
{
    (void)from;
    return i;
}

static void check_copy(trial *t)
{
    check(t, copied);
}

static void check_free(trial *t)
{
    check(t, zero);
}

static void check_main(trial *t)
{
    check(t, own_number);
}

START_TEST(k6_kernels_called_copy_and_free_are_found_and_run)
{
    try_kernel("copy", TRIAL_ANY_SIZE, trial_any_shape, check_copy);
    try_kernel("free", TRIAL_ANY_SIZE, trial_any_shape, check_free);
    try_kernel("thread", TRIAL_SIZES(100), trial_any_shape, check_copy);
    try_kernel("descriptor", TRIAL_SIZES(100), trial_any_shape, check_free);
}
END_TEST

START_TEST(k6_a_thread_kernel_called_main_is_found_and_runs)
{
    try_kernel("main", TRIAL_ANY_SIZE, trial_any_shape, check_main);
}
END_TEST

START_TEST(k6_a_macro_may_make_the_name_of_a_kernel)
{
    try_kernel("made_block", TRIAL_SIZES(100), trial_any_shape, check_free);
    try_kernel("made_thread", TRIAL_SIZES(100), trial_any_shape, check_copy);
}
END_TEST

static void check_clock(trial *t)
{
    const size_t threads = trial_threads(t), bytes = threads * sizeof(uint64_t);
    uint64_t *ticks = host_memory(bytes), *sum = host_memory(bytes), all = 0;
    clock_args args = {.n = t->n, .ticks = trial_memory(t, NULL, bytes), .sum = trial_memory(t, NULL, bytes)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.ticks, ticks, bytes);
    trial_read(t, args.sum, sum, bytes);
    for (size_t i = 0; i < threads; ++i) {
        trial_words_equal(t, i, sum[i], t->n * (t->n - 1) / 2);
        trial_assert(t, ticks[i] < UINT64_MAX / 2, "thread %zu: the clock went back", i);
        all += ticks[i];
    }
    trial_assert(t, all > 0, "the clock stands still");
    free(ticks);
    free(sum);
}

START_TEST(k18_the_clock_of_a_thread_grows)
{
    try_kernel("clock", TRIAL_SIZES(1000), trial_line_shapes, check_clock);
}
END_TEST

void names_tests(Suite *suite)
{
    add(suite, k6_kernels_called_copy_and_free_are_found_and_run);
    add(suite, k6_a_thread_kernel_called_main_is_found_and_runs);
    add(suite, k6_a_macro_may_make_the_name_of_a_kernel);
    add(suite, k18_the_clock_of_a_thread_grows);
}
