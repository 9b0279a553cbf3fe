/* SPDX-License-Identifier: Apache-2.0 */
/* Queues and events with unknown flags. */
#include "nouns.h"
#include "suite.h"

START_TEST(o6_unknown_flags_of_queues_and_events_are_refused)
{
    accel_queue_desc queue_desc = ACCEL_QUEUE_DESC_INIT;
    accel_event_desc event_desc = ACCEL_EVENT_DESC_INIT;
    accel_queue *queue = NULL;
    accel_event *event = NULL;
    queue_desc.flags = 0x40;
    refused(ACCEL_INVALID, accel_queue_create(test.device, &queue_desc, &queue), "0x40", "ACCEL_QUEUE_BLOCKING");
    event_desc.flags = 0x40;
    refused(ACCEL_INVALID, accel_event_create(test.device, &event_desc, &event), "0x40", "ACCEL_EVENT_TIMING");
    ck_assert(queue == NULL && event == NULL);
}
END_TEST

START_TEST(o6_unknown_partitions_are_refused)
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    accel_device *device = NULL;
    size_t count = 17;
    desc.by = 99;
    refused(ACCEL_INVALID, accel_device_partition(test.device, &desc, &device, 1, &count), "99");
    desc.by = 0;
    refused(ACCEL_INVALID, accel_device_partition(test.device, &desc, &device, 1, &count), "0");
    desc.by = ACCEL_PARTITION_EQUAL;
    refused(ACCEL_INVALID, accel_device_partition(test.device, &desc, &device, 1, &count), "share_count");
    desc.by = ACCEL_PARTITION_CORES;
    refused(ACCEL_INVALID, accel_device_partition(test.device, &desc, &device, 1, &count), "cores");
    ck_assert_ptr_null(device);
    ck_assert_uint_eq(count, 17);
}
END_TEST

Suite *bad_queue_suite(void)
{
    Suite *suite = suite_create("queue");
    add(suite, o6_unknown_flags_of_queues_and_events_are_refused);
    add(suite, o6_unknown_partitions_are_refused);
    return suite;
}
