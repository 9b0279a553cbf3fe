/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms while memory is short. */
#include "steps.h"

#include <accel/algorithm.h>

#include <string.h>

enum { BINS = 8, BEFORE = 77 };

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
        ck_assert_int_eq(accel_write(s.blocking, buffers[round], given), ACCEL_OK);
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
    const uint32_t value = 3;
    bool done[ROUNDS];
    desc.type = ACCEL_TYPE_UINT32;
    desc.high = BINS;
    set(&s, values, value);
    for (int round = 0; round < ROUNDS; ++round) {
        counts[round] = make(&s, 4, BINS);
        set(&s, counts[round], BEFORE);
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
            ck_assert_uint_eq(found[i], !done[round] ? BEFORE : i == value ? KEYS : 0);
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
    const uint32_t value = 3;
    bool done[ROUNDS];
    set(&s, values, value);
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0; i < 3; ++i) {
            results[round][i] = make(&s, 4, i == 2 ? 1 : KEYS);
            set(&s, results[round][i], BEFORE);
        }
    accel_buffer **first = results[0];
    ck_assert_int_eq(accel_run_lengths(s.queue, values, first[0], first[1], first[2]), ACCEL_OK);
    ck_assert_int_eq(accel_queue_wait(s.queue), ACCEL_OK);
    for (int i = 0; i < 3; ++i)
        set(&s, first[i], BEFORE);
    close_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        accel_buffer **out = results[round];
        done[round] = SHORT_OF_MEMORY(accel_run_lengths(s.queue, values, out[0], out[1], out[2]));
        pad(&s, other, round, _i);
    }
    open_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        const uint32_t expected[3] = {done[round] ? value : BEFORE, done[round] ? KEYS : BEFORE,
                                      done[round] ? 1 : BEFORE};
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

/* Each third element is chosen; the others follow if `follows`. */
static void choose(accel_status call(accel_queue *, accel_buffer *, accel_buffer *, accel_buffer *, accel_buffer *),
                   bool follows, int turn)
{
    site s = begin();
    accel_buffer *from = make(&s, 4, KEYS), *flags = make(&s, 1, KEYS), *other = make(&s, 4, KEYS);
    accel_buffer *to[ROUNDS], *counts[ROUNDS];
    uint32_t given[KEYS], chosen[KEYS], nothing[KEYS];
    uint8_t flag[KEYS];
    bool done[ROUNDS];
    for (uint32_t i = 0, first = 0, rest = (KEYS + 2) / 3; i < KEYS; ++i) {
        nothing[i] = BEFORE;
        given[i] = 1000 + i;
        flag[i] = i % 3 == 0;
        if (flag[i])
            chosen[first++] = given[i];
        else
            chosen[rest++] = follows ? given[i] : BEFORE;
    }
    ck_assert_int_eq(accel_write(s.blocking, from, given), ACCEL_OK);
    ck_assert_int_eq(accel_write(s.blocking, flags, flag), ACCEL_OK);
    for (int round = 0; round < ROUNDS; ++round) {
        to[round] = make(&s, 4, KEYS);
        counts[round] = make(&s, 4, 1);
        set(&s, to[round], BEFORE);
        set(&s, counts[round], BEFORE);
    }
    ck_assert_int_eq(call(s.queue, from, flags, to[0], counts[0]), ACCEL_OK);
    ck_assert_int_eq(accel_queue_wait(s.queue), ACCEL_OK);
    set(&s, to[0], BEFORE);
    set(&s, counts[0], BEFORE);
    close_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        done[round] = SHORT_OF_MEMORY(call(s.queue, from, flags, to[round], counts[round]));
        pad(&s, other, round, turn);
    }
    open_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        ck_assert_mem_eq(accel_buffer_ptr(to[round]), done[round] ? chosen : nothing, sizeof(chosen));
        ck_assert_uint_eq(*(const uint32_t *)accel_buffer_ptr(counts[round]), done[round] ? (KEYS + 2) / 3 : BEFORE);
        accel_buffer_release(to[round]);
        accel_buffer_release(counts[round]);
    }
    check_both(done);
    accel_buffer_release(other);
    accel_buffer_release(flags);
    accel_buffer_release(from);
    end(&s);
}

START_TEST(elements_are_selected_or_the_results_are_as_they_were)
{
    choose(accel_select, false, _i);
}
END_TEST

START_TEST(elements_are_partitioned_or_the_results_are_as_they_were)
{
    choose(accel_partition, true, _i);
}
END_TEST

/* In their place: what a failed call left half done would be seen in all later ones. */
START_TEST(sums_are_scanned_or_are_as_they_were)
{
    site s = begin();
    accel_buffer *sums = make(&s, 4, SCANNED), *other = make(&s, 4, KEYS);
    const uint32_t type = ACCEL_TYPE_UINT32, sum = ACCEL_OPERATION_SUM;
    bool done[ROUNDS];
    ck_assert_int_eq(accel_scan_values(s.queue, sums, type, sum, sums, ACCEL_SCAN_INCLUSIVE), ACCEL_OK);
    ck_assert_int_eq(accel_queue_wait(s.queue), ACCEL_OK);
    set(&s, sums, 1);
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

void add_algorithms(TCase *tests)
{
    tcase_add_loop_test(tests, keys_are_sorted_or_as_they_were, 1, TURNS);
    tcase_add_loop_test(tests, values_are_counted_or_the_counts_are_as_they_were, 1, TURNS);
    tcase_add_loop_test(tests, runs_are_found_or_the_results_are_as_they_were, 1, TURNS);
    tcase_add_loop_test(tests, elements_are_selected_or_the_results_are_as_they_were, 1, TURNS);
    tcase_add_loop_test(tests, elements_are_partitioned_or_the_results_are_as_they_were, 1, TURNS);
    tcase_add_loop_test(tests, sums_are_scanned_or_are_as_they_were, 1, TURNS);
}
