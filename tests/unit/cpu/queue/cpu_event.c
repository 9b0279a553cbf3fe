/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the CPU engine: what they stand for, how far apart they are, queues that wait for them. */
#include "cpu_commands.h"

#include <sched.h>

START_TEST(E2_a_later_record_does_not_change_a_wait)
{
    open_engine();
    accel_impl_queue *first = cpu_engine_queue(&engine, 0), *second = cpu_engine_queue(&engine, 0);
    accel_impl_event *event = make_event(0);
    gate never = {0}, passed = {.open = true};
    bool complete = true;

    ok(q->wait_event(second, event)); /* E1: never recorded */
    ok(q->record(first, event));
    ok(q->wait_event(second, event));
    ok(q->call(first, pass_gate, &never));
    ok(q->record(first, event));
    ok(q->call(second, pass_gate, &passed));
    ok(q->wait(second));
    ck_assert(passed.entered);
    ok(e->is_complete(event, &complete));
    ck_assert(!complete);
    never.open = true;
    ok(e->wait(event));
    e->destroy(event);
    q->destroy(first);
    q->destroy(second);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(E4_elapsed_needs_two_timed_complete_records)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0),
                     *profiling = cpu_engine_queue(&engine, ACCEL_QUEUE_PROFILING);
    accel_impl_event *start = make_event(ACCEL_EVENT_TIMING), *end = make_event(ACCEL_EVENT_TIMING),
                     *plain = make_event(0);
    gate held = {0};
    uint64_t ns = 0;

    ck_assert_uint_eq(e->elapsed(start, end, &ns), ACCEL_INVALID);
    ok(q->record(queue, start));
    ok(q->record(queue, plain));
    ok(q->call(queue, pass_gate, &held));
    ok(q->record(queue, end));
    ck_assert_uint_eq(e->elapsed(start, end, &ns), ACCEL_NOT_READY);
    ck_assert_uint_eq(e->elapsed(start, plain, &ns), ACCEL_INVALID);
    while (!held.entered) /* from here on `start` is in the past */
        sleep_ms(1);
    sleep_ms(5);
    held.open = true;
    ok(q->wait(queue));
    ok(e->elapsed(start, end, &ns));
    ck_assert_uint_ge(ns, 1000000);
    ck_assert_uint_eq(e->elapsed(end, start, &ns), ACCEL_INVALID);
    ok(q->record(profiling, plain)); /* timed, asked or not */
    ok(e->wait(plain));
    ok(e->elapsed(end, plain, &ns));
    e->destroy(start);
    e->destroy(end);
    e->destroy(plain);
    q->destroy(queue);
    q->destroy(profiling);
    cpu_engine_close(&engine);
}
END_TEST

/* An earlier record is reached after a later one, of another queue: the time stays the later record's. */
START_TEST(E2_the_time_is_that_of_the_latest_record)
{
    open_engine();
    accel_impl_queue *held = cpu_engine_queue(&engine, 0), *blocking = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    accel_impl_event *start = make_event(ACCEL_EVENT_TIMING), *end = make_event(ACCEL_EVENT_TIMING);
    gate shut = {0};
    uint64_t before = 0, after = 0;

    ok(q->call(held, pass_gate, &shut));
    ok(q->record(held, start));
    ok(q->record(blocking, start));
    sleep_ms(1);
    ok(q->record(blocking, end));
    ok(e->elapsed(start, end, &before));
    shut.open = true;
    ok(q->wait(held));
    ok(e->elapsed(start, end, &after));
    ck_assert_uint_eq(before, after);
    e->destroy(start);
    e->destroy(end);
    q->destroy(held);
    q->destroy(blocking);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(E5_a_parked_queue_wakes_when_its_timeline_moves)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    accel_timeline *timeline = NULL;
    uint64_t counter = 0;

    ok(cpu_host()->timeline_create(&timeline));
    for (uint64_t round = 1; round <= 300; ++round) {
        ok(q->wait_timeline(queue, timeline, round));
        ok(launch_add(queue, &counter, round - 1));
        if (round % 3 == 0)
            sched_yield();
        if (round % 100 == 0)
            sleep_ms(10); /* the worker is asleep */
        cpu_host()->timeline_signal(timeline, round, ACCEL_OK);
        if (round % 2 == 0)
            ok(q->wait(queue));
    }
    ok(q->wait(queue));
    ck_assert_uint_eq(counter, 300);
    cpu_host()->timeline_release(timeline);
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_event");

    add(suite, E2_a_later_record_does_not_change_a_wait);
    add(suite, E2_the_time_is_that_of_the_latest_record);
    add(suite, E4_elapsed_needs_two_timed_complete_records);
    add(suite, E5_a_parked_queue_wakes_when_its_timeline_moves);
    return suite;
}
