/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of the GPU engine: what is held back, what fails, what a release leaves to others. */
#include "gpu_launching.h"
#include "gpu_fake_driver.h"

#include "plugins/gpu/engine/thread.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic uint32_t called, last_status;

static void count(void *user, accel_status status)
{
    (void)user;
    last_status = status;
    ++called;
}

/* --------------------------------------------------------------------------------------- held back -- */

START_TEST(e5_what_follows_an_unreached_value_is_held_back_and_then_runs_in_order)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0), *other = gpu_fake_queue(&fake, 0, 0);
    accel_impl_event *event = gpu_fake_event(&fake, 0, 0);
    accel_timeline *timeline = timeline_new();
    bool yes = true;
    called = 0;
    OK(gpu_queue_vtable.wait_timeline(queue, timeline, 3));
    OK(launch(queue));
    OK(gpu_queue_vtable.call(queue, count, NULL));
    OK(gpu_queue_vtable.record(queue, event));
    OK(gpu_queue_vtable.wait_event(other, event)); /* on a record that no driver knows yet */
    OK(gpu_queue_vtable.call(other, count, NULL));
    OK(gpu_queue_vtable.is_idle(queue, &yes));
    ck_assert(!yes);
    OK(gpu_queue_vtable.is_idle(other, &yes));
    ck_assert(!yes);
    OK(gpu_event_vtable.is_complete(event, &yes));
    ck_assert(!yes);
    accel_services.timeline_signal(timeline, 2, ACCEL_OK);
    usleep(20000);
    ck_assert_uint_eq(called, 0);
    ck_assert_uint_eq(gpu_fake_launches, 0);
    accel_services.timeline_signal(timeline, 3, ACCEL_OK);
    OK(gpu_event_vtable.wait(event));
    ck_assert_uint_eq(gpu_fake_launches, 1);
    OK(gpu_queue_vtable.wait(other));
    ck_assert_uint_eq(called, 2);
    ck_assert_uint_eq(last_status, ACCEL_OK);
    OK(launch(queue)); /* no longer held back */
    OK(gpu_queue_vtable.wait(queue));
    ck_assert_uint_eq(gpu_fake_launches, 2);
    accel_services.timeline_release(timeline);
    gpu_event_vtable.destroy(event);
    gpu_queue_vtable.destroy(queue);
    gpu_queue_vtable.destroy(other);
    close_fake();
}
END_TEST

START_TEST(q7_a_value_that_carries_a_failure_skips_what_was_held_back)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0), *other = gpu_fake_queue(&fake, 1, 0);
    accel_impl_event *event = gpu_fake_event(&fake, 0, 0);
    accel_timeline *timeline = timeline_new();
    called = 0;
    OK(gpu_queue_vtable.wait_timeline(queue, timeline, 1));
    OK(launch(queue));
    OK(gpu_queue_vtable.record(queue, event));
    OK(gpu_queue_vtable.call(queue, count, NULL));
    OK(gpu_queue_vtable.wait_event(other, event)); /* of another device */
    accel_services.timeline_signal(timeline, 1, ACCEL_KERNEL_FAULT);
    FAILS(ACCEL_KERNEL_FAULT, gpu_event_vtable.wait(event));
    FAILS(ACCEL_KERNEL_FAULT, gpu_queue_vtable.wait(other));
    FAILS(ACCEL_KERNEL_FAULT, gpu_queue_vtable.wait(queue));
    ck_assert_uint_eq(gpu_fake_launches, 0);
    ck_assert_uint_eq(called, 1);
    ck_assert_uint_eq(last_status, ACCEL_KERNEL_FAULT);
    OK(gpu_queue_vtable.wait(queue)); /* reported once */
    OK(launch(queue));
    OK(gpu_queue_vtable.wait(queue));
    ck_assert_uint_eq(gpu_fake_launches, 1);
    accel_services.timeline_release(timeline);
    gpu_event_vtable.destroy(event);
    gpu_queue_vtable.destroy(queue);
    gpu_queue_vtable.destroy(other);
    close_fake();
}
END_TEST

START_TEST(e5_others_are_told_of_a_record_without_waiting_for_what_came_later)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    accel_impl_event *event = gpu_fake_event(&fake, 0, 0);
    accel_timeline *timeline = NULL;
    uint64_t value = 7;
    gpu_gate gate;
    OK(gpu_event_vtable.timeline(event, &timeline, &value));
    ck_assert(timeline == NULL && value == 0); /* never recorded */
    OK(gpu_queue_vtable.record(queue, event));
    gpu_gate_in(&gate, queue);
    OK(gpu_event_vtable.timeline(event, &timeline, &value));
    ck_assert_uint_eq(accel_services.timeline_wait(timeline, value), ACCEL_OK); /* although the gate is shut */
    OK(gpu_queue_vtable.record(queue, event));                                  /* another record */
    bool yes = true;
    OK(gpu_event_vtable.is_complete(event, &yes));
    ck_assert(!yes);
    gate.open = true;
    OK(gpu_event_vtable.wait(event));
    accel_services.timeline_release(timeline);
    gpu_event_vtable.destroy(event);
    gpu_queue_vtable.destroy(queue);
    close_fake();
}
END_TEST

START_TEST(o3_a_queue_that_is_held_back_may_be_released)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    accel_timeline *timeline = timeline_new();
    called = 0;
    OK(gpu_queue_vtable.wait_timeline(queue, timeline, 1));
    OK(gpu_queue_vtable.call(queue, count, NULL));
    gpu_queue_vtable.destroy(queue);
    usleep(10000);
    ck_assert_uint_eq(called, 0);
    accel_services.timeline_signal(timeline, 1, ACCEL_OK);
    ck_assert(gpu_becomes(&called, 1));
    accel_services.timeline_release(timeline);
    close_fake();
}
END_TEST

/* ----------------------------------------------------------------------------------------- failures -- */

START_TEST(a_fault_ends_the_device_and_names_the_last_launches)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0), *sibling = gpu_fake_queue(&fake, 0, 0);
    accel_impl_queue *waiting = gpu_fake_queue(&fake, 1, 0), *unharmed = gpu_fake_queue(&fake, 1, 0);
    accel_impl_event *event = gpu_fake_event(&fake, 0, 0);
    accel_memory_request request = {.struct_size = sizeof(request), .size = 100, .alignment = 256};
    accel_impl_memory *memory = NULL;
    void *ptr, *host_ptr;
    gpu_gate gate;
    called = 0;
    gpu_fake_next_faults = true;
    gpu_gate_in(&gate, queue);
    OK(launch(queue));
    OK(gpu_queue_vtable.record(queue, event));
    OK(gpu_queue_vtable.wait_event(waiting, event));
    OK(gpu_queue_vtable.call(queue, count, NULL)); /* the driver will drop it */
    gate.open = true;
    FAILS(ACCEL_KERNEL_FAULT, gpu_queue_vtable.wait(queue));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "\"fake:0\""));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "FAKE_ILLEGAL_ADDRESS (700)"));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "\"axpy\" (3x1x1 blocks of 64x1x1 threads)"));
    ck_assert_uint_eq(called, 1); /* Q8: all the same */
    ck_assert_uint_eq(last_status, ACCEL_KERNEL_FAULT);
    FAILS(ACCEL_KERNEL_FAULT, gpu_queue_vtable.wait(queue)); /* never cleared */
    FAILS(ACCEL_KERNEL_FAULT, launch(queue));
    FAILS(ACCEL_KERNEL_FAULT, launch(sibling));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "\"axpy\""));
    FAILS(ACCEL_KERNEL_FAULT, gpu_queue_vtable.record(sibling, event));
    FAILS(ACCEL_KERNEL_FAULT, gpu_queue_vtable.call(sibling, count, NULL));
    FAILS(ACCEL_KERNEL_FAULT, gpu_queue_vtable.wait(sibling));
    FAILS(ACCEL_KERNEL_FAULT, gpu_event_vtable.wait(event));
    FAILS(ACCEL_KERNEL_FAULT, gpu_device_vtable.allocate(fake.devices[0], &request, &memory, &ptr, &host_ptr));
    FAILS(ACCEL_KERNEL_FAULT, gpu_queue_vtable.wait(waiting)); /* it inherits */
    OK(gpu_queue_vtable.wait(waiting));
    OK(gpu_queue_vtable.call(unharmed, count, NULL)); /* other devices go on */
    OK(gpu_queue_vtable.wait(unharmed));
    ck_assert_uint_eq(called, 2);
    ck_assert_uint_eq(last_status, ACCEL_OK);
    gpu_event_vtable.destroy(event);
    gpu_queue_vtable.destroy(queue);
    gpu_queue_vtable.destroy(sibling);
    gpu_queue_vtable.destroy(waiting);
    gpu_queue_vtable.destroy(unharmed);
    close_fake();
}
END_TEST

START_TEST(q8_the_driver_drops_host_functions_and_nobody_waits)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    called = 0;
    gpu_fake_next_faults = true;
    OK(launch(queue));
    for (int i = 0; i < 5; ++i)
        if (gpu_queue_vtable.call(queue, count, NULL) != ACCEL_OK)
            ++called; /* it knew already */
    gpu_queue_vtable.destroy(queue);
    ck_assert(gpu_becomes(&called, 5));
    close_fake();
}
END_TEST

static accel_impl_device *faulting;

/* The driver refuses a function of a stream. Meanwhile another thread has noticed a fault, and the engine ran everything
 * that the driver will not. */
static gpu_result refuse_beside_a_fault(gpu_stream stream, gpu_host_function function, void *user)
{
    (void)stream;
    (void)function;
    (void)user;
    gpu_device_failed(faulting, "a test", FAKE_FAULT);
    ck_assert(gpu_becomes(&called, 1));
    gpu_thread_flush(&gpu_submit_thread);
    return FAKE_FAULT;
}

START_TEST(q8_a_host_function_that_is_refused_beside_a_fault_runs_once)
{
    open_fake();
    accel_impl_device *device = faulting = fake.devices[0];
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    const gpu_driver *driver = device->driver;
    gpu_driver refusing = *driver;
    refusing.stream_call = refuse_beside_a_fault;
    called = 0;
    device->driver = &refusing;
    OK(gpu_queue_vtable.call(queue, count, NULL));
    device->driver = driver;
    ck_assert_uint_eq(called, 1);
    ck_assert_uint_eq(last_status, ACCEL_KERNEL_FAULT);
    FAILS(ACCEL_KERNEL_FAULT, gpu_queue_vtable.wait(queue));
    gpu_queue_vtable.destroy(queue);
    close_fake();
    ck_assert_uint_eq(called, 1);
}
END_TEST

/* Another thread notices a fault, and has not told the queues yet. */
static gpu_result make_beside_a_fault(gpu_driver_event *event, unsigned flags)
{
    (void)flags;
    accel_services.error(ACCEL_KERNEL_FAULT, "a fault of a test");
    gpu_failure_keep(&faulting->fault, ACCEL_KERNEL_FAULT);
    ++gpu_fake_alive;
    *event = calloc(1, 64);
    return 0;
}

START_TEST(q7_a_record_that_fails_beside_a_fault_says_so)
{
    open_fake();
    accel_impl_device *device = faulting = fake.devices[0];
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    accel_impl_event *event = gpu_fake_event(&fake, 1, 0); /* of another device: the record takes a new mark */
    const gpu_driver *driver = device->driver;
    gpu_driver failing = *driver;
    failing.event_create = make_beside_a_fault;
    device->driver = &failing;
    FAILS(ACCEL_KERNEL_FAULT, gpu_queue_vtable.record(queue, event));
    device->driver = driver;
    gpu_event_vtable.destroy(event);
    gpu_queue_vtable.destroy(queue);
    close_fake();
}
END_TEST

START_TEST(a_blocking_queue_answers_with_the_fault_itself)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, ACCEL_QUEUE_BLOCKING);
    called = 0;
    OK(launch(queue));
    ck_assert_uint_eq(gpu_fake_launches, 1);
    OK(gpu_queue_vtable.call(queue, count, NULL));
    ck_assert_uint_eq(called, 1);
    gpu_fake_next_faults = true;
    FAILS(ACCEL_KERNEL_FAULT, launch(queue));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "noticed in launch of \"axpy\""));
    gpu_queue_vtable.destroy(queue);
    close_fake();
}
END_TEST

/* ----------------------------------------------------------------------------------- giving back -- */

START_TEST(o3_memory_released_while_the_device_works_goes_back_later)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    gpu_gate gate;
    void *ptr;
    accel_memory_request request = {.struct_size = sizeof(request), .size = 100, .alignment = 256};
    accel_impl_memory *memory = gpu_fake_memory(&fake, 0, 0, 100, &ptr), *again = NULL;
    void *host_ptr;
    gpu_gate_in(&gate, queue);
    gpu_fake_allocations_left = 0;
    gpu_device_vtable.free(fake.devices[0], memory);
    /* Nothing is left but what was released: the allocation finds it. */
    OK(gpu_device_vtable.allocate(fake.devices[0], &request, &again, &ptr, &host_ptr));
    gpu_fake_allocations_left = UINT32_MAX;
    gate.open = true;
    gpu_device_vtable.free(fake.devices[0], again);
    gpu_queue_vtable.destroy(queue);
    close_fake();
}
END_TEST

START_TEST(ordered_memory_without_the_driver_s_help_goes_back_behind_the_work)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    accel_memory_request request = {.struct_size = sizeof(request), .size = 100, .alignment = 256};
    accel_impl_memory *memory = NULL;
    void *ptr, *host_ptr;
    gpu_gate gate;
    gpu_fake_allocations_left = 1;
    OK(gpu_queue_vtable.allocate_async(queue, &request, &memory, &ptr, &host_ptr));
    gpu_gate_in(&gate, queue);
    gpu_queue_vtable.free_async(queue, memory);
    usleep(20000);
    ck_assert_uint_eq(gpu_fake_allocations_left, 0);
    gate.open = true;
    OK(gpu_queue_vtable.wait(queue));
    ck_assert(gpu_becomes(&gpu_fake_allocations_left, 1));
    gpu_fake_allocations_left = UINT32_MAX;
    gpu_queue_vtable.destroy(queue);
    close_fake();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("gpu_queue");
    add(suite, e5_what_follows_an_unreached_value_is_held_back_and_then_runs_in_order);
    add(suite, q7_a_value_that_carries_a_failure_skips_what_was_held_back);
    add(suite, e5_others_are_told_of_a_record_without_waiting_for_what_came_later);
    add(suite, o3_a_queue_that_is_held_back_may_be_released);
    add(suite, a_fault_ends_the_device_and_names_the_last_launches);
    add(suite, q8_the_driver_drops_host_functions_and_nobody_waits);
    add(suite, q8_a_host_function_that_is_refused_beside_a_fault_runs_once);
    add(suite, q7_a_record_that_fails_beside_a_fault_says_so);
    add(suite, a_blocking_queue_answers_with_the_fault_itself);
    add(suite, o3_memory_released_while_the_device_works_goes_back_later);
    add(suite, ordered_memory_without_the_driver_s_help_goes_back_behind_the_work);
    return suite;
}
