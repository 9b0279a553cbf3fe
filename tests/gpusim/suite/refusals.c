/* SPDX-License-Identifier: Apache-2.0 */
/* The driver refuses a call in the middle of an operation: what was done before stays right, and nothing is left. The
 * simulated driver reports what a process leaves. */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>

enum { REFUSAL = 801 }; /* "not supported", by either driver */

static void refuse(const char *cuda, const char *hip, unsigned number)
{
    char failure[80];
    snprintf(failure, sizeof(failure), "%s@%u=%d", rig_is_cuda() ? cuda : hip, number, REFUSAL);
    setenv("GPUSIM_FAIL", failure, 1);
}

static accel_queue *queue_new(accel_device *device)
{
    accel_queue *queue = NULL;
    ok(accel_queue_create(device, NULL, &queue));
    return queue;
}

static accel_event *event_new(accel_device *device)
{
    accel_event *event = NULL;
    ok(accel_event_create(device, NULL, &event));
    return event;
}

static bool is_complete(accel_event *event)
{
    bool complete = false;
    ok(accel_event_is_complete(event, &complete));
    return complete;
}

START_TEST(e2_a_record_that_is_refused_leaves_the_earlier_one)
{
    enum { LAUNCHES = 40 }; /* a quarter of them begins late: they take the stream a second */
    refuse("cuEventRecord", "hipEventRecord", 2);
    setenv("GPUSIM_DELAY", "200000", 1);
    rig r = rig_begin();
    accel_queue *other = queue_new(r.other);
    accel_event *event = event_new(r.device);
    for (int i = 0; i < LAUNCHES; ++i)
        ok(rig_launch(&r, r.queue, r.set, NULL));
    ok(accel_event_record(event, r.queue));
    refused(ACCEL_UNSUPPORTED, accel_event_record(event, other), "recording an event");
    ck_assert(!is_complete(event));
    ok(accel_event_wait(event));
    ck_assert(is_complete(event));
    accel_event_release(event);
    accel_queue_release(other);
    rig_end(&r);
}
END_TEST

/* Without a module, whose loading copies, too, and behind the native stream, so that the copy is made of the stream's steps. _i: which step of a copy in three steps is refused. The first ones have reached
 * the driver and cannot be taken back: the queue has failed. If nothing has, the call says so, and the queue goes on. */
START_TEST(q7_a_copy_that_is_refused_half_way_fails_its_queue)
{
    enum { SIZE = 600000 };
    accel_buffer_desc desc = accel_buffer_1d(1, SIZE);
    accel_instance *instance = NULL;
    accel_buffer *buffer = NULL;
    void *stream = NULL;
    unsigned char *bytes = calloc(1, SIZE);
    refuse("cuMemcpyAsync", "hipMemcpyAsync", (unsigned)_i);
    ok(accel_instance_create(NULL, &instance));
    accel_device *device = accel_instance_device(instance, 0);
    accel_queue *queue = queue_new(device);
    ok(accel_queue_native(queue, &stream));
    ok(accel_buffer_create(device, &desc, &buffer));
    refused(ACCEL_UNSUPPORTED, accel_read(queue, bytes, buffer), "copy");
    if (_i > 1)
        refused(ACCEL_UNSUPPORTED, accel_queue_wait(queue), "copy");
    ok(accel_queue_wait(queue));
    ok(accel_read(queue, bytes, buffer));
    ok(accel_queue_wait(queue));
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_instance_release(instance);
    free(bytes);
}
END_TEST

START_TEST(memory_that_cannot_be_mapped_goes_back)
{
    accel_buffer_desc desc = accel_buffer_1d(4, 100);
    accel_buffer *buffer = NULL;
    refuse("cuMemHostGetDevicePointer_v2", "hipHostGetDevicePointer", 1);
    rig r = rig_begin();
    desc.flags = ACCEL_BUFFER_MAPPED;
    refused(ACCEL_UNSUPPORTED, accel_buffer_create(r.device, &desc, &buffer), "mapping memory of the host");
    ok(accel_buffer_create(r.device, &desc, &buffer));
    accel_buffer_release(buffer);
    rig_end(&r);
}
END_TEST

/* The engine's own stream, or that of the first queue. */
START_TEST(a_device_whose_stream_is_refused_can_be_used_later)
{
    accel_instance *instance = NULL;
    accel_queue *queue = NULL;
    refuse("cuStreamCreateWithPriority", "hipStreamCreateWithPriority", (unsigned)_i);
    ok(accel_instance_create(NULL, &instance));
    accel_device *device = accel_instance_device(instance, 0);
    refused(ACCEL_UNSUPPORTED, accel_queue_create(device, NULL, &queue),
            _i == 1 ? "making the first stream" : "making a queue");
    ok(rig_use(device));
    accel_instance_release(instance);
}
END_TEST

/* Copies whose memory is freed behind them: of a kernel's descriptor, and of a pattern on a blocking queue. A refusal to wait
 * does not stop them, so the driver is asked again. */
START_TEST(a_driver_that_refuses_to_wait_for_a_copy_is_asked_again)
{
    static const uint8_t pattern[3] = {1, 2, 3};
    accel_buffer_desc desc = accel_buffer_1d(sizeof pattern, 100);
    accel_queue_desc blocking = ACCEL_QUEUE_DESC_INIT;
    accel_queue *queue = NULL;
    accel_buffer *buffer = NULL;
    blocking.flags = ACCEL_QUEUE_BLOCKING;
    refuse("cuStreamSynchronize", "hipStreamSynchronize", (unsigned)_i);
    setenv("GPUSIM_DELAY", "2000", 1);
    rig r = rig_begin();
    ok(accel_queue_create(r.device, &blocking, &queue));
    ok(accel_buffer_create(r.device, &desc, &buffer));
    ok(accel_fill(queue, buffer, pattern, sizeof pattern, NULL));
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    rig_end(&r);
}
END_TEST

TCase *refusals_tests(void)
{
    TCase *tests = tcase_create("refusals");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, e2_a_record_that_is_refused_leaves_the_earlier_one);
    tcase_add_loop_test(tests, q7_a_copy_that_is_refused_half_way_fails_its_queue, 1, 4);
    tcase_add_test(tests, memory_that_cannot_be_mapped_goes_back);
    tcase_add_loop_test(tests, a_device_whose_stream_is_refused_can_be_used_later, 1, 3);
    /* The first is the lock table's, the fifth the fill's own. */
    tcase_add_loop_test(tests, a_driver_that_refuses_to_wait_for_a_copy_is_asked_again, 2, 5);
    return tests;
}
