/* SPDX-License-Identifier: Apache-2.0 */
/* Events within one backend. */
#include "nouns.h"
#include "suite.h"

#include <stdatomic.h>

START_TEST(e1_never_recorded_counts_as_complete)
{
    accel_event *event = event_new(test.device, 0);
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 5, 1);
    bool yes = false;
    ok(accel_event_is_complete(event, &yes));
    ck_assert(yes);
    ok(accel_event_wait(event));
    ok(accel_queue_wait_event(queue, event));
    words_are(queue, buffer, 1);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_event_release(event);
}
END_TEST

START_TEST(e2_a_wait_refers_to_the_latest_record_at_its_call)
{
    gate first_door, second_door;
    accel_queue *first = queue_new(test.device, 0), *second = queue_new(test.device, 0),
                *waiter = queue_new(test.device, 0);
    accel_event *event = event_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 100, 0);
    uint32_t one = 1, two = 2;
    bool yes = true;
    gate_init(&first_door);
    gate_init(&second_door);
    gate_in(&first_door, first);
    ok(accel_fill(first, buffer, &one, sizeof one, NULL));
    ok(accel_event_record(event, first));
    ok(accel_queue_wait_event(waiter, event)); /* refers to the first record */
    gate_in(&second_door, second);
    ok(accel_event_record(event, second)); /* replaces it */
    ok(accel_event_is_complete(event, &yes));
    ck_assert(!yes);
    sleep_ms(20);
    ok(accel_queue_is_idle(waiter, &yes));
    ck_assert(!yes);
    gate_open(&first_door);
    words_are(waiter, buffer, 1); /* although the second record is not complete */
    ok(accel_event_is_complete(event, &yes));
    ck_assert(!yes);
    ok(accel_fill(waiter, buffer, &two, sizeof two, NULL));
    gate_open(&second_door);
    ok(accel_event_wait(event));
    words_are(waiter, buffer, 2);
    accel_queue_release(first);
    accel_queue_release(second);
    accel_queue_release(waiter);
    accel_event_release(event);
    accel_buffer_release(buffer);
    gate_destroy(&first_door);
    gate_destroy(&second_door);
}
END_TEST

START_TEST(an_event_is_complete_when_all_before_it_is)
{
    gate door;
    accel_queue *queue = queue_new(test.device, 0);
    accel_event *before = event_new(test.device, 0), *after = event_new(test.device, 0);
    bool yes = true;
    gate_init(&door);
    ok(accel_event_record(before, queue));
    gate_in(&door, queue);
    ok(accel_event_record(after, queue));
    ok(accel_event_wait(before));
    ok(accel_event_is_complete(after, &yes));
    ck_assert(!yes);
    gate_open(&door);
    ok(accel_event_wait(after));
    ok(accel_event_is_complete(after, &yes));
    ck_assert(yes);
    accel_event_release(before);
    accel_event_release(after);
    accel_queue_release(queue);
    gate_destroy(&door);
}
END_TEST

START_TEST(a_chain_of_queues_runs_in_the_order_of_its_events)
{
    enum { LINKS = 30 };
    accel_queue *queues[LINKS];
    accel_event *events[LINKS];
    accel_buffer *buffer = words_new(test.device, 100, 0);
    gate door;
    gate_init(&door);
    for (uint32_t i = 0; i < LINKS; ++i) {
        queues[i] = queue_new(test.device, 0);
        events[i] = event_new(test.device, 0);
        if (i == 0)
            gate_in(&door, queues[0]);
        else
            ok(accel_queue_wait_event(queues[i], events[i - 1]));
        ok(accel_fill(queues[i], buffer, &i, sizeof i, NULL));
        ok(accel_event_record(events[i], queues[i]));
    }
    gate_open(&door);
    ok(accel_event_wait(events[LINKS - 1]));
    words_are(queues[0], buffer, LINKS - 1);
    for (int i = 0; i < LINKS; ++i) {
        accel_event_release(events[i]);
        accel_queue_release(queues[i]);
    }
    accel_buffer_release(buffer);
    gate_destroy(&door);
}
END_TEST

/* A plain number, so that a sanitizer sees it if a turn is not ordered behind the one before it. */
typedef struct turns {
    uint32_t taken, wrong;
} turns;

static void take_even(void *user, accel_status status)
{
    turns *all = user;
    all->wrong += status != ACCEL_OK || all->taken % 2 != 0;
    all->taken++;
}

static void take_odd(void *user, accel_status status)
{
    turns *all = user;
    all->wrong += status != ACCEL_OK || all->taken % 2 != 1;
    all->taken++;
}

START_TEST(two_queues_take_turns_by_events)
{
    enum { ROUNDS = 2000, WAIT = 97 };
    accel_queue *queues[2] = {queue_new(test.device, 0), queue_new(test.device, 0)};
    accel_event *events[2] = {event_new(test.device, 0), event_new(test.device, ACCEL_EVENT_TIMING)};
    turns all = {0};
    for (int i = 0; i < ROUNDS; ++i) {
        for (int side = 0; side < 2; ++side) {
            ok(accel_queue_call(queues[side], side == 0 ? take_even : take_odd, &all));
            ok(accel_event_record(events[side], queues[side]));
            ok(accel_queue_wait_event(queues[1 - side], events[side]));
        }
        if (i % WAIT == 0)
            ok(i % 2 == 0 ? accel_queue_wait(queues[1]) : accel_event_wait(events[1]));
    }
    ok(accel_queue_wait(queues[0]));
    ck_assert_uint_eq(all.taken, 2 * ROUNDS);
    ck_assert_uint_eq(all.wrong, 0);
    for (int side = 0; side < 2; ++side) {
        accel_event_release(events[side]);
        accel_queue_release(queues[side]);
    }
}
END_TEST

static void nap(void *user, accel_status status)
{
    (void)user;
    (void)status;
    sleep_ms(30);
}

START_TEST(e4_elapsed_is_the_time_between_two_timed_records)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_event *start = event_new(test.device, ACCEL_EVENT_TIMING), *end = event_new(test.device, ACCEL_EVENT_TIMING);
    uint64_t between = 0;
    double began = seconds_now();
    ok(accel_event_record(start, queue));
    ok(accel_queue_call(queue, nap, NULL));
    ok(accel_event_record(end, queue));
    ok(accel_event_wait(end));
    double taken = seconds_now() - began;
    ok(accel_event_elapsed(start, end, &between));
    ck_assert_uint_ge(between, 29000000);
    ck_assert_double_le((double)between * 1e-9, taken + 0.001);
    ok(accel_event_elapsed(start, start, &between));
    ck_assert_uint_eq(between, 0);
    accel_event_release(start);
    accel_event_release(end);
    accel_queue_release(queue);
}
END_TEST

START_TEST(e4_elapsed_is_never_negative)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_event *start = event_new(test.device, ACCEL_EVENT_TIMING), *end = event_new(test.device, ACCEL_EVENT_TIMING);
    uint64_t between = 17;
    ok(accel_event_record(start, queue));
    ok(accel_queue_call(queue, nap, NULL));
    ok(accel_event_record(end, queue));
    ok(accel_queue_wait(queue));
    refused(ACCEL_INVALID, accel_event_elapsed(end, start, &between), "before");
    ck_assert_uint_eq(between, 17);
    for (int i = 0; i < 1000; ++i) {
        ok(accel_event_record(start, queue));
        ok(accel_event_record(end, queue));
        ok(accel_queue_wait(queue));
        ok(accel_event_elapsed(start, end, &between));
        ck_assert_uint_lt(between, 20000000000u);
    }
    accel_event_release(start);
    accel_event_release(end);
    accel_queue_release(queue);
}
END_TEST

START_TEST(e4_elapsed_needs_both_events_timed_recorded_and_complete)
{
    gate door;
    accel_queue *queue = queue_new(test.device, 0);
    accel_event *timed = event_new(test.device, ACCEL_EVENT_TIMING), *late = event_new(test.device, ACCEL_EVENT_TIMING);
    accel_event *untimed = event_new(test.device, 0);
    uint64_t between = 17;
    refused(ACCEL_INVALID, accel_event_elapsed(timed, late, &between), "recorded");
    gate_init(&door);
    ok(accel_event_record(timed, queue));
    ok(accel_event_record(untimed, queue));
    gate_in(&door, queue);
    ok(accel_event_record(late, queue));
    refused(ACCEL_NOT_READY, accel_event_elapsed(timed, late, &between), "complete");
    gate_open(&door);
    ok(accel_queue_wait(queue));
    refused(ACCEL_INVALID, accel_event_elapsed(timed, untimed, &between), "timed", "ACCEL_EVENT_TIMING");
    refused(ACCEL_INVALID, accel_event_elapsed(untimed, late, &between), "timed", "ACCEL_EVENT_TIMING");
    ck_assert_uint_eq(between, 17);
    ok(accel_event_elapsed(timed, late, &between));
    accel_event_release(timed);
    accel_event_release(late);
    accel_event_release(untimed);
    accel_queue_release(queue);
    gate_destroy(&door);
}
END_TEST

START_TEST(a_profiling_queue_times_every_event)
{
    for (uint32_t blocking = 0; blocking < 2; ++blocking) {
        accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_PROFILING | (blocking ? ACCEL_QUEUE_BLOCKING : 0u));
        accel_event *start = event_new(test.device, 0), *end = event_new(test.device, 0);
        uint64_t between = 0;
        ok(accel_event_record(start, queue));
        ok(accel_queue_call(queue, nap, NULL));
        ok(accel_event_record(end, queue));
        ok(accel_queue_wait(queue));
        ok(accel_event_elapsed(start, end, &between));
        ck_assert_uint_ge(between, 29000000);
        accel_event_release(start);
        accel_event_release(end);
        accel_queue_release(queue);
    }
}
END_TEST

START_TEST(e3_an_event_belongs_to_its_queue_at_the_record)
{
    accel_instance *instance = test.instance;
    accel_device *other = NULL;
    for (size_t i = 1; i < accel_instance_device_count(instance); ++i) {
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        ok(accel_device_info(accel_instance_device(instance, i), &properties));
        if (strcmp(properties.backend, test.properties.backend) == 0)
            other = accel_instance_device(instance, i);
    }
    accel_device *home = test.device;
    if (other == NULL) { /* the backend under test has one device: its partner has two */
        home = need_partner();
        for (size_t i = 1; i < accel_instance_device_count(instance); ++i) {
            accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
            ok(accel_device_info(accel_instance_device(instance, i), &properties));
            if (strcmp(properties.description, FAULTY_DESCRIPTION) == 0 && accel_instance_device(instance, i) != home)
                other = accel_instance_device(instance, i);
        }
    }
    ck_assert_ptr_nonnull(other);
    gate door;
    gate_init(&door);
    accel_event *event = event_new(home, 0); /* made for one device, recorded on another of the backend */
    accel_queue *recording = queue_new(other, 0), *waiting = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 0);
    uint32_t one = 1;
    bool yes = true;
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
    accel_queue_release(recording);
    accel_queue_release(waiting);
    accel_buffer_release(buffer);
    gate_destroy(&door);
}
END_TEST

Suite *event_suite(void)
{
    Suite *suite = suite_create("event");
    add(suite, e1_never_recorded_counts_as_complete);
    add(suite, e2_a_wait_refers_to_the_latest_record_at_its_call);
    add(suite, e3_an_event_belongs_to_its_queue_at_the_record);
    add(suite, an_event_is_complete_when_all_before_it_is);
    add(suite, a_chain_of_queues_runs_in_the_order_of_its_events);
    add(suite, two_queues_take_turns_by_events);
    add(suite, e4_elapsed_is_the_time_between_two_timed_records);
    add(suite, e4_elapsed_is_never_negative);
    add(suite, e4_elapsed_needs_both_events_timed_recorded_and_complete);
    add(suite, a_profiling_queue_times_every_event);
    return suite;
}
