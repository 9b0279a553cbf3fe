/* SPDX-License-Identifier: Apache-2.0 */
/* The streams that libaccel makes: their priority, and that the driver's default stream is none of their business. */
#include "../check/driver.h"
#include "rig.h"
#include "vendor.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

static accel_queue *queue_with(accel_device *device, int32_t priority, uint32_t flags, void **stream)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *queue = NULL;
    desc.priority = priority;
    desc.flags = flags;
    ok(accel_queue_create(device, &desc, &queue));
    ok(accel_queue_native(queue, stream));
    return queue;
}

/* libaccel counts upwards, drivers downwards. */
START_TEST(a_queues_priority_is_its_streams)
{
    accel_device_properties p = ACCEL_DEVICE_PROPERTIES_INIT;
    void *stream = NULL;
    vendor_open();
    rig r = rig_begin();
    ok(accel_device_info(r.device, &p));
    ck_assert_int_lt(p.min_priority, p.max_priority);
    void *context = NULL;
    ok(accel_device_native(r.device, &context));
    vendor_use(context);
    for (int32_t priority = p.min_priority - 1; priority <= p.max_priority + 1; ++priority) {
        accel_queue *queue = queue_with(r.device, priority, priority % 2 == 0 ? 0 : ACCEL_QUEUE_BLOCKING, &stream);
        int32_t expected = priority < p.min_priority   ? p.min_priority
                           : priority > p.max_priority ? p.max_priority
                                                       : priority;
        ck_assert_int_eq(vendor_stream_priority(stream), -expected);
        accel_queue_release(queue);
    }
    rig_end(&r);
}
END_TEST

START_TEST(the_range_of_priorities_is_the_drivers)
{
    accel_device_properties p = ACCEL_DEVICE_PROPERTIES_INIT;
    int least = 1000, greatest = 1000;
    void *context = NULL;
    vendor_open();
    rig r = rig_begin();
    ok(accel_device_native(r.device, &context));
    vendor_use(context);
    ok(accel_device_info(r.device, &p));
    if (rig_is_cuda())
        cuda_ok(cu_more.stream_priority_range(&least, &greatest));
    else
        hip_ok(hip_further.stream_priority_range(&least, &greatest));
    ck_assert_int_eq(p.min_priority, -least);
    ck_assert_int_eq(p.max_priority, -greatest);
    rig_end(&r);
}
END_TEST

/* Everything here is done while the default stream hangs in the program's function. */
static void use_beside(gate *door, rig *r)
{
    const uint32_t flags[] = {0, ACCEL_QUEUE_BLOCKING, ACCEL_QUEUE_PROFILING};
    void *context = NULL, *stream = NULL;
    accel_instance *instance = NULL;
    ok(accel_instance_create(NULL, &instance));
    ok(accel_device_native(accel_instance_device(instance, 0), &context));
    vendor_use(context);
    vendor_call(NULL, pass, door);
    await_entered(door);
    *r = rig_begin();
    for (int i = 0; i < 3; ++i) {
        accel_queue *queue = queue_with(r->device, 0, flags[i], &stream);
        ck_assert_uint_eq(vendor_stream_flags(stream), CUDA_STREAM_NON_BLOCKING);
        ok(rig_launch(r, queue, r->add, NULL));
        ok(accel_queue_wait(queue));
        accel_queue_release(queue);
    }
    ck_assert_int_eq(vendor_stream_query(NULL), VENDOR_NOT_READY);
    accel_instance_release(instance);
}

START_TEST(work_of_libaccel_does_not_wait_for_the_default_stream)
{
    gate door = {0};
    rig r;
    vendor_open();
    use_beside(&door, &r);
    open_gate(&door); /* giving memory back waits for the whole context: the driver's way */
    vendor_stream_wait(NULL);
    rig_end(&r);
}
END_TEST

START_TEST(the_default_stream_does_not_wait_for_work_of_libaccel)
{
    gate door = {0};
    uint32_t words[RIG_WORDS];
    void *context = NULL, *stream = NULL;
    vendor_open();
    rig r = rig_begin();
    ok(accel_device_native(r.device, &context));
    vendor_use(context);
    ok(accel_queue_native(r.queue, &stream));
    vendor_call(stream, pass, &door);
    ok(rig_launch(&r, r.queue, r.add, NULL));
    vendor_fill(accel_buffer_ptr(r.words), 3, RIG_WORDS, NULL);
    vendor_read(words, accel_buffer_ptr(r.words), sizeof(words), NULL);
    vendor_stream_wait(NULL);
    ck_assert_uint_eq(words[RIG_WORDS - 1], 3);
    ck_assert_int_eq(vendor_stream_query(stream), VENDOR_NOT_READY);
    open_gate(&door);
    ok(accel_queue_wait(r.queue));
    rig_end(&r);
}
END_TEST

/* --- what happens while a stream stands still: behind a host function of libaccel it would be deferred --- */

static bool becomes_idle(accel_queue *queue)
{
    bool idle = false;
    for (int i = 0; i < 20000 && !idle; ++i) {
        ok(accel_queue_is_idle(queue, &idle));
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return idle;
}

/* Fills hold their buffer, which the engine's own thread gives back behind an event. Nothing of that thread comes behind
 * the wait. */
START_TEST(a_queue_that_was_waited_for_is_idle_at_once_and_the_driver_is_left_alone)
{
    enum { TIMES = 1000 };
    const char *trace = rig_scratch("trace");
    uint32_t zero = 0;
    bool idle;
    setenv("GPUSIM_TRACE", trace, 1);
    rig r = rig_begin();
    for (int i = 0; i < TIMES; ++i) {
        ok(accel_fill(r.queue, r.words, &zero, sizeof(zero), NULL));
        if (i % 2 == 0) /* the engine's thread gets to its questions */
            sched_yield();
        ok(accel_queue_wait(r.queue));
        ok(accel_queue_is_idle(r.queue, &idle));
        ck_assert_msg(idle, "not idle after wait %d", i);
    }
    rig_forget(trace);
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    ck_assert_uint_eq(rig_calls(trace, NULL), 0);
    rig_end(&r);
}
END_TEST

/* A queue that defers waits for a record. The next record of the same event is another one, which it does not wait for. */
START_TEST(e2_a_deferred_wait_keeps_its_record)
{
    gate door = {0};
    void *context = NULL, *stream = NULL;
    vendor_open();
    rig r = rig_begin();
    ok(accel_device_native(r.device, &context));
    vendor_use(context);
    accel_queue *deferring = queue_with(r.device, 0, 0, &stream);
    accel_event *event = NULL, *signalled = NULL;
    ok(accel_event_create(r.device, NULL, &event));
    ok(accel_event_create(accel_instance_host(r.instance), NULL, &signalled));
    ok(accel_queue_native(r.queue, &stream));
    ok(accel_event_arm(signalled));
    ok(accel_queue_wait_event(deferring, signalled));
    ok(accel_event_record(event, r.queue));
    ok(accel_queue_wait_event(deferring, event));
    vendor_call(stream, pass, &door);
    ok(accel_event_record(event, r.queue));
    ok(accel_event_signal(signalled, ACCEL_OK));
    bool idle = becomes_idle(deferring); /* although the door is shut */
    open_gate(&door);
    ck_assert(idle);
    accel_event_release(event);
    accel_event_release(signalled);
    accel_queue_release(deferring);
    rig_end(&r);
}
END_TEST

/* Each copy has an event of its own behind it: that of an earlier one, long reached, says nothing. */
START_TEST(o3_what_a_copy_needs_stays_until_that_copy_is_done)
{
    const char *trace = rig_scratch("trace"), *freed = rig_is_cuda() ? "cuMemFree_v2" : "hipFree";
    accel_buffer_desc desc = accel_buffer_1d(4, RIG_WORDS);
    setenv("GPUSIM_TRACE", trace, 1);
    void *context = NULL, *stream = NULL;
    vendor_open();
    rig r = rig_begin();
    ok(accel_device_native(r.device, &context));
    ok(accel_queue_native(r.queue, &stream));
    vendor_use(context);
    gate doors[3] = {{0}}; /* a function may still look at its own when the copy behind it is done */
    for (int round = 0; round < 3; ++round) {
        accel_buffer *buffer = NULL;
        ok(accel_buffer_create(r.device, &desc, &buffer));
        unsigned before = rig_calls(trace, freed);
        vendor_call(stream, pass, &doors[round]);
        ok(accel_copy(r.queue, buffer, r.words, NULL));
        accel_buffer_release(buffer);
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        ck_assert_uint_eq(rig_calls(trace, freed), before);
        open_gate(&doors[round]);
        for (int i = 0; i < 20000 && rig_calls(trace, freed) == before; ++i)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        ck_assert_uint_eq(rig_calls(trace, freed), before + 1);
    }
    rig_end(&r);
}
END_TEST

TCase *streams_tests(void)
{
    TCase *tests = tcase_create("streams");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_queues_priority_is_its_streams);
    tcase_add_test(tests, the_range_of_priorities_is_the_drivers);
    tcase_add_test(tests, work_of_libaccel_does_not_wait_for_the_default_stream);
    tcase_add_test(tests, the_default_stream_does_not_wait_for_work_of_libaccel);
    tcase_add_test(tests, a_queue_that_was_waited_for_is_idle_at_once_and_the_driver_is_left_alone);
    tcase_add_test(tests, e2_a_deferred_wait_keeps_its_record);
    tcase_add_test(tests, o3_what_a_copy_needs_stays_until_that_copy_is_done);
    return tests;
}
