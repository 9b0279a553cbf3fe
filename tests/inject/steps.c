/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of several steps while memory is short. A queue waits for the host, so its commands pile up and it asks for memory
 * again and again; in each call the first request is refused (shim.c). A call that failed has changed nothing, one that did
 * not has done all of it.
 */
#include "shim.h"

#include <accel/accel.h>
#include <accel/algorithm.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 1000, TURNS = 6, KEYS = 300, BINS = 8, SCANNED = 1 << 20 };

typedef struct site {
    accel_instance *instance;
    accel_device *device;
    accel_queue *queue;
    accel_event *gate;
} site;

static site begin(void)
{
    site s = {0};
    ck_assert_msg(inject_arm != NULL, "run with the shim preloaded");
    ck_assert_int_eq(accel_instance_create(NULL, &s.instance), ACCEL_OK);
    s.device = accel_instance_device(s.instance, 0);
    ck_assert_int_eq(accel_queue_create(s.device, NULL, &s.queue), ACCEL_OK);
    ck_assert_int_eq(accel_event_create(accel_instance_host(s.instance), NULL, &s.gate), ACCEL_OK);
    return s;
}

/* From here on nothing is executed. */
static void close_gate(const site *s)
{
    ck_assert_int_eq(accel_queue_wait(s->queue), ACCEL_OK);
    ck_assert_int_eq(accel_event_arm(s->gate), ACCEL_OK);
    ck_assert_int_eq(accel_queue_wait_event(s->queue, s->gate), ACCEL_OK);
}

static void open_gate(const site *s)
{
    ck_assert_int_eq(accel_event_signal(s->gate, ACCEL_OK), ACCEL_OK);
    ck_assert_int_eq(accel_queue_wait(s->queue), ACCEL_OK);
}

static void end(site *s)
{
    accel_event_release(s->gate);
    accel_queue_release(s->queue);
    accel_instance_release(s->instance);
}

static accel_buffer *make(const site *s, size_t size, size_t count)
{
    accel_buffer_desc desc = accel_buffer_1d(size, count);
    accel_buffer *made;
    ck_assert_int_eq(accel_buffer_create(s->device, &desc, &made), ACCEL_OK);
    return made;
}

/* Commands of other sizes, so that memory is asked for in all places of a call. */
static void pad(const site *s, accel_buffer *buffer, int round, int turn)
{
    const uint32_t value = 77;
    for (int i = 0; i < round % turn; ++i)
        ck_assert_int_eq(accel_fill(s->queue, buffer, &value, sizeof(value), NULL), ACCEL_OK);
}

/* The call, in which the first request for memory is refused. */
#define SHORT_OF_MEMORY(call)                                                                                          \
    __extension__({                                                                                                    \
        inject_arm(1);                                                                                                 \
        accel_status status_ = (call);                                                                                 \
        inject_arm(0);                                                                                                 \
        ck_assert_msg(status_ == ACCEL_OK || status_ == ACCEL_OUT_OF_MEMORY, "%s: %s", #call, accel_error_message());  \
        status_ == ACCEL_OK;                                                                                           \
    })

/* Both have happened, so the test has tested something. */
static void check_both(const bool done[ROUNDS])
{
    int times = 0;
    for (int i = 0; i < ROUNDS; ++i)
        times += done[i];
    ck_assert_int_gt(times, 0);
    ck_assert_int_lt(times, ROUNDS);
}

START_TEST(keys_are_sorted_or_as_they_were)
{
    site s = begin();
    accel_sort_desc desc = ACCEL_SORT_DESC_INIT;
    accel_buffer *buffers[ROUNDS], *other = make(&s, 4, KEYS);
    static uint32_t given[KEYS];
    bool done[ROUNDS];
    for (uint32_t i = 0; i < KEYS; ++i)
        given[i] = (i * UINT32_C(2654435761)) ^ i;
    desc.type = ACCEL_TYPE_UINT32;
    for (int round = 0; round < ROUNDS; ++round) {
        buffers[round] = make(&s, 4, KEYS);
        ck_assert_int_eq(accel_write(s.queue, buffers[round], given), ACCEL_OK);
    }
    ck_assert_int_eq(accel_sort(s.queue, &desc, other, NULL), ACCEL_OK); /* loads kernels */
    close_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        done[round] = SHORT_OF_MEMORY(accel_sort(s.queue, &desc, buffers[round], NULL));
        pad(&s, other, round, _i);
    }
    open_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        const uint32_t *keys = accel_buffer_ptr(buffers[round]);
        bool ordered = true;
        for (int i = 1; i < KEYS; ++i)
            ordered = ordered && keys[i - 1] <= keys[i];
        ck_assert_msg(done[round] ? ordered : memcmp(keys, given, sizeof(given)) == 0, "sort %d of %d, which %s", round,
                      ROUNDS, done[round] ? "succeeded" : "failed");
        accel_buffer_release(buffers[round]);
    }
    check_both(done);
    accel_buffer_release(other);
    end(&s);
}
END_TEST

START_TEST(values_are_counted_or_the_counts_are_as_they_were)
{
    site s = begin();
    accel_histogram_desc desc = ACCEL_HISTOGRAM_DESC_INIT;
    accel_buffer *values = make(&s, 4, KEYS), *counts[ROUNDS];
    const uint32_t value = 3, before = 77;
    bool done[ROUNDS];
    desc.type = ACCEL_TYPE_UINT32;
    desc.high = BINS;
    ck_assert_int_eq(accel_fill(s.queue, values, &value, sizeof(value), NULL), ACCEL_OK);
    for (int round = 0; round < ROUNDS; ++round) {
        counts[round] = make(&s, 4, BINS);
        ck_assert_int_eq(accel_fill(s.queue, counts[round], &before, sizeof(before), NULL), ACCEL_OK);
    }
    accel_buffer *other = make(&s, 4, BINS);
    ck_assert_int_eq(accel_histogram(s.queue, &desc, values, other), ACCEL_OK);
    close_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        done[round] = SHORT_OF_MEMORY(accel_histogram(s.queue, &desc, values, counts[round]));
        pad(&s, other, round, _i);
    }
    open_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        const uint32_t *found = accel_buffer_ptr(counts[round]);
        for (uint32_t i = 0; i < BINS; ++i)
            ck_assert_uint_eq(found[i], !done[round] ? before : i == value ? KEYS : 0);
        accel_buffer_release(counts[round]);
    }
    check_both(done);
    accel_buffer_release(other);
    accel_buffer_release(values);
    end(&s);
}
END_TEST

START_TEST(runs_are_found_or_the_results_are_as_they_were)
{
    site s = begin();
    accel_buffer *values = make(&s, 4, KEYS), *other = make(&s, 4, KEYS), *results[ROUNDS][3];
    const uint32_t value = 3, before = 77;
    bool done[ROUNDS];
    ck_assert_int_eq(accel_fill(s.queue, values, &value, sizeof(value), NULL), ACCEL_OK);
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0; i < 3; ++i) {
            results[round][i] = make(&s, 4, i == 2 ? 1 : KEYS);
            ck_assert_int_eq(accel_fill(s.queue, results[round][i], &before, sizeof(before), NULL), ACCEL_OK);
        }
    accel_buffer **first = results[0];
    ck_assert_int_eq(accel_run_lengths(s.queue, values, first[0], first[1], first[2]), ACCEL_OK);
    for (int i = 0; i < 3; ++i)
        ck_assert_int_eq(accel_fill(s.queue, first[i], &before, sizeof(before), NULL), ACCEL_OK);
    close_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        accel_buffer **out = results[round];
        done[round] = SHORT_OF_MEMORY(accel_run_lengths(s.queue, values, out[0], out[1], out[2]));
        pad(&s, other, round, _i);
    }
    open_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        const uint32_t expected[3] = {done[round] ? value : before, done[round] ? KEYS : before,
                                      done[round] ? 1 : before};
        for (int i = 0; i < 3; ++i) {
            const uint32_t *found = accel_buffer_ptr(results[round][i]);
            ck_assert_uint_eq(found[0], expected[i]);
            accel_buffer_release(results[round][i]);
        }
    }
    check_both(done);
    accel_buffer_release(other);
    accel_buffer_release(values);
    end(&s);
}
END_TEST

/* In their place: what a failed call left half done would be seen in all later ones. */
START_TEST(sums_are_scanned_or_are_as_they_were)
{
    site s = begin();
    accel_buffer *sums = make(&s, 4, SCANNED), *other = make(&s, 4, KEYS);
    const uint32_t type = ACCEL_TYPE_UINT32, sum = ACCEL_OPERATION_SUM, one = 1;
    bool done[ROUNDS];
    ck_assert_int_eq(accel_scan_values(s.queue, sums, type, sum, sums, ACCEL_SCAN_INCLUSIVE), ACCEL_OK);
    ck_assert_int_eq(accel_fill(s.queue, sums, &one, sizeof(one), NULL), ACCEL_OK);
    close_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        done[round] = SHORT_OF_MEMORY(accel_scan_values(s.queue, sums, type, sum, sums, ACCEL_SCAN_INCLUSIVE));
        pad(&s, other, round, _i);
    }
    open_gate(&s);
    uint32_t *expected = malloc(SCANNED * sizeof(*expected));
    ck_assert_ptr_nonnull(expected);
    for (size_t i = 0; i < SCANNED; ++i)
        expected[i] = 1;
    for (int round = 0; round < ROUNDS; ++round)
        for (size_t i = 1; i < SCANNED && done[round]; ++i)
            expected[i] += expected[i - 1];
    ck_assert_mem_eq(accel_buffer_ptr(sums), expected, SCANNED * sizeof(*expected));
    check_both(done);
    free(expected);
    accel_buffer_release(other);
    accel_buffer_release(sums);
    end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("steps");
    TCase *tests = tcase_create("memory is short");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, keys_are_sorted_or_as_they_were, 1, TURNS);
    tcase_add_loop_test(tests, values_are_counted_or_the_counts_are_as_they_were, 1, TURNS);
    tcase_add_loop_test(tests, runs_are_found_or_the_results_are_as_they_were, 1, TURNS);
    tcase_add_loop_test(tests, sums_are_scanned_or_are_as_they_were, 1, TURNS);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
