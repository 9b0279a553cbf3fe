/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's call of the driver fails while another thread notices a fault. The driver of these tests is a table with the
 * few functions that the engine calls here. */
#include "run.h"

#include "core/plugins/services.h"
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

Suite *noun_suite(void)
{
    Suite *suite = suite_create("gpu_faults");
    add(suite, q8_a_function_that_is_refused_beside_a_fault_runs_and_ends_once);
    add(suite, q8_a_function_that_is_refused_alone_stays_the_callers);
    add(suite, q8_a_function_that_the_engine_ran_does_nothing_if_the_driver_runs_it_after_all);
    add(suite, q7_a_record_that_fails_beside_a_fault_says_so);
    return suite;
}
