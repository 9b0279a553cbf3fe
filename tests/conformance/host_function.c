/* SPDX-License-Identifier: Apache-2.0 */
/* Host functions in queues: what they may do. Every function that is refused there: tests/bad_input/inside.c. */
#include "nouns.h"
#include "suite.h"

#include <signal.h>
#include <stdatomic.h>

static _Atomic uint32_t count;
static uint32_t sequence[1000];

static void append(void *user, accel_status status)
{
    uint32_t i = atomic_fetch_add(&count, 1);
    if (i < 1000 && status == ACCEL_OK)
        sequence[i] = (uint32_t)(uintptr_t)user;
}

START_TEST(q8_host_functions_run_exactly_once_and_in_order)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_queue *queue = queue_new(test.device, flags);
        atomic_store(&count, 0);
        for (uint32_t i = 0; i < 1000; ++i)
            ok(accel_queue_call(queue, append, (void *)(uintptr_t)(i + 1)));
        ok(accel_queue_wait(queue));
        ck_assert_uint_eq(atomic_load(&count), 1000);
        for (uint32_t i = 0; i < 1000; ++i)
            ck_assert_uint_eq(sequence[i], i + 1);
        accel_queue_release(queue);
    }
}
END_TEST

typedef struct inside {
    accel_queue *queue;
    accel_event *event;
    accel_buffer *buffer;
    bool idle, complete;
    accel_status statuses[6];
    _Atomic uint32_t done;
} inside;

static void query(void *user, accel_status status)
{
    inside *in = user;
    accel_device_properties device = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_buffer_properties buffer = ACCEL_BUFFER_PROPERTIES_INIT;
    in->statuses[0] = status;
    in->statuses[1] = accel_device_info(accel_queue_device(in->queue), &device);
    in->statuses[2] = accel_buffer_info(in->buffer, &buffer);
    in->statuses[3] = accel_queue_is_idle(in->queue, &in->idle);
    in->statuses[4] = accel_event_is_complete(in->event, &in->complete);
    in->statuses[5] = accel_buffer_ptr(in->buffer) == NULL || buffer.extent[0] != 33 ? ACCEL_INTERNAL : ACCEL_OK;
    atomic_store(&in->done, 1);
}

START_TEST(q8_inside_queries_are_allowed)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        inside in = {.queue = queue_new(test.device, flags),
                     .event = event_new(test.device, 0),
                     .buffer = bytes_new(test.device, 33)};
        in.idle = true;
        ok(accel_queue_call(in.queue, query, &in));
        ok(accel_queue_wait(in.queue));
        ck_assert_uint_eq(atomic_load(&in.done), 1);
        for (int i = 0; i < 6; ++i)
            ck_assert_msg(in.statuses[i] == ACCEL_OK, "query %d gave %s", i, accel_status_name(in.statuses[i]));
        ck_assert(!in.idle); /* the function itself is an operation of the queue */
        ck_assert(in.complete);
        accel_queue_release(in.queue);
        accel_event_release(in.event);
        accel_buffer_release(in.buffer);
    }
}
END_TEST

static void release_all(void *user, accel_status status)
{
    inside *in = user;
    (void)status;
    accel_buffer_release(accel_buffer_retain(in->buffer));
    accel_buffer_release(in->buffer);
    accel_event_release(in->event);
    accel_queue_release(in->queue);
    atomic_store(&in->done, 1);
}

START_TEST(q8_inside_the_last_references_may_be_released)
{
    for (int round = 0; round < 100; ++round) {
        inside in = {.queue = queue_new(test.device, round % 2 == 0 ? 0 : ACCEL_QUEUE_BLOCKING),
                     .event = event_new(test.device, 0),
                     .buffer = bytes_new(test.device, 1000)};
        ok(accel_event_record(in.event, in.queue));
        ok(accel_queue_call(in.queue, release_all, &in)); /* the queue that runs it goes, too */
        ck_assert(becomes(&in.done, 1, 20));
    }
    accel_buffer_release(bytes_new(test.device, 1)); /* runs what was deferred */
}
END_TEST

START_TEST(q8_releases_inside_are_deferred_not_lost)
{
    accel_device *partner = need_partner();
    faulty_device_control *control = device_control(partner);
    faulty_counts before, after;
    control->counts(control, &before);
    for (int round = 0; round < 20; ++round) {
        inside in = {
            .queue = queue_new(partner, 0), .event = event_new(partner, 0), .buffer = bytes_new(partner, 1000)};
        ok(accel_queue_call(in.queue, release_all, &in));
        ck_assert(becomes(&in.done, 1, 20));
    }
    double end = seconds_now() + 20;
    do {
        accel_buffer_release(bytes_new(partner, 1));
        control->counts(control, &after);
    } while (after.allocated != before.allocated && seconds_now() < end);
    ck_assert_uint_eq(after.allocated, before.allocated);
}
END_TEST

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { FAULTS = sizeof(faults) / sizeof(faults[0]) };

static void note_fault(int number)
{
    (void)number;
    atomic_fetch_add(&count, 1);
}

static void raise_faults(void *user, accel_status status)
{
    (void)status;
    for (int i = 0; i < FAULTS; ++i)
        raise(faults[i]);
    atomic_store((_Atomic uint32_t *)user, atomic_load(&count)); /* a signal that is blocked has not come yet */
}

START_TEST(q8_a_fault_in_a_host_function_reaches_the_programs_handler)
{
    struct sigaction action = {.sa_handler = note_fault}, before[FAULTS];
    for (int i = 0; i < FAULTS; ++i)
        ck_assert_int_eq(sigaction(faults[i], &action, &before[i]), 0);
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_queue *queue = queue_new(test.device, flags);
        _Atomic uint32_t seen = 0;
        atomic_store(&count, 0);
        ok(accel_queue_call(queue, raise_faults, &seen));
        ok(accel_queue_wait(queue));
        ck_assert_uint_eq(atomic_load(&seen), FAULTS);
        accel_queue_release(queue);
    }
    for (int i = 0; i < FAULTS; ++i)
        ck_assert_int_eq(sigaction(faults[i], &before[i], NULL), 0);
}
END_TEST

Suite *host_function_suite(void)
{
    Suite *suite = suite_create("host function");
    add(suite, q8_host_functions_run_exactly_once_and_in_order);
    add(suite, q8_inside_queries_are_allowed);
    add(suite, q8_inside_the_last_references_may_be_released);
    add(suite, q8_releases_inside_are_deferred_not_lost);
    add(suite, q8_a_fault_in_a_host_function_reaches_the_programs_handler);
    return suite;
}
