/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: what they tell, shares of them, and waiting for all their queues. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <stdatomic.h>

START_TEST(a_device_describes_itself)
{
    const accel_device_properties *p = &test.properties;
    ck_assert_uint_ne(p->kind, ACCEL_DEVICE_HOST);
    ck_assert_str_ne(p->name, "");
    ck_assert_int_eq(strncmp(p->name, p->backend, strlen(p->backend)), 0);
    ck_assert_str_ne(p->description, "");
    ck_assert_str_ne(p->architecture, "");
    ck_assert_str_ne(p->targets, "");
    ck_assert_uint_ge(p->compute_units, 1);
    ck_assert_uint_ge(p->warp_size, 1);
    ck_assert_uint_ge(p->max_block_threads, 1);
    ck_assert_uint_le(p->max_block_threads, 1024);
    for (int d = 0; d < 3; ++d) {
        ck_assert_uint_ge(p->max_threads[d], 1);
        ck_assert_uint_ge(p->max_blocks[d], 1);
    }
    ck_assert_uint_ge(p->max_args_size, sizeof(lesser_args));
    ck_assert_uint_le(p->max_args_size, 4096);
    ck_assert_uint_gt(p->memory_bytes, 0);
    ck_assert_uint_gt(p->max_allocation, 0);
    ck_assert_int_le(p->min_priority, p->max_priority);
    if (p->kind == ACCEL_DEVICE_CPU) {
        ck_assert_uint_eq(p->warp_size, 1);
        ck_assert_uint_ne(p->features & ACCEL_FEATURE_HOST_MEMORY, 0);
        ck_assert_str_ne(p->topology, "");
        ck_assert_uint_ge(p->cores, strncmp(p->topology, "flat", 4) == 0 ? 0 : 1); /* flat: hwloc is not here */
        ck_assert_int_eq(p->pci_bus, -1);
    }
}
END_TEST

START_TEST(the_host_is_a_device_without_queues)
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_queue *queue = NULL;
    accel_module *module = NULL;
    ok(accel_device_info(test.host, &properties));
    ck_assert_uint_eq(properties.kind, ACCEL_DEVICE_HOST);
    ck_assert_str_eq(properties.name, "host");
    refused(ACCEL_UNSUPPORTED, accel_queue_create(test.host, NULL, &queue), "host");
    refused(ACCEL_UNSUPPORTED, accel_module_load(test.host, "conformance", &module), "host");
    ck_assert_ptr_null(queue);
    ck_assert_ptr_null(module);
    accel_buffer *buffer = bytes_new(test.host, 100);
    ck_assert_uint_eq((uintptr_t)accel_buffer_ptr(buffer) % 64, 0);
    ck_assert_ptr_eq(buffer_info(buffer).host_ptr, accel_buffer_ptr(buffer));
    accel_buffer_release(buffer);
    ok(accel_device_wait(test.host));
}
END_TEST

START_TEST(memory_is_told_in_bytes_now)
{
    size_t available = 0, total = 0, again = 0;
    ok_if_supported(accel_device_memory(test.device, &available, &total));
    ck_assert_uint_gt(available, 0);
    ck_assert_uint_ge(total, available);
    ok(accel_device_memory(test.device, NULL, &again));
    ck_assert_uint_eq(again, total);
    ok(accel_device_memory(test.device, &again, NULL));
    ok(accel_device_memory(test.device, NULL, NULL));
}
END_TEST

START_TEST(a_device_may_access_itself)
{
    bool yes = false;
    ok_if_supported(accel_device_can_access(test.device, test.device, &yes));
    ck_assert(yes);
    if (test.partner != NULL) {
        ok(accel_device_can_access(test.device, test.partner, &yes));
        ck_assert(!yes);
    }
}
END_TEST

START_TEST(a_device_keeps_its_instance)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;
    desc.backends = suite_backends();
    ok(accel_instance_create(&desc, &instance));
    accel_device *device = accel_device_retain(accel_instance_device(instance, 0));
    accel_device *host = accel_device_retain(accel_instance_host(instance));
    accel_instance_release(instance);
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    ok(accel_device_info(device, &properties));
    ck_assert_str_eq(properties.name, test.properties.name);
    accel_queue *queue = queue_new(device, 0);
    accel_buffer *buffer = words_new(device, 10, 3);
    accel_device_release(device);
    words_are(queue, buffer, 3);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_device_release(host);
}
END_TEST

START_TEST(m8_sub_devices_share_the_memory_of_their_parent)
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    accel_device *shares[8] = {NULL};
    size_t count = 0;
    desc.by = ACCEL_PARTITION_EQUAL;
    desc.share_count = 2;
    if ((test.properties.features & ACCEL_FEATURE_PARTITION) == 0) {
        refused(ACCEL_UNSUPPORTED, accel_device_partition(test.device, &desc, shares, 8, &count), "sub-devices");
        ck_assert_ptr_null(shares[0]);
    }
    need_parts(shares);
    accel_buffer *buffer = words_new(shares[0], 1000, 9);
    accel_queue *other = queue_new(shares[1], 0), *whole = queue_new(test.device, 0);
    ck_assert_ptr_eq(accel_queue_device(other), shares[1]);
    words_are(other, buffer, 9);
    words_are(whole, buffer, 9);
    uint32_t value = 11;
    ok(accel_fill(other, buffer, &value, sizeof value, NULL));
    ok(accel_queue_wait(other));
    words_are(whole, buffer, 11);
    accel_queue_release(other);
    accel_queue_release(whole);
    accel_buffer_release(buffer);
    accel_device_release(shares[0]);
    accel_device_release(shares[1]);
}
END_TEST

/* A queue on each share, all at work at once; then nothing is left of the shares. False: the device is too small. */
static bool shares_run_kernels(const accel_partition_desc *desc, uint32_t flags)
{
    enum { MOST = 64, WORDS = 100003, TIMES = 5 };
    accel_device *shares[MOST] = {NULL};
    accel_queue *queues[MOST];
    accel_buffer *buffers[MOST];
    size_t count = 0, length = WORDS;
    accel_status status = accel_device_partition(test.device, desc, shares, MOST, &count);
    if (status == ACCEL_LIMIT)
        return false;
    ok(status);
    ck_assert_uint_ge(count, 1);
    count = count < MOST ? count : MOST;
    for (size_t i = 0; i < count; ++i) {
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        accel_module *module = NULL;
        accel_kernel *kernel = NULL;
        accel_work work = ACCEL_WORK_INIT;
        ok(accel_device_info(shares[i], &properties));
        ck_assert_uint_ge(properties.compute_units, 1);
        ck_assert_uint_le(properties.compute_units, test.properties.compute_units);
        buffers[i] = words_new(shares[i], WORDS, 0);
        queues[i] = queue_new(shares[i], flags);
        ok(accel_module_load(shares[i], "conformance", &module));
        ok(accel_module_kernel(module, "each", &kernel));
        ok(accel_work_divide(kernel, 1, &length, NULL, &work));
        words_args args = {.words = accel_buffer_ptr(buffers[i]), .n = WORDS};
        for (int k = 0; k < TIMES; ++k)
            ok(accel_launch(queues[i], kernel, &work, &args, sizeof args));
        accel_module_release(module);
        accel_device_release(shares[i]); /* its queue keeps it */
    }
    for (size_t i = 0; i < count; ++i) {
        words_are(queues[i], buffers[i], TIMES);
        accel_buffer_release(buffers[i]);
        accel_queue_release(queues[i]);
    }
    return true;
}

START_TEST(m8_sub_devices_run_kernels_side_by_side)
{
    static const uint32_t ways[] = {ACCEL_PARTITION_NUMA, ACCEL_PARTITION_CACHE, ACCEL_PARTITION_EQUAL};
    bool ran = false;
    if ((test.properties.features & ACCEL_FEATURE_PARTITION) == 0)
        unsupported("the device has no ACCEL_FEATURE_PARTITION");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
        desc.by = ways[i];
        desc.share_count = ways[i] == ACCEL_PARTITION_EQUAL ? 2 : 0;
        for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; flags += ACCEL_QUEUE_BLOCKING)
            ran = shares_run_kernels(&desc, flags) || ran;
    }
    if (!ran)
        not_here("the device is too small to be shared out");
}
END_TEST

static void count_up(void *user, accel_status status)
{
    (void)status;
    sleep_ms(2);
    atomic_fetch_add((_Atomic uint32_t *)user, 1);
}

START_TEST(q9_device_wait_covers_every_queue_of_the_device)
{
    enum { QUEUES = 6 };
    static _Atomic uint32_t count;
    accel_queue *queues[QUEUES];
    atomic_store(&count, 0);
    for (int i = 0; i < QUEUES; ++i) {
        queues[i] = queue_new(test.device, 0);
        for (int k = 0; k < 5; ++k)
            ok(accel_queue_call(queues[i], count_up, &count));
    }
    accel_queue_release(queues[0]); /* its pending work counts no less */
    ok(accel_device_wait(test.device));
    uint32_t seen = atomic_load(&count);
    ck_assert_uint_ge(seen, 5 * (QUEUES - 1));
    ck_assert(becomes(&count, 5 * QUEUES, 20));
    for (int i = 1; i < QUEUES; ++i) {
        bool idle = false;
        ok(accel_queue_is_idle(queues[i], &idle));
        ck_assert(idle);
        accel_queue_release(queues[i]);
    }
}
END_TEST

START_TEST(q9_device_wait_reports_the_first_failure_among_its_queues)
{
    accel_device *device = need_partner();
    accel_queue *good = queue_new(device, 0), *bad = queue_new(device, 0);
    accel_buffer *buffer = words_new(device, 10, 1);
    uint32_t value = 2;
    faulty_queue_control *control = queue_control(bad);
    control->fail_next(control, ACCEL_KERNEL_FAULT);
    ok(accel_fill(bad, buffer, &value, sizeof value, NULL));
    ok(accel_fill(good, buffer, &value, sizeof value, NULL));
    refused(ACCEL_KERNEL_FAULT, accel_device_wait(device), "failed on request");
    words_are(good, buffer, 2);
    ok(accel_device_wait(device));
    accel_queue_release(good);
    accel_queue_release(bad);
    accel_buffer_release(buffer);
}
END_TEST

START_TEST(k10_after_device_loss_every_call_answers_so_and_releases_succeed)
{
    accel_device *device = need_partner();
    accel_queue *queue = queue_new(device, 0), *more = NULL;
    accel_event *event = event_new(device, ACCEL_EVENT_TIMING), *another = NULL;
    accel_buffer *buffer = words_new(device, 10, 1), *second = words_new(device, 10, 1), *third = NULL;
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    ok(accel_module_load(device, "conformance", &module));
    ok(accel_module_kernel(module, "empty", &kernel));
    ok(accel_event_record(event, queue));
    ok(accel_queue_wait(queue));
    accel_buffer_desc desc = accel_buffer_1d(4, 10);
    accel_work work = work_of(1, 1);
    uint32_t words[10] = {0};
    bool yes = false;
    faulty_device_control *control = device_control(device);
    control->lose(control);

    refused(ACCEL_DEVICE_LOST, accel_queue_wait(queue), "lost");
    refused(ACCEL_DEVICE_LOST, accel_queue_wait(queue), "lost"); /* never cleared */
    refused(ACCEL_DEVICE_LOST, accel_fill(queue, buffer, words, 4, NULL), "lost");
    refused(ACCEL_DEVICE_LOST, accel_copy(queue, buffer, second, NULL), "lost");
    refused(ACCEL_DEVICE_LOST, accel_write(queue, buffer, words), "lost");
    refused(ACCEL_DEVICE_LOST, accel_read(queue, words, buffer), "lost");
    refused(ACCEL_DEVICE_LOST, accel_launch(queue, kernel, &work, NULL, 0), "lost");
    refused(ACCEL_DEVICE_LOST, accel_queue_call(queue, count_up, NULL), "lost");
    refused(ACCEL_DEVICE_LOST, accel_event_record(event, queue), "lost");
    refused(ACCEL_DEVICE_LOST, accel_queue_wait_event(queue, event), "lost");
    refused(ACCEL_DEVICE_LOST, accel_event_wait(event), "lost");
    refused(ACCEL_DEVICE_LOST, accel_event_is_complete(event, &yes), "lost");
    refused(ACCEL_DEVICE_LOST, accel_queue_is_idle(queue, &yes), "lost");
    refused(ACCEL_DEVICE_LOST, accel_queue_create(device, NULL, &more), "lost");
    refused(ACCEL_DEVICE_LOST, accel_event_create(device, NULL, &another), "lost");
    refused(ACCEL_DEVICE_LOST, accel_buffer_create(device, &desc, &third), "lost");
    refused(ACCEL_DEVICE_LOST, accel_device_wait(device), "lost");
    ck_assert(more == NULL && another == NULL && third == NULL);
    accel_kernel_release(NULL);
    accel_module_release(module);
    accel_buffer_release(buffer);
    accel_buffer_release(second);
    accel_event_release(event);
    accel_queue_release(queue);

    accel_queue *unharmed = queue_new(test.device, 0); /* other devices go on */
    accel_buffer *works = words_new(test.device, 10, 4);
    words_are(unharmed, works, 4);
    accel_buffer_release(works);
    accel_queue_release(unharmed);
}
END_TEST

Suite *device_suite(void)
{
    Suite *suite = suite_create("device");
    add(suite, a_device_describes_itself);
    add(suite, the_host_is_a_device_without_queues);
    add(suite, memory_is_told_in_bytes_now);
    add(suite, a_device_may_access_itself);
    add(suite, a_device_keeps_its_instance);
    add(suite, m8_sub_devices_share_the_memory_of_their_parent);
    add(suite, m8_sub_devices_run_kernels_side_by_side);
    add(suite, q9_device_wait_covers_every_queue_of_the_device);
    add(suite, q9_device_wait_reports_the_first_failure_among_its_queues);
    add(suite, k10_after_device_loss_every_call_answers_so_and_releases_succeed);
    return suite;
}
