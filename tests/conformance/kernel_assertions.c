/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions of kernels. */
#include "../kernels/assertions.h"
#include "trial.h"

#include <stdio.h>

static const trial_shape shapes[] = {{.dims = 1, .blocks = {1}, .threads = {1}, .elems = {1}},
                                     {.dims = 1, .blocks = {3}, .threads = {1}, .elems = {1}},
                                     {.dims = 1, .blocks = {4}, .threads = {100}, .elems = {1}},
                                     {.dims = 1, .blocks = {9}, .threads = {32}, .elems = {1}}};
static const trial_shape plane_shapes[] = {{.dims = 2, .blocks = {1, 3}, .threads = {4, 8}, .elems = {1, 1}}};
static const trial_shapes planes = {1, plane_shapes};
static const trial_shapes all = {sizeof shapes / sizeof shapes[0], shapes};

/* Who fails: what the text says of it. */
enum { A_THREAD, A_BLOCK, AN_ELEMENT };

/* Launches, and returns the failure with its text. */
static accel_status launch(trial *t, const assertions_args *args)
{
    accel_status status = accel_launch(t->queue, t->kernel, &t->work, args, sizeof *args);
    return status != ACCEL_OK ? status : accel_queue_wait(t->queue);
}

static void says(const trial *t, const char *text, const char *format, size_t a, size_t b)
{
    char part[128];
    snprintf(part, sizeof part, format, a, b);
    trial_assert(t, strstr(text, part) != NULL, "\"%s\" does not say \"%s\"", text, part);
}

static void check(trial *t, const char *kernel, const char *condition, int who)
{
    const size_t n = trial_threads(t), m = trial_block_threads(t), bytes = n * sizeof(uint32_t), bad = n * 2 / 3;
    const size_t width = t->work.threads[t->work.dims - 1];
    uint32_t *line = host_memory(bytes), *after = host_memory(bytes);
    assertions_args args = {.n = n, .line = trial_memory(t, NULL, bytes), .after = trial_memory(t, NULL, bytes)};
    char text[1024];
    for (int round = 0; round < 2; ++round) { /* after a failure all is as before */
        args.bad = n;
        trial_assert(t, launch(t, &args) == ACCEL_OK, "no assertion fails, but: %s", accel_error_message());
        trial_read(t, args.line, line, bytes);
        trial_read(t, args.after, after, bytes);
        for (size_t i = 0; i < n; ++i)
            trial_words_equal(t, i, after[i], 1);
        args.after = trial_memory(t, NULL, bytes);
        args.bad = bad;
        accel_status status = launch(t, &args);
        snprintf(text, sizeof text, "%s", accel_error_message());
        trial_assert(t, status == ACCEL_KERNEL_FAULT, "the launch gave %s: %s", accel_status_name(status), text);
        says(t, text, kernel, 0, 0);
        says(t, text, condition, 0, 0);
        says(t, text, "assertions.k.c:%zu,", line[who == A_BLOCK ? bad / m * m : bad] + 1, 0);
        if (who != AN_ELEMENT)
            says(t, text, "block (%zu, 0, 0)", bad / m, 0);
        if (who == A_THREAD)
            says(t, text, "thread (%zu, %zu, 0) of block (", bad % m % width, bad % m / width);
        (void)accel_queue_wait(t->queue); /* a blocking queue has the failure, too, until it is waited for */
        trial_assert(t, accel_queue_wait(t->queue) == ACCEL_OK, "reported twice: %s", accel_error_message());
        trial_read(t, args.after, after, bytes);
        trial_words_equal(t, bad, after[bad], 0);
    }
    free(line);
    free(after);
}

static void in_region(trial *t)
{
    check(t, "kernel \"assert_in_region\"", ": first + seen[t] != args.bad", A_THREAD);
}

static void in_rows(trial *t)
{
    check(t, "kernel \"assert_in_rows\"", ": first + ty * width + tx != args.bad", A_THREAD);
}

static void in_block(trial *t)
{
    check(t, "kernel \"assert_in_block\"", ": args.bad / accel_block_extent(acc).x != accel_block_index(acc).x",
          A_BLOCK);
}

static void in_loop(trial *t)
{
    check(t, "kernel \"assert_in_loop\"", ": i != args.bad", AN_ELEMENT);
}

static void in_thread(trial *t)
{
    check(t, "kernel \"assert_in_thread\"", ": i != args.bad", A_THREAD);
}

static void in_nosync(trial *t)
{
    check(t, "kernel \"assert_in_nosync\"", ": i != args.bad", A_THREAD);
}

START_TEST(k17_an_assertion_in_a_region_names_line_block_and_thread)
{
    try_kernel("assert_in_region", TRIAL_SIZES(1), all, in_region);
    try_kernel("assert_in_rows", TRIAL_SIZES(1), planes, in_rows);
}
END_TEST

START_TEST(k17_an_assertion_outside_regions_names_line_and_block)
{
    try_kernel("assert_in_block", TRIAL_SIZES(1), all, in_block);
}
END_TEST

START_TEST(k17_an_assertion_in_a_loop_over_elements_names_the_line)
{
    try_kernel("assert_in_loop", TRIAL_SIZES(1), all, in_loop);
}
END_TEST

START_TEST(k17_an_assertion_in_a_thread_kernel_names_line_block_and_thread)
{
    try_kernel("assert_in_thread", TRIAL_SIZES(1), all, in_thread);
}
END_TEST

START_TEST(k17_an_assertion_in_a_kernel_without_barriers_names_line_block_and_thread)
{
    try_kernel("assert_in_nosync", TRIAL_SIZES(1), all, in_nosync);
}
END_TEST

/* What waits for an event instead of the queue. */
static void event_of(trial *t)
{
    const size_t bytes = trial_threads(t) * sizeof(uint32_t);
    assertions_args args = {
        .n = trial_threads(t), .bad = 0, .line = trial_memory(t, NULL, bytes), .after = trial_memory(t, NULL, bytes)};
    accel_event *event = NULL;
    accel_status status = accel_event_create(test.device, NULL, &event);
    trial_assert(t, status == ACCEL_OK, "%s", accel_error_message());
    (void)accel_launch(t->queue, t->kernel, &t->work, &args, sizeof args); /* of a blocking queue it fails */
    status = accel_event_record(event, t->queue);
    trial_assert(t, status == ACCEL_OK, "%s", accel_error_message());
    status = accel_event_wait(event);
    trial_assert(t, status == ACCEL_KERNEL_FAULT, "the event gave %s", accel_status_name(status));
    status = accel_queue_wait(t->queue);
    trial_assert(t, status == ACCEL_KERNEL_FAULT, "the queue gave %s", accel_status_name(status));
    says(t, accel_error_message(), "assertion failed at", 0, 0);
    status = accel_event_record(event, t->queue);
    trial_assert(t, status == ACCEL_OK, "%s", accel_error_message());
    status = accel_event_wait(event);
    trial_assert(t, status == ACCEL_OK, "the next record carries it, too: %s", accel_error_message());
    accel_event_release(event);
}

START_TEST(k17_an_event_carries_a_failed_assertion)
{
    try_kernel("assert_in_region", TRIAL_SIZES(1), all, event_of);
}
END_TEST

void assertions_tests(Suite *suite)
{
    add(suite, k17_an_event_carries_a_failed_assertion);
    add(suite, k17_an_assertion_in_a_region_names_line_block_and_thread);
    add(suite, k17_an_assertion_outside_regions_names_line_and_block);
    add(suite, k17_an_assertion_in_a_loop_over_elements_names_the_line);
    add(suite, k17_an_assertion_in_a_thread_kernel_names_line_block_and_thread);
    add(suite, k17_an_assertion_in_a_kernel_without_barriers_names_line_block_and_thread);
}
