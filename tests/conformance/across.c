/* SPDX-License-Identifier: Apache-2.0 */
/* Two backends at once: waits and copies between them, and what core asks of a plugin. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

START_TEST(e3_e5_queues_wait_for_events_of_other_backends)
{
    accel_device *devices[] = {test.device, need_partner()};
    for (int from = 0; from < 2; ++from) {
        gate door;
        accel_device *there = devices[from], *here = devices[1 - from];
        accel_queue *recording = queue_new(there, 0), *waiting = queue_new(here, 0);
        accel_event *event = event_new(there, 0);
        accel_buffer *buffer = words_new(here, 100, 0);
        uint32_t one = 1;
        bool yes = true;
        gate_init(&door);
        gate_in(&door, recording);
        ok(accel_event_record(event, recording));
        ok(accel_queue_wait_event(waiting, event));
        ok(accel_fill(waiting, buffer, &one, sizeof one, NULL));
        sleep_ms(20);
        ok(accel_queue_is_idle(waiting, &yes));
        ck_assert(!yes);
        gate_open(&door);
        words_are(waiting, buffer, 1);
        accel_event_release(event);
        accel_buffer_release(buffer);
        accel_queue_release(recording);
        accel_queue_release(waiting);
        gate_destroy(&door);
    }
}
END_TEST

START_TEST(e5_data_handed_back_and_forth_between_backends_arrives)
{
    enum { N = 500, ROUNDS = 40 };
    accel_device *partner = need_partner();
    accel_queue *ours = queue_new(test.device, 0), *theirs = queue_new(partner, 0);
    accel_buffer *a = words_new(test.device, N, 1), *b = words_new(partner, N, 0);
    accel_event *from_us = event_new(test.device, 0), *from_them = event_new(partner, 0);
    words_args args = {.words = accel_buffer_ptr(a), .n = N, .value = 1};
    accel_work work = work_of(2, 1);
    uint32_t expected = 1;
    for (int round = 0; round < ROUNDS; ++round) {
        ok(accel_launch(ours, kernel_named("chain"), &work, &args, sizeof args));
        expected = 3 * expected + 1;
        ok(accel_event_record(from_us, ours));
        ok(accel_queue_wait_event(theirs, from_us));
        ok(accel_copy(theirs, b, a, NULL));
        ok(accel_event_record(from_them, theirs));
        ok(accel_queue_wait_event(ours, from_them));
        uint32_t zero = 0;
        ok(accel_fill(ours, a, &zero, sizeof zero, NULL));
        ok(accel_event_record(from_us, ours));
        ok(accel_queue_wait_event(theirs, from_us));
        ok(accel_copy(theirs, a, b, NULL));
        ok(accel_event_record(from_them, theirs));
        ok(accel_queue_wait_event(ours, from_them));
    }
    words_are(ours, a, expected);
    accel_event_release(from_us);
    accel_event_release(from_them);
    accel_buffer_release(a);
    accel_buffer_release(b);
    accel_queue_release(ours);
    accel_queue_release(theirs);
}
END_TEST

START_TEST(e5_waiting_queues_keep_no_other_from_running)
{
    enum { WAITERS = 40 };
    accel_device *partner = need_partner();
    accel_queue *held = queue_new(partner, 0), *waiting[WAITERS], *busy = queue_new(test.device, 0);
    accel_event *event = event_new(partner, 0);
    accel_buffer *buffer = words_new(test.device, 10, 0), *waited = words_new(test.device, WAITERS, 0), *words[WAITERS];
    uint32_t one = 1, two = 2;
    bool yes = true;
    faulty_queue_control *control = queue_control(held);
    control->hold(control);
    ok(accel_event_record(event, held));
    for (size_t i = 0; i < WAITERS; ++i) {
        waiting[i] = queue_new(test.device, 0);
        ok(accel_buffer_view(waited, &i, (size_t[]){1}, &words[i]));
        ok(accel_queue_wait_event(waiting[i], event));
        ok(accel_fill(waiting[i], words[i], &one, sizeof one, NULL));
    }
    ok(accel_fill(busy, buffer, &two, sizeof two, NULL));
    words_are(busy, buffer, 2);
    for (int i = 0; i < WAITERS; ++i) {
        ok(accel_queue_is_idle(waiting[i], &yes));
        ck_assert(!yes);
    }
    control->resume(control);
    for (int i = 0; i < WAITERS; ++i) {
        ok(accel_queue_wait(waiting[i]));
        accel_queue_release(waiting[i]);
        accel_buffer_release(words[i]);
    }
    words_are(busy, waited, 1);
    accel_event_release(event);
    accel_buffer_release(buffer);
    accel_buffer_release(waited);
    accel_queue_release(held);
    accel_queue_release(busy);
}
END_TEST

START_TEST(e5_a_record_that_is_complete_is_not_waited_for)
{
    accel_device *partner = need_partner();
    accel_queue *theirs = queue_new(partner, 0), *ours = queue_new(test.device, 0);
    accel_event *event = event_new(partner, 0), *never = event_new(partner, 0);
    accel_buffer *buffer = words_new(test.device, 10, 6);
    ok(accel_event_record(event, theirs));
    ok(accel_event_wait(event));
    ok(accel_queue_wait_event(ours, event));
    ok(accel_queue_wait_event(ours, never)); /* E1 across backends */
    words_are(ours, buffer, 6);
    accel_event_release(event);
    accel_event_release(never);
    accel_buffer_release(buffer);
    accel_queue_release(ours);
    accel_queue_release(theirs);
}
END_TEST

START_TEST(e5_a_waiting_queue_may_be_released)
{
    accel_device *partner = need_partner();
    accel_queue *held = queue_new(partner, 0), *waiting = queue_new(test.device, 0),
                *reader = queue_new(test.device, 0);
    accel_event *event = event_new(partner, 0), *filled = event_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 0);
    uint32_t one = 1;
    bool yes = true;
    faulty_queue_control *control = queue_control(held);
    control->hold(control);
    ok(accel_event_record(event, held));
    ok(accel_queue_wait_event(waiting, event));
    ok(accel_fill(waiting, buffer, &one, sizeof one, NULL));
    ok(accel_event_record(filled, waiting));
    accel_queue_release(waiting);
    accel_event_release(event);
    ok(accel_event_is_complete(filled, &yes));
    ck_assert(!yes);
    control->resume(control);
    ok(accel_event_wait(filled));
    words_are(reader, buffer, 1);
    accel_event_release(filled);
    accel_buffer_release(buffer);
    accel_queue_release(reader);
    accel_queue_release(held);
}
END_TEST

START_TEST(c5_submitting_calls_the_submitting_slots_only)
{
    accel_device *partner = need_partner();
    accel_queue *queue = queue_new(partner, 0);
    accel_event *event = event_new(partner, 0);
    accel_buffer *a = words_new(partner, 100, 1), *b = words_new(partner, 100, 2);
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_work work = work_of(1, 1);
    uint32_t value = 3, words[100] = {0};
    faulty_counts before, after;
    faulty_device_control *control = device_control(partner);
    ok(accel_module_load(partner, "conformance", &module));
    ok(accel_module_kernel(module, "add", &kernel));
    words_args args = {.words = accel_buffer_ptr(a), .n = 100, .value = 1};
    control->counts(control, &before);
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
    ok(accel_copy(queue, b, a, NULL));
    ok(accel_fill(queue, a, &value, sizeof value, NULL));
    ok(accel_write(queue, a, words));
    ok(accel_read(queue, words, b));
    ok(accel_event_record(event, queue));
    ok(accel_queue_wait_event(queue, event));
    control->counts(control, &after);
    ck_assert_uint_eq(after.submits, before.submits + 7);
    ck_assert_uint_eq(after.others, before.others);
    ck_assert_uint_eq(after.allocated, before.allocated);
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(words[99], 2);
    accel_module_release(module);
    accel_event_release(event);
    accel_buffer_release(a);
    accel_buffer_release(b);
    accel_queue_release(queue);
}
END_TEST

Suite *across_suite(void)
{
    Suite *suite = suite_create("across backends");
    add(suite, e3_e5_queues_wait_for_events_of_other_backends);
    add(suite, e5_data_handed_back_and_forth_between_backends_arrives);
    add(suite, e5_waiting_queues_keep_no_other_from_running);
    add(suite, e5_a_record_that_is_complete_is_not_waited_for);
    add(suite, e5_a_waiting_queue_may_be_released);
    add(suite, c5_submitting_calls_the_submitting_slots_only);
    return suite;
}
