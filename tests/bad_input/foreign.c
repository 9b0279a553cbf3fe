/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of another device, backend or instance. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

static void partner_name(char name[64])
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    ok(accel_device_info(need_partner(), &properties));
    memcpy(name, properties.name, 64);
}

START_TEST(a_kernel_of_another_device_is_refused)
{
    char other[64];
    partner_name(other);
    accel_queue *queue = queue_new(test.partner, 0);
    accel_buffer *buffer = words_new(test.device, 10, 1);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 10, .value = 5};
    accel_work work = work_of(1, 1);
    refused(ACCEL_INVALID, accel_launch(queue, kernel_named("set"), &work, &args, sizeof args), "\"set\"", other,
            test.properties.name);
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
    queue = queue_new(test.device, 0);
    words_are(queue, buffer, 1);
    accel_queue_release(queue);
    accel_buffer_release(buffer);
}
END_TEST

START_TEST(buffers_of_another_device_are_refused)
{
    char other[64];
    partner_name(other);
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *theirs = words_new(test.partner, 10, 1), *second = words_new(test.partner, 10, 2);
    uint32_t words[10] = {0};
    refused(ACCEL_INVALID, accel_fill(queue, theirs, words, 4, NULL), test.properties.name, other);
    refused(ACCEL_INVALID, accel_write(queue, theirs, words), test.properties.name, other);
    refused(ACCEL_INVALID, accel_read(queue, words, theirs), test.properties.name, other);
    refused(ACCEL_INVALID, accel_copy(queue, theirs, second, NULL), test.properties.name, other);
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(words[0], 0);
    accel_queue *their_queue = queue_new(test.partner, 0);
    words_are(their_queue, theirs, 1);
    accel_queue_release(their_queue);
    accel_queue_release(queue);
    accel_buffer_release(theirs);
    accel_buffer_release(second);
}
END_TEST

START_TEST(memory_of_the_host_has_no_queue)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer_desc desc = accel_buffer_1d(1, 10);
    accel_buffer *buffer = buffer_new(test.host, &desc);
    char bytes[10] = {0};
    refused(ACCEL_INVALID, accel_fill(queue, buffer, "x", 1, NULL), test.properties.name, "host", "accel_buffer_ptr");
    refused(ACCEL_INVALID, accel_write(queue, buffer, bytes), test.properties.name, "host", "accel_buffer_ptr");
    refused(ACCEL_INVALID, accel_read(queue, bytes, buffer), test.properties.name, "host", "accel_buffer_ptr");
    accel_queue_release(queue);
    accel_buffer_release(buffer);
}
END_TEST

START_TEST(an_event_is_recorded_in_queues_of_its_backend_only)
{
    char other[64];
    partner_name(other);
    accel_queue *queue = queue_new(test.device, 0);
    accel_event *event = event_new(test.partner, 0);
    bool yes = false;
    refused(ACCEL_INVALID, accel_event_record(event, queue), test.properties.name);
    ok(accel_event_is_complete(event, &yes)); /* still never recorded */
    ck_assert(yes);
    accel_event_release(event);
    accel_queue_release(queue);
}
END_TEST

START_TEST(elapsed_compares_events_of_one_backend)
{
    need_partner();
    accel_queue *ours = queue_new(test.device, 0), *theirs = queue_new(test.partner, 0);
    accel_event *a = event_new(test.device, ACCEL_EVENT_TIMING), *b = event_new(test.partner, ACCEL_EVENT_TIMING);
    uint64_t between = 17;
    ok(accel_event_record(a, ours));
    ok(accel_event_record(b, theirs));
    ok(accel_event_wait(a));
    ok(accel_event_wait(b));
    refused(ACCEL_INVALID, accel_event_elapsed(a, b, &between), test.properties.name);
    ck_assert_uint_eq(between, 17);
    accel_event_release(a);
    accel_event_release(b);
    accel_queue_release(ours);
    accel_queue_release(theirs);
}
END_TEST

START_TEST(objects_of_another_instance_are_refused)
{
    accel_instance *instance = NULL;
    bool yes = false;
    accel_device *device = of_another_instance(&instance);
    accel_queue *queue = queue_new(device, 0), *own = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 1);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 10, .value = 5};
    accel_work work = work_of(1, 1);
    uint32_t value = 7;
    refused(ACCEL_INVALID, accel_launch(queue, kernel_named("set"), &work, &args, sizeof args), "\"set\"",
            "of another instance"); /* the devices have one name */
    refused(ACCEL_INVALID, accel_fill(queue, buffer, &value, sizeof value, NULL), "queue", "of another instance");
    refused(ACCEL_INVALID, accel_copy(queue, buffer, buffer, NULL), "queue", "of another instance");
    refused(ACCEL_INVALID, accel_device_can_access(test.device, device, &yes), "instance");
    ok(accel_queue_wait(queue));
    words_are(own, buffer, 1);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_queue_release(own);
    accel_instance_release(instance);
}
END_TEST

Suite *foreign_suite(void)
{
    Suite *suite = suite_create("foreign objects");
    add(suite, a_kernel_of_another_device_is_refused);
    add(suite, buffers_of_another_device_are_refused);
    add(suite, memory_of_the_host_has_no_queue);
    add(suite, an_event_is_recorded_in_queues_of_its_backend_only);
    add(suite, elapsed_compares_events_of_one_backend);
    add(suite, objects_of_another_instance_are_refused);
    return suite;
}
