/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's call of the driver fails while another thread notices a fault. The driver of these tests is a table with the
 * few functions that the engine calls here. */
#include "run.h"

#include "core/plugins/services.h"
#include "plugins/gpu/engine/memory.h"
#include "plugins/gpu/queue/call.h"
#include "plugins/gpu/queue/event.h"
#include "plugins/gpu/queue/operation.h"

#include <stdlib.h>

enum { FAULT = 700 };

static const gpu_error_class classes[] = {{FAULT, GPU_CLASS_FAULT, ACCEL_KERNEL_FAULT}};
static accel_impl_backend backend;
static accel_impl_device device, other;
static accel_impl_queue queue;
static unsigned runs, ends;
static accel_status run_status;

static const char *words(gpu_result result)
{
    (void)result;
    return "FAKE_FAULT";
}

static gpu_result context_get_current(gpu_context *context)
{
    *context = device.context;
    return 0;
}

static gpu_result event_create(gpu_driver_event *event, unsigned flags)
{
    (void)flags;
    *event = (gpu_driver_event)malloc(1);
    return 0;
}

static gpu_result event_destroy(gpu_driver_event event)
{
    free(event);
    return 0;
}

static gpu_driver driver = {.error_classes = classes,
                            .error_class_count = 1,
                            .error_name = words,
                            .error_text = words,
                            .context_get_current = context_get_current,
                            .event_create = event_create,
                            .event_destroy = event_destroy};

static void faulted(gpu_listener *listener)
{
    (void)listener;
    gpu_call_post_abandon(&queue);
}

static void make_device(accel_impl_device *made)
{
    made->driver = &driver;
    made->backend = &backend;
    made->context = (gpu_context)(void *)&device;
    plugin_reference_begin(&made->references);
    plugin_failure_begin(&made->fault);
    pthread_mutex_init(&made->listener_lock, NULL);
}

static void begin(void)
{
    atomic_store(&gpu_host_services, &accel_services);
    ck_assert_uint_eq(gpu_threads_start(), ACCEL_OK);
    make_device(&device);
    make_device(&other);
    queue.device = &device;
    queue.listener = (gpu_listener){.history = &queue.history, .faulted = faulted};
    plugin_reference_begin(&queue.references);
    plugin_failure_begin(&queue.failure);
    pthread_mutex_init(&queue.deferred.lock, NULL);
    pthread_mutex_init(&queue.calls.lock, NULL);
    gpu_device_listen(&device, &queue.listener);
}

static void run_call(gpu_call *call, accel_status status)
{
    (void)call;
    run_status = status;
    ++runs;
}

static void end_call(gpu_call *call)
{
    (void)call;
    ++ends;
}

/* Before the refusal another thread has noticed a fault, and the engine ran everything that the driver will not. */
static gpu_result refuse_beside_a_fault(gpu_stream stream, gpu_host_function function, void *user)
{
    (void)stream;
    (void)function;
    (void)user;
    gpu_device_failed(&device, "a test", FAULT);
    gpu_thread_flush(&gpu_submit_thread);
    return FAULT;
}

START_TEST(q8_a_function_that_is_refused_beside_a_fault_runs_and_ends_once)
{
    gpu_call call = {.run = run_call, .end = end_call};
    begin();
    driver.stream_call = refuse_beside_a_fault;
    ck_assert_uint_eq(gpu_call_submit(&queue, &call, "a call"), ACCEL_OK);
    ck_assert_uint_eq(runs, 1);
    ck_assert_uint_eq(run_status, ACCEL_KERNEL_FAULT);
    ck_assert(gpu_call_none(&queue));
    gpu_call_end(&queue);
    ck_assert_uint_eq(runs, 1);
    ck_assert_uint_eq(ends, 1);
}
END_TEST

static gpu_result refuse(gpu_stream stream, gpu_host_function function, void *user)
{
    (void)stream;
    (void)function;
    (void)user;
    return 1;
}

START_TEST(q8_a_function_that_is_refused_alone_stays_the_callers)
{
    gpu_call call = {.run = run_call, .end = end_call};
    begin();
    driver.stream_call = refuse;
    ck_assert_uint_eq(gpu_call_submit(&queue, &call, "a call"), ACCEL_DRIVER);
    ck_assert(gpu_call_none(&queue));
    gpu_call_end(&queue);
    ck_assert_uint_eq(runs + ends, 0);
}
END_TEST

static gpu_host_function accepted;

static gpu_result accept(gpu_stream stream, gpu_host_function function, void *user)
{
    (void)stream;
    (void)user;
    accepted = function;
    return 0;
}

/* The engine cannot know whether the driver has forgotten a function of a context that failed. */
START_TEST(q8_a_function_that_the_engine_ran_does_nothing_if_the_driver_runs_it_after_all)
{
    gpu_call call = {.run = run_call, .end = end_call};
    begin();
    driver.stream_call = accept;
    ck_assert_uint_eq(gpu_call_submit(&queue, &call, "a call"), ACCEL_OK);
    gpu_device_failed(&device, "a test", FAULT);
    gpu_thread_flush(&gpu_submit_thread);
    ck_assert_uint_eq(runs, 1);
    accepted(&call);
    ck_assert_uint_eq(runs, 1);
    ck_assert_uint_eq(ends, 0); /* kept until the stream is gone */
    gpu_call_end(&queue);
    ck_assert_uint_eq(ends, 1);
}
END_TEST

/* Another thread has noticed a fault, and not told the queues yet. */
static gpu_result make_beside_a_fault(gpu_driver_event *event, unsigned flags)
{
    accel_services.error(ACCEL_KERNEL_FAULT, "a fault of a test");
    plugin_failure_keep(&device.fault, &accel_services, ACCEL_KERNEL_FAULT);
    return event_create(event, flags);
}

START_TEST(q7_a_record_that_fails_beside_a_fault_says_so)
{
    gpu_record *record = NULL; /* of another device: the event takes a new one */
    begin();
    ck_assert_uint_eq(gpu_record_make(&other, false, &record), ACCEL_OK);
    accel_impl_event event = {.latest = record};
    pthread_mutex_init(&event.lock, NULL);
    driver.event_create = make_beside_a_fault;
    ck_assert_uint_eq(gpu_record_event(&queue, &event), ACCEL_KERNEL_FAULT);
    ck_assert_ptr_eq(event.latest, record);
    gpu_record_release(record);
}
END_TEST

static bool own_device_fails;

static gpu_result wait_with_a_fault(gpu_stream stream, gpu_driver_event event, unsigned flags)
{
    (void)stream;
    (void)event;
    (void)flags;
    return FAULT;
}

static gpu_result query(gpu_stream stream)
{
    (void)stream;
    return own_device_fails ? FAULT : 0;
}

/* The driver reports a fault by a wait of one device for an event of another. */
static void wait_for_other(void)
{
    gpu_record *record = NULL;

    begin();
    ck_assert_uint_eq(gpu_record_make(&other, false, &record), ACCEL_OK);
    record->recorded = true;
    accel_impl_event event = {.latest = record};
    pthread_mutex_init(&event.lock, NULL);
    driver.stream_wait = wait_with_a_fault;
    driver.stream_query = query;
    ck_assert_uint_eq(gpu_wait_event(&queue, &event), ACCEL_KERNEL_FAULT);
    ck_assert_int_eq(gpu_device_has_failed(&device), own_device_fails);
    ck_assert_int_eq(gpu_device_has_failed(&other), !own_device_fails);
    gpu_record_release(record);
}

START_TEST(q7_a_fault_that_a_wait_reports_is_of_the_queues_device_if_that_has_failed)
{
    own_device_fails = true;
    wait_for_other();
}
END_TEST

START_TEST(q7_a_fault_that_a_wait_reports_is_else_of_the_events_device)
{
    own_device_fails = false;
    wait_for_other();
}
END_TEST

static gpu_result order_result;
static unsigned ordered_frees, frees;

static gpu_result free_in_order(void *ptr, gpu_stream stream)
{
    (void)ptr;
    (void)stream;
    ++ordered_frees;
    return order_result;
}

static gpu_result free_memory(void *ptr)
{
    (void)ptr;
    ++frees;
    return 0;
}

static gpu_result succeed_with_event(gpu_driver_event event)
{
    (void)event;
    return 0;
}

static gpu_result record_on_stream(gpu_driver_event event, gpu_stream stream)
{
    (void)event;
    (void)stream;
    return 0;
}

/* Frees memory of the queue; the driver's call in the queue's order returns `result`. */
static void free_of_queue(gpu_result result)
{
    accel_impl_memory *memory = NULL;

    begin();
    pthread_mutex_init(&queue.retire.lock, NULL);
    driver.free_async = free_in_order;
    driver.memory_free = free_memory;
    driver.event_record = record_on_stream;
    driver.event_query = succeed_with_event;
    order_result = result;
    ck_assert_uint_eq(gpu_memory_make(&device, GPU_MEMORY_ORDERED, &memory), ACCEL_OK);
    memory->allocation = &device;
    gpu_device_retain(&device); /* as an allocation does */
    gpu_free_async(&queue, memory);
    gpu_thread_flush(&gpu_retire_thread);
    gpu_thread_flush(&gpu_retire_thread); /* what the first job has posted */
    ck_assert_uint_eq(ordered_frees, 1);
}

/* The driver reports a fault of earlier work by a call that did what it was asked for. */
START_TEST(o4_memory_of_a_queue_is_freed_once_if_the_call_reports_a_fault)
{
    free_of_queue(FAULT);
    ck_assert_uint_eq(frees, 0);
}
END_TEST

START_TEST(o4_memory_that_the_driver_does_not_free_in_order_is_freed_behind_the_queue)
{
    free_of_queue(1);
    ck_assert_uint_eq(frees, 1);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("gpu_faults");
    add(suite, q8_a_function_that_is_refused_beside_a_fault_runs_and_ends_once);
    add(suite, q8_a_function_that_is_refused_alone_stays_the_callers);
    add(suite, q8_a_function_that_the_engine_ran_does_nothing_if_the_driver_runs_it_after_all);
    add(suite, q7_a_record_that_fails_beside_a_fault_says_so);
    add(suite, q7_a_fault_that_a_wait_reports_is_of_the_queues_device_if_that_has_failed);
    add(suite, q7_a_fault_that_a_wait_reports_is_else_of_the_events_device);
    add(suite, o4_memory_of_a_queue_is_freed_once_if_the_call_reports_a_fault);
    add(suite, o4_memory_that_the_driver_does_not_free_in_order_is_freed_behind_the_queue);
    return suite;
}
