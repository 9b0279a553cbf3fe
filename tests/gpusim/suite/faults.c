/* SPDX-License-Identifier: Apache-2.0 */
/* What a GPU backend makes of a driver's faults. */
#include "rig.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static accel_status divide(const rig *b, size_t shared_bytes)
{
    const size_t extent[1] = {RIG_WORDS};
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    accel_work work = ACCEL_WORK_INIT;
    wish.shared_bytes = shared_bytes;
    return accel_work_divide(b->add, 1, extent, &wish, &work);
}

/* Every later call of the device answers it, with the text of the first. */
static void every_call_answers(const rig *b, accel_status status, const char *piece)
{
    uint32_t value = 1, words[RIG_WORDS];
    accel_buffer_desc desc = accel_buffer_1d(4, 10);
    accel_buffer *buffer = NULL;
    accel_queue *queue = NULL;
    accel_module *module = NULL;
    accel_event *event = NULL;
    size_t bytes, total;
    ok(accel_event_create(b->other, NULL, &event));
    refused(status, rig_launch(b, b->queue, b->add, NULL), piece);
    refused(status, accel_fill(b->queue, b->words, &value, sizeof(value), NULL), piece);
    refused(status, accel_read(b->queue, words, b->words), piece);
    refused(status, accel_write(b->queue, b->words, words), piece);
    refused(status, accel_queue_wait(b->queue), piece);
    refused(status, accel_queue_wait(b->queue), piece);
    refused(status, accel_device_wait(b->device), piece);
    refused(status, accel_buffer_create(b->device, &desc, &buffer), piece);
    refused(status, accel_queue_create(b->device, NULL, &queue), piece);
    refused(status, accel_module_load(b->device, "conformance", &module), piece);
    refused(status, accel_device_memory(b->device, &bytes, &total), piece);
    refused(status, divide(b, 0), piece);
    accel_event_release(event);
}

static void an_illegal_address(rig *b, void *words)
{
    accel_event *before = NULL, *after = NULL;
    accel_queue *idle = NULL, *waiting = NULL;
    ok(accel_queue_create(b->other, NULL, &waiting));
    ok(accel_event_create(b->device, NULL, &before));
    ok(accel_event_create(b->device, NULL, &after));
    ok(accel_queue_create(b->device, NULL, &idle));
    ok(rig_launch(b, b->queue, b->add, NULL));
    ok(accel_event_record(before, b->queue));
    ok(accel_event_wait(before));
    accel_status later = rig_launch(b, b->queue, b->set, words);
    ck_assert(later == ACCEL_OK || later == ACCEL_KERNEL_FAULT);
    accel_status recorded = accel_event_record(after, b->queue);
    if (recorded == ACCEL_OK)
        ok(accel_queue_wait_event(waiting, after));
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(b->queue), "set", "add", "aunch");
    if (recorded == ACCEL_OK)
        refused(ACCEL_KERNEL_FAULT, accel_event_wait(after), "set");
    if (recorded == ACCEL_OK)
        refused(ACCEL_KERNEL_FAULT, accel_queue_wait(waiting), ""); /* it inherits, and goes on */
    ok(accel_queue_wait(waiting));
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(idle), "set"); /* the device's other queues know of it */
    every_call_answers(b, ACCEL_KERNEL_FAULT, "set");
    ok(rig_use(b->other)); /* other devices go on */
    accel_event_release(before);
    accel_event_release(after);
    accel_queue_release(idle);
    accel_queue_release(waiting);
}

START_TEST(an_illegal_address_stays_with_its_device_and_names_the_last_launches)
{
    rig b = rig_begin();
    an_illegal_address(&b, (void *)(uintptr_t)64);
    rig_end(&b);
}
END_TEST

/* As hardware does: the host's memory is not the device's. A page of its own: the device process may have its stack, which
 * grows to 8 MiB, where this one has its own. */
START_TEST(a_kernel_does_not_reach_the_hosts_memory)
{
    const size_t size = RIG_WORDS * sizeof(uint32_t);
    uint32_t *words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(words, MAP_FAILED);
    rig b = rig_begin();
    an_illegal_address(&b, words);
    for (int i = 0; i < RIG_WORDS; ++i)
        ck_assert_uint_eq(words[i], 0);
    rig_end(&b);
    munmap(words, size);
}
END_TEST

START_TEST(a_blocking_queue_reports_a_fault_at_the_launch)
{
    rig b = rig_begin();
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *blocking = NULL;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    ok(accel_queue_create(b.device, &desc, &blocking));
    ok(rig_launch(&b, blocking, b.add, NULL));
    refused(ACCEL_KERNEL_FAULT, rig_launch(&b, blocking, b.set, (void *)(uintptr_t)64), "noticed in launch of \"set\"");
    every_call_answers(&b, ACCEL_KERNEL_FAULT, "set");
    accel_queue_release(blocking);
    rig_end(&b);
}
END_TEST

START_TEST(w9_launch_blocking_reports_a_fault_at_the_launch)
{
    setenv("ACCEL_LAUNCH_BLOCKING", "1", 1);
    rig b = rig_begin();
    ok(rig_launch(&b, b.queue, b.add, NULL));
    refused(ACCEL_KERNEL_FAULT, rig_launch(&b, b.queue, b.set, (void *)(uintptr_t)64), "accel_launch", "\"set\"");
    every_call_answers(&b, ACCEL_KERNEL_FAULT, "set");
    rig_end(&b);
}
END_TEST

START_TEST(w3_under_a_tool_a_fault_is_the_same_and_other_devices_go_on)
{
    setenv("ACCEL_TOOL", "recorder", 1);
    rig b = rig_begin();
    ok(rig_launch(&b, b.queue, b.add, NULL));
    ok(accel_queue_wait(b.queue));
    accel_status status = rig_launch(&b, b.queue, b.set, (void *)(uintptr_t)64);
    ck_assert(status == ACCEL_OK || status == ACCEL_KERNEL_FAULT);
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(b.queue), "set");
    every_call_answers(&b, ACCEL_KERNEL_FAULT, "set");
    ok(rig_use(b.other));
    rig_end(&b);
}
END_TEST

static void count_call(void *user, accel_status status)
{
    uint32_t *calls = user;
    ++calls[status == ACCEL_OK ? 0 : 1];
}

START_TEST(q8_host_functions_run_once_behind_a_fault)
{
    uint32_t calls[2] = {0};
    rig b = rig_begin();
    ok(accel_queue_call(b.queue, count_call, calls));
    ok(accel_queue_wait(b.queue));
    accel_status status = rig_launch(&b, b.queue, b.set, (void *)(uintptr_t)64);
    ck_assert(status == ACCEL_OK || status == ACCEL_KERNEL_FAULT);
    unsigned given = 0;
    for (int i = 0; i < 3; ++i)
        given += accel_queue_call(b.queue, count_call, calls) == ACCEL_OK;
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(b.queue), "set");
    ck_assert_uint_eq(calls[0], 1);
    ck_assert_uint_eq(calls[1], given);
    rig_end(&b);
}
END_TEST

static _Atomic unsigned dropped;

static void count_dropped(void *user, accel_status status)
{
    (void)user, (void)status;
    ++dropped;
}

START_TEST(q8_the_driver_drops_host_functions_and_nobody_waits)
{
    rig b = rig_begin();
    accel_queue *queue = NULL;
    ok(accel_queue_create(b.device, NULL, &queue));
    (void)rig_launch(&b, queue, b.set, (void *)(uintptr_t)64);
    for (int i = 0; i < 5; ++i)
        if (accel_queue_call(queue, count_dropped, NULL) != ACCEL_OK)
            ++dropped; /* it is known already */
    accel_queue_release(queue);
    for (int i = 0; i < 20000 && dropped != 5; ++i)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    ck_assert_uint_eq(dropped, 5);
    rig_end(&b);
}
END_TEST

START_TEST(k10_a_lost_device_is_lost_for_good_and_others_go_on)
{
    setenv("GPUSIM_FAULT", "lost@2/0", 1);
    rig b = rig_begin();
    ok(rig_launch(&b, b.queue, b.add, NULL));
    ok(accel_queue_wait(b.queue));
    accel_status status = rig_launch(&b, b.queue, b.set, NULL);
    ck_assert(status == ACCEL_OK || status == ACCEL_DEVICE_LOST);
    refused(ACCEL_DEVICE_LOST, accel_queue_wait(b.queue), "set");
    every_call_answers(&b, ACCEL_DEVICE_LOST, "lost");
    ok(rig_use(b.other));
    rig_end(&b);
}
END_TEST

START_TEST(k10_a_queue_that_waits_for_a_lost_device_fails_and_its_own_device_goes_on)
{
    setenv("GPUSIM_FAULT", "lost@1/0", 1);
    rig b = rig_begin();
    accel_queue *waiting = NULL;
    accel_event *event = NULL;
    ok(accel_queue_create(b.other, NULL, &waiting));
    ok(accel_event_create(b.device, NULL, &event));
    rig_gate gate = {0};
    rig_gate_in(&gate, b.queue);
    ok(rig_launch(&b, b.queue, b.set, NULL));
    ok(accel_event_record(event, b.queue));
    ok(accel_queue_wait_event(waiting, event));
    gate.open = true;
    refused(ACCEL_DEVICE_LOST, accel_queue_wait(b.queue), "set");
    refused(ACCEL_UNAVAILABLE, accel_queue_wait(waiting), "");
    ok(accel_queue_wait(waiting));
    ok(rig_use(b.other));
    accel_event_release(event);
    accel_queue_release(waiting);
    rig_end(&b);
}
END_TEST

START_TEST(a_launch_that_fails_on_the_device_is_a_fault)
{
    setenv("GPUSIM_FAULT", "launch-failed@1/0", 1);
    rig b = rig_begin();
    accel_status status = rig_launch(&b, b.queue, b.set, NULL);
    ck_assert(status == ACCEL_OK || status == ACCEL_KERNEL_FAULT);
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(b.queue), "set");
    every_call_answers(&b, ACCEL_KERNEL_FAULT, "set");
    ok(rig_use(b.other));
    rig_end(&b);
}
END_TEST

START_TEST(a_launch_that_the_driver_refuses_leaves_the_device_well)
{
    setenv("GPUSIM_FAULT", "launch@2/0", 1);
    rig b = rig_begin();
    ok(rig_launch(&b, b.queue, b.add, NULL));
    accel_status status = rig_launch(&b, b.queue, b.add, NULL);
    ck_assert_uint_ne(status, ACCEL_OK);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "\"add\" (4x1x1 blocks of 32x1x1 threads"));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), rig_is_cuda() ? "CUDA_ERROR_" : "hipError"));
    (void)accel_queue_wait(b.queue);
    ok(rig_use(b.device));
    rig_end(&b);
}
END_TEST

static void fail_occupancy(const char *cuda, const char *hip)
{
    char fault[80];
    snprintf(fault, sizeof(fault), "%s@1=999", rig_is_cuda() ? cuda : hip);
    setenv("GPUSIM_FAIL", fault, 1);
    rig b = rig_begin();
    refused(ACCEL_DRIVER, divide(&b, 0), "accel_work_divide", "occupancy", "999");
    ok(divide(&b, 0));
    ok(rig_use(b.device));
    rig_end(&b);
}

/* Nothing is guessed in the driver's place. */
START_TEST(a_driver_that_does_not_tell_the_occupancy_fails_the_division)
{
    fail_occupancy("cuOccupancyMaxPotentialBlockSize", "hipModuleOccupancyMaxPotentialBlockSize");
}
END_TEST

START_TEST(nor_does_one_that_does_not_tell_the_blocks_of_a_unit)
{
    fail_occupancy("cuOccupancyMaxActiveBlocksPerMultiprocessor", "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor");
}
END_TEST

START_TEST(k10_a_fault_that_the_division_meets_stays)
{
    setenv("GPUSIM_FAIL", "cuOccupancyMaxPotentialBlockSize@1=700,hipModuleOccupancyMaxPotentialBlockSize@1=700", 1);
    rig b = rig_begin();
    refused(ACCEL_KERNEL_FAULT, divide(&b, 0), "accel_work_divide", "700");
    refused(ACCEL_KERNEL_FAULT, divide(&b, 0), "700");
    refused(ACCEL_KERNEL_FAULT, rig_launch(&b, b.queue, b.add, NULL), "700");
    rig_end(&b);
}
END_TEST

/* The driver is not asked about what no block can have: its words would not tell the limit. */
START_TEST(k2_too_much_shared_memory_is_refused_with_the_limit)
{
    accel_kernel_properties p = ACCEL_KERNEL_PROPERTIES_INIT;
    char limit[32];
    rig b = rig_begin();
    ok(accel_kernel_info(b.add, &p));
    snprintf(limit, sizeof(limit), "%zu", p.max_shared_bytes);
    ok(divide(&b, p.max_shared_bytes));
    refused(ACCEL_LIMIT, divide(&b, p.max_shared_bytes + 1), limit);
    rig_end(&b);
}
END_TEST

/* The n-th allocation fails, whichever it is: the call says so, or does without, and can be repeated. */
static int use_with_failing_allocation(int n)
{
    accel_instance *instance = NULL;
    char fault[40];
    snprintf(fault, sizeof(fault), "allocation@%d", n);
    setenv("GPUSIM_FAULT", fault, 1);
    if (accel_instance_create(NULL, &instance) != ACCEL_OK)
        return 10;
    int failed = 0;
    for (int i = 0; i < 4; ++i) { /* the n-th may be in a later one */
        accel_status status = rig_use(accel_instance_device(instance, 0));
        failed += status != ACCEL_OK;
        if (status != ACCEL_OK && (status != ACCEL_OUT_OF_MEMORY || accel_error_message()[0] == '\0' || failed > 1)) {
            fprintf(stderr, "allocation %d: %s: %s\n", n, accel_status_name(status), accel_error_message());
            return 11;
        }
    }
    accel_instance_release(instance);
    return failed;
}

START_TEST(whichever_allocation_fails_the_device_is_well_afterwards)
{
    int failed = 0;
    for (int n = 1; n <= 8; ++n) {
        int status = rig_status_of(use_with_failing_allocation, n);
        ck_assert_msg(status <= 1, "allocation %d: exit status %d", n, status);
        failed += status;
    }
    ck_assert_int_gt(failed, 0);
}
END_TEST

/* A blocking queue waits for its allocation, and that fails: the simulated driver reports memory that is left. */
START_TEST(ordered_memory_whose_allocation_was_not_waited_for_goes_back)
{
    setenv("GPUSIM_FAIL", "cuStreamSynchronize@1=801,hipStreamSynchronize@1=801", 1);
    accel_buffer_desc desc = accel_buffer_1d(4, 100);
    accel_queue_desc blocking = ACCEL_QUEUE_DESC_INIT;
    accel_instance *instance = NULL;
    accel_queue *queue = NULL;
    accel_buffer *buffer = NULL;
    blocking.flags = ACCEL_QUEUE_BLOCKING;
    ok(accel_instance_create(NULL, &instance));
    ok(accel_queue_create(accel_instance_device(instance, 0), &blocking, &queue));
    refused(ACCEL_UNSUPPORTED, accel_buffer_create_async(queue, &desc, &buffer), "801");
    ok(accel_buffer_create_async(queue, &desc, &buffer));
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_instance_release(instance);
}
END_TEST

/* The driver refuses the event behind a copy; what the copy needs stays, and goes back in the end. */
START_TEST(o3_an_event_that_the_driver_refuses_is_not_reached)
{
    enum { FILLS = 40 }; /* a quarter of them begins late: they take the stream a second */
    const char *trace = rig_scratch("trace");
    const char *freed = rig_is_cuda() ? "cuMemFree_v2" : "hipFree";
    uint32_t pattern = 1;
    setenv("GPUSIM_FAIL", "cuEventRecord@1=801,hipEventRecord@1=801", 1);
    setenv("GPUSIM_TRACE", trace, 1);
    setenv("GPUSIM_DELAY", "200000", 1);
    rig b = rig_begin();
    accel_buffer_desc desc = accel_buffer_1d(4, RIG_WORDS);
    accel_buffer *copy = NULL;
    ok(accel_buffer_create(b.device, &desc, &copy));
    ok(accel_queue_wait(b.queue));
    unsigned before = rig_calls(trace, freed);
    for (int i = 0; i < FILLS; ++i)
        ok(accel_fill(b.queue, b.words, &pattern, sizeof(pattern), NULL));
    ok(accel_copy(b.queue, copy, b.words, NULL));
    accel_buffer_release(copy);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    ck_assert_uint_eq(rig_calls(trace, freed), before);
    ck_assert_uint_ge(rig_calls(trace, rig_is_cuda() ? "cuEventRecord" : "hipEventRecord"), 2);
    ok(accel_queue_wait(b.queue));
    rig_end(&b);
    ck_assert_uint_gt(rig_calls(trace, freed), before);
}
END_TEST

/* The driver frees the memory and reports the fault of an earlier launch by the same call. */
START_TEST(o4_ordered_memory_is_freed_once_when_its_release_meets_a_fault)
{
    accel_buffer_desc desc = accel_buffer_1d(4, 100);
    accel_buffer *buffer = NULL;
    accel_queue *other = NULL;
    rig b = rig_begin();
    ok(accel_queue_create(b.device, NULL, &other));
    ok(accel_buffer_create_async(b.queue, &desc, &buffer));
    ok(accel_queue_wait(b.queue));
    accel_status status = rig_launch(&b, other, b.set, (void *)(uintptr_t)64);
    ck_assert(status == ACCEL_OK || status == ACCEL_KERNEL_FAULT);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    accel_buffer_release(buffer);
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(b.queue), "set");
    accel_queue_release(other);
    rig_end(&b);
}
END_TEST

TCase *faults_tests(void)
{
    TCase *tests = tcase_create("faults");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, o4_ordered_memory_is_freed_once_when_its_release_meets_a_fault);
    tcase_add_test(tests, an_illegal_address_stays_with_its_device_and_names_the_last_launches);
    tcase_add_test(tests, a_kernel_does_not_reach_the_hosts_memory);
    tcase_add_test(tests, a_blocking_queue_reports_a_fault_at_the_launch);
    tcase_add_test(tests, w9_launch_blocking_reports_a_fault_at_the_launch);
    tcase_add_test(tests, w3_under_a_tool_a_fault_is_the_same_and_other_devices_go_on);
    tcase_add_test(tests, q8_host_functions_run_once_behind_a_fault);
    tcase_add_test(tests, q8_the_driver_drops_host_functions_and_nobody_waits);
    tcase_add_test(tests, k10_a_lost_device_is_lost_for_good_and_others_go_on);
    tcase_add_test(tests, k10_a_queue_that_waits_for_a_lost_device_fails_and_its_own_device_goes_on);
    tcase_add_test(tests, a_launch_that_fails_on_the_device_is_a_fault);
    tcase_add_test(tests, a_launch_that_the_driver_refuses_leaves_the_device_well);
    tcase_add_test(tests, a_driver_that_does_not_tell_the_occupancy_fails_the_division);
    tcase_add_test(tests, nor_does_one_that_does_not_tell_the_blocks_of_a_unit);
    tcase_add_test(tests, k10_a_fault_that_the_division_meets_stays);
    tcase_add_test(tests, k2_too_much_shared_memory_is_refused_with_the_limit);
    tcase_add_test(tests, whichever_allocation_fails_the_device_is_well_afterwards);
    tcase_add_test(tests, ordered_memory_whose_allocation_was_not_waited_for_goes_back);
    tcase_add_test(tests, o3_an_event_that_the_driver_refuses_is_not_reached);
    return tests;
}
