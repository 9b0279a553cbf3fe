/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, events and host functions: what runs when. */
#include "driver.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

START_TEST(submitting_does_not_wait)
{
    gate door = {0};
    cuda_start();
    cuda_device_pointer words = cuda_new_words(10, 1);
    cuda_stream stream = cuda_new_stream(CUDA_STREAM_NON_BLOCKING);
    uint32_t read = 0;
    cuda_ok(cu.stream_call(stream, pass, &door));
    cuda_ok(cu.fill_32(words, 2, 10, stream));
    cuda_ok(cu.copy((uintptr_t)&read, words, 4, stream));
    ck_assert_int_eq(cu.stream_query(stream), CUDA_RESULT_NOT_READY);
    await_entered(&door);
    ck_assert_uint_eq(read, 0);
    open_gate(&door);
    cuda_ok(cu.stream_synchronize(stream));
    cuda_ok(cu.stream_query(stream));
    ck_assert_uint_eq(read, 2);
    cuda_ok(cu.stream_destroy(stream));
    cuda_ok(cu.memory_free(words));
    cuda_stop();
}
END_TEST

static void *open_later(void *door)
{
    await_entered(door);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    open_gate(door);
    return NULL;
}

START_TEST(copies_of_pageable_memory_wait_on_request)
{
    setenv("GPUSIM_PAGEABLE", "blocking", 1);
    gate door = {0};
    pthread_t opener;
    uint32_t read = 0;
    cuda_start();
    cuda_device_pointer words = cuda_new_words(10, 1);
    cuda_stream stream = cuda_new_stream(CUDA_STREAM_NON_BLOCKING);
    cuda_ok(cu.stream_call(stream, pass, &door));
    pthread_create(&opener, NULL, open_later, &door);
    cuda_ok(cu.copy((uintptr_t)&read, words, 4, stream));
    ck_assert_uint_eq(read, 1);
    pthread_join(opener, NULL);
    cuda_ok(cu.stream_destroy(stream));
    cuda_ok(cu.memory_free(words));
    cuda_stop();
}
END_TEST

START_TEST(a_stream_keeps_its_order)
{
    uint32_t read[100];
    cuda_start();
    cuda_device_pointer words = cuda_new_words(1, 0);
    cuda_stream stream = cuda_new_stream(CUDA_STREAM_NON_BLOCKING);
    for (uint32_t i = 0; i < 100; ++i) {
        cuda_ok(cu.fill_32(words, i, 1, stream));
        cuda_ok(cu.copy((uintptr_t)&read[i], words, 4, stream));
    }
    cuda_ok(cu.stream_synchronize(stream));
    for (uint32_t i = 0; i < 100; ++i)
        ck_assert_uint_eq(read[i], i);
    cuda_ok(cu.stream_destroy(stream));
    cuda_ok(cu.memory_free(words));
    cuda_stop();
}
END_TEST

typedef struct finish {
    unsigned *counter, place;
} finish;

static void note(void *user)
{
    finish *here = user;
    here->place = __atomic_fetch_add(here->counter, 1, __ATOMIC_RELAXED);
}

/* How often the stream that was given its work later is done earlier. */
static unsigned overtakes(unsigned flags, bool with_event)
{
    unsigned times = 0, counter = 0;
    cuda_stream a = cuda_new_stream(flags), b = cuda_new_stream(CUDA_STREAM_NON_BLOCKING);
    cuda_event event = cuda_new_event(CUDA_EVENT_DISABLE_TIMING);
    for (int i = 0; i < 60; ++i) {
        finish first = {.counter = &counter}, second = {.counter = &counter};
        cuda_ok(cu.stream_call(a, note, &first));
        cuda_ok(cu.event_record(event, a));
        if (with_event)
            cuda_ok(cu.stream_wait_event(b, event, 0));
        cuda_ok(cu.stream_call(b, note, &second));
        cuda_ok(cu.stream_synchronize(a));
        cuda_ok(cu.stream_synchronize(b));
        times += second.place < first.place;
    }
    cuda_ok(cu.event_destroy(event));
    cuda_ok(cu.stream_destroy(a));
    cuda_ok(cu.stream_destroy(b));
    return times;
}

START_TEST(streams_overtake_each_other_unless_an_event_orders_them)
{
    setenv("GPUSIM_DELAY", "3000", 1);
    cuda_start();
    ck_assert_uint_gt(overtakes(CUDA_STREAM_NON_BLOCKING, false), 0);
    ck_assert_uint_eq(overtakes(CUDA_STREAM_NON_BLOCKING, true), 0);
    cuda_stop();
}
END_TEST

START_TEST(the_default_stream_is_ordered_with_blocking_streams_alone)
{
    gate door = {0};
    unsigned counter = 0;
    finish first = {.counter = &counter}, second = {.counter = &counter};
    cuda_start();
    cuda_device_pointer words = cuda_new_words(10, 1);
    cuda_stream blocking = cuda_new_stream(0), free_running = cuda_new_stream(CUDA_STREAM_NON_BLOCKING);
    cuda_ok(cu.stream_call(blocking, pass, &door));
    cuda_ok(cu.stream_call(NULL, note, &first));
    cuda_ok(cu.fill_32(words, 2, 10, free_running)); /* no host function: these run one at a time */
    cuda_ok(cu.stream_synchronize(free_running));
    ck_assert_uint_eq(counter, 0);
    cuda_ok(cu.stream_call(blocking, note, &second));
    open_gate(&door);
    cuda_ok(cu.stream_synchronize(blocking));
    ck_assert_uint_eq(first.place, 0);
    ck_assert_uint_eq(second.place, 1);
    cuda_ok(cu.memory_free(words));
    cuda_ok(cu.stream_destroy(blocking));
    cuda_ok(cu.stream_destroy(free_running));
    cuda_stop();
}
END_TEST

START_TEST(a_wait_means_the_latest_record_at_its_time)
{
    gate first = {0}, second = {0};
    cuda_start();
    cuda_stream a = cuda_new_stream(1), b = cuda_new_stream(1);
    cuda_event event = cuda_new_event(0);
    cuda_ok(cu.event_query(event));
    cuda_ok(cu.stream_call(a, pass, &first));
    cuda_ok(cu.event_record(event, a));
    cuda_ok(cu.stream_wait_event(b, event, 0));
    cuda_ok(cu.stream_call(a, pass, &second));
    cuda_ok(cu.event_record(event, a));
    ck_assert_int_eq(cu.event_query(event), CUDA_RESULT_NOT_READY);
    open_gate(&first);
    cuda_ok(cu.stream_synchronize(b));
    ck_assert_int_eq(cu.event_query(event), CUDA_RESULT_NOT_READY);
    open_gate(&second);
    cuda_ok(cu.event_synchronize(event));
    cuda_ok(cu.event_query(event));
    cuda_ok(cu.event_destroy(event));
    cuda_ok(cu.stream_destroy(a));
    cuda_ok(cu.stream_destroy(b));
    cuda_stop();
}
END_TEST

START_TEST(timed_events_measure_and_others_do_not)
{
    float milliseconds = -1;
    cuda_start();
    cuda_stream stream = cuda_new_stream(1);
    cuda_event start = cuda_new_event(0), end = cuda_new_event(0), untimed = cuda_new_event(CUDA_EVENT_DISABLE_TIMING);
    ck_assert_int_eq(cu.event_elapsed(&milliseconds, start, end), CUDA_RESULT_INVALID_HANDLE);
    cuda_ok(cu.event_record(start, stream));
    cuda_ok(cu.event_record(end, stream));
    cuda_ok(cu.event_record(untimed, stream));
    cuda_ok(cu.stream_synchronize(stream));
    cuda_ok(cu.event_elapsed(&milliseconds, start, end));
    ck_assert(milliseconds >= 0);
    ck_assert_int_eq(cu.event_elapsed(&milliseconds, start, untimed), CUDA_RESULT_INVALID_HANDLE);
    cuda_ok(cu.event_destroy(start));
    cuda_ok(cu.event_destroy(end));
    cuda_ok(cu.event_destroy(untimed));
    cuda_ok(cu.stream_destroy(stream));
    cuda_stop();
}
END_TEST

START_TEST(a_destroyed_stream_finishes_its_work)
{
    gate door = {0};
    unsigned counter = 0;
    finish last = {.counter = &counter};
    cuda_start();
    cuda_stream stream = cuda_new_stream(1);
    cuda_event event = cuda_new_event(0);
    cuda_ok(cu.stream_call(stream, pass, &door));
    cuda_ok(cu.stream_call(stream, note, &last));
    cuda_ok(cu.event_record(event, stream));
    cuda_ok(cu.stream_destroy(stream));
    open_gate(&door);
    cuda_ok(cu.event_synchronize(event));
    ck_assert_uint_eq(counter, 1);
    cuda_ok(cu.event_destroy(event));
    cuda_stop();
}
END_TEST

Suite *stream_suite(void)
{
    Suite *suite = suite_create("stream");
    add_test(suite, submitting_does_not_wait);
    add_test(suite, copies_of_pageable_memory_wait_on_request);
    add_test(suite, a_stream_keeps_its_order);
    add_test(suite, streams_overtake_each_other_unless_an_event_orders_them);
    add_test(suite, the_default_stream_is_ordered_with_blocking_streams_alone);
    add_test(suite, a_wait_means_the_latest_record_at_its_time);
    add_test(suite, timed_events_measure_and_others_do_not);
    add_test(suite, a_destroyed_stream_finishes_its_work);
    return suite;
}
