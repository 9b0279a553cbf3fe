/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads on the same objects. Threads count what went wrong; the test's own thread judges. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8 };

static _Atomic uint32_t errors;
#define check(condition)                                                                                               \
    do                                                                                                                 \
        if (!(condition))                                                                                              \
            atomic_fetch_add(&errors, 1);                                                                              \
    while (0)

static void run_threads(void *(*function)(void *), void *users[])
{
    pthread_t threads[THREADS];
    atomic_store(&errors, 0);
    for (int i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, function, users[i]), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(atomic_load(&errors), 0);
}

typedef struct shared {
    accel_queue *queue;
    accel_buffer *buffer;
    accel_event *event;
    accel_module *module;
    accel_kernel *kernel;
    uint32_t number;
} shared;

/* ---------------------------------------------------------------------------------- one queue for all -- */

static void *launch_many(void *user)
{
    shared *s = user;
    words_args args = {.words = (uint32_t *)accel_buffer_ptr(s->buffer), .n = 50, .value = 1};
    accel_work work = work_of(2, 1);
    for (int i = 0; i < 500; ++i) {
        bool idle;
        check(accel_launch(s->queue, s->kernel, &work, &args, sizeof args) == ACCEL_OK);
        if (i % 50 == 0)
            check(accel_queue_wait(s->queue) == ACCEL_OK);
        check(accel_queue_is_idle(s->queue, &idle) == ACCEL_OK);
    }
    return NULL;
}

START_TEST(o1_one_queue_is_used_by_many_threads)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        shared all[THREADS];
        void *users[THREADS];
        accel_queue *queue = queue_new(test.device, flags);
        accel_buffer *buffer = words_new(test.device, 50, 0);
        for (int i = 0; i < THREADS; ++i) {
            all[i] = (shared){.queue = queue, .buffer = buffer, .kernel = kernel_named("add")};
            users[i] = &all[i];
        }
        run_threads(launch_many, users);
        words_are(queue, buffer, THREADS * 500);
        accel_buffer_release(buffer);
        accel_queue_release(queue);
    }
}
END_TEST

/* Each has words of its own, which go to the device, from buffer to buffer, and back. */
static void *move_many(void *user)
{
    enum { WORDS = 30000 };
    shared *s = user;
    accel_device *device = accel_queue_device(s->queue);
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), WORDS);
    accel_buffer *a = NULL, *b = NULL;
    uint32_t *given = malloc(WORDS * sizeof *given), *got = malloc(WORDS * sizeof *got);
    check(accel_buffer_create(device, &desc, &a) == ACCEL_OK);
    check(accel_buffer_create(device, &desc, &b) == ACCEL_OK);
    for (uint32_t round = 0; round < 20; ++round) {
        uint32_t pattern[3] = {s->number, round, 7};
        for (uint32_t i = 0; i < WORDS; ++i)
            given[i] = s->number << 24 ^ round << 16 ^ i;
        check(accel_write(s->queue, a, given) == ACCEL_OK);
        check(accel_copy(s->queue, b, a, NULL) == ACCEL_OK);
        check(accel_read(s->queue, got, b) == ACCEL_OK);
        check(accel_queue_wait(s->queue) == ACCEL_OK);
        check(memcmp(given, got, WORDS * sizeof *given) == 0);
        check(accel_fill(s->queue, a, pattern, sizeof pattern, NULL) == ACCEL_OK);
        check(accel_read(s->queue, got, a) == ACCEL_OK);
        check(accel_queue_wait(s->queue) == ACCEL_OK);
        for (uint32_t i = 0; i < WORDS; ++i)
            check(got[i] == pattern[i % 3]);
    }
    accel_buffer_release(a);
    accel_buffer_release(b);
    free(given);
    free(got);
    return NULL;
}

START_TEST(o1_threads_move_data_of_their_own_through_one_queue)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        shared all[THREADS];
        void *users[THREADS];
        accel_queue *queue = queue_new(test.device, flags);
        for (int i = 0; i < THREADS; ++i) {
            all[i] = (shared){.queue = queue, .number = (uint32_t)i + 1};
            users[i] = &all[i];
        }
        run_threads(move_many, users);
        accel_queue_release(queue);
    }
}
END_TEST

/* ------------------------------------------------------------------------------- order of each thread -- */

static _Atomic uint32_t last_seen[THREADS], called;

static void in_order(void *user, accel_status status)
{
    uint32_t value = (uint32_t)(uintptr_t)user, thread = value >> 16, number = value & 0xffff;
    check(status == ACCEL_OK);
    check(atomic_load(&last_seen[thread]) == number);
    atomic_store(&last_seen[thread], number + 1);
    atomic_fetch_add(&called, 1);
}

static void *call_many(void *user)
{
    shared *s = user;
    for (uint32_t i = 0; i < 1000; ++i)
        check(accel_queue_call(s->queue, in_order, (void *)(uintptr_t)(s->number << 16 | i)) == ACCEL_OK);
    return NULL;
}

START_TEST(o2_a_queue_keeps_the_order_of_calls_of_each_thread)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        shared all[THREADS];
        void *users[THREADS];
        accel_queue *queue = queue_new(test.device, flags);
        atomic_store(&called, 0);
        for (uint32_t i = 0; i < THREADS; ++i) {
            all[i] = (shared){.queue = queue, .number = i};
            users[i] = &all[i];
            atomic_store(&last_seen[i], 0);
        }
        run_threads(call_many, users);
        ok(accel_queue_wait(queue));
        ck_assert_uint_eq(atomic_load(&called), THREADS * 1000);
        ck_assert_uint_eq(atomic_load(&errors), 0);
        accel_queue_release(queue);
    }
}
END_TEST

/* --------------------------------------------------------------------------- objects made by all at once -- */

static void *make_and_drop(void *user)
{
    (void)user;
    accel_device *device = test.device;
    for (int i = 0; i < 60; ++i) {
        accel_queue *queue = NULL;
        accel_event *event = NULL;
        accel_module *module = NULL;
        accel_kernel *kernel = NULL;
        accel_buffer *a = NULL, *b = NULL, *view = NULL;
        accel_buffer_desc desc = accel_buffer_1d(4, 100);
        accel_queue_desc queue_desc = ACCEL_QUEUE_DESC_INIT;
        size_t half = 50;
        uint32_t words[100], value = (uint32_t)i;
        queue_desc.flags = i % 2 == 0 ? 0 : ACCEL_QUEUE_BLOCKING;
        check(accel_queue_create(device, &queue_desc, &queue) == ACCEL_OK);
        check(accel_event_create(device, NULL, &event) == ACCEL_OK);
        check(accel_buffer_create(device, &desc, &a) == ACCEL_OK);
        check(accel_buffer_create(device, &desc, &b) == ACCEL_OK);
        check(accel_buffer_view(a, &half, NULL, &view) == ACCEL_OK);
        check(accel_module_load(device, "conformance", &module) == ACCEL_OK);
        check(accel_module_kernel(module, "add", &kernel) == ACCEL_OK);
        words_args args = {.words = (uint32_t *)accel_buffer_ptr(view), .n = 50, .value = 1};
        accel_work work = work_of(1, 1);
        check(accel_fill(queue, a, &value, sizeof value, NULL) == ACCEL_OK);
        check(accel_launch(queue, kernel, &work, &args, sizeof args) == ACCEL_OK);
        check(accel_copy(queue, b, a, NULL) == ACCEL_OK);
        check(accel_event_record(event, queue) == ACCEL_OK);
        check(accel_read(queue, words, b) == ACCEL_OK);
        check(accel_event_wait(event) == ACCEL_OK);
        check(accel_queue_wait(queue) == ACCEL_OK);
        check(words[0] == value && words[99] == value + 1);
        accel_module_release(module);
        accel_buffer_release(a);
        accel_buffer_release(view);
        accel_buffer_release(b);
        accel_event_release(event);
        accel_queue_release(queue);
    }
    return NULL;
}

START_TEST(o1_objects_are_made_used_and_released_by_many_threads)
{
    void *users[THREADS] = {NULL};
    run_threads(make_and_drop, users);
    ok(accel_device_wait(test.device));
}
END_TEST

/* --------------------------------------------------------------------------------- references, queries -- */

static void *retain_and_ask(void *user)
{
    shared *s = user;
    for (int i = 0; i < 2000; ++i) {
        accel_buffer_properties buffer = ACCEL_BUFFER_PROPERTIES_INIT;
        accel_kernel_properties kernel = ACCEL_KERNEL_PROPERTIES_INIT;
        accel_device_properties device = ACCEL_DEVICE_PROPERTIES_INIT;
        accel_device *found = NULL;
        accel_kernel *same = NULL;
        bool yes = false;
        check(accel_queue_retain(s->queue) == s->queue);
        check(accel_buffer_retain(s->buffer) == s->buffer);
        check(accel_event_retain(s->event) == s->event);
        check(accel_kernel_retain(s->kernel) == s->kernel);
        check(accel_module_retain(s->module) == s->module);
        check(accel_instance_retain(test.instance) == test.instance);
        check(accel_buffer_info(s->buffer, &buffer) == ACCEL_OK && buffer.extent[0] == 50);
        check(accel_kernel_info(s->kernel, &kernel) == ACCEL_OK && strcmp(kernel.name, "add") == 0);
        check(accel_device_info(accel_queue_device(s->queue), &device) == ACCEL_OK);
        check(accel_instance_find_device(test.instance, device.name, &found) == ACCEL_OK && found == test.device);
        check(accel_module_kernel(s->module, "add", &same) == ACCEL_OK && same == s->kernel);
        check(accel_event_is_complete(s->event, &yes) == ACCEL_OK);
        check(accel_instance_find_device(test.instance, "nothing", &found) == ACCEL_NOT_FOUND);
        check(strstr(accel_error_message(), "nothing") != NULL);
        accel_instance_release(test.instance);
        accel_module_release(s->module);
        accel_kernel_release(s->kernel);
        accel_event_release(s->event);
        accel_buffer_release(s->buffer);
        accel_queue_release(s->queue);
    }
    return NULL;
}

START_TEST(o1_references_and_queries_from_many_threads)
{
    void *users[THREADS];
    shared all = {.queue = queue_new(test.device, 0),
                  .buffer = words_new(test.device, 50, 0),
                  .event = event_new(test.device, 0),
                  .kernel = kernel_named("add")};
    all.module = test.module;
    for (int i = 0; i < THREADS; ++i)
        users[i] = &all;
    run_threads(retain_and_ask, users);
    words_are(all.queue, all.buffer, 0);
    accel_queue_release(all.queue);
    accel_buffer_release(all.buffer);
    accel_event_release(all.event);
}
END_TEST

/* ------------------------------------------------------------------------ waiting and recording at once -- */

static void *wait_for_events(void *user)
{
    shared *s = user;
    for (int i = 0; i < 300; ++i) {
        check(accel_queue_wait_event(s->queue, s->event) == ACCEL_OK);
        if (i % 10 == 0)
            check(accel_event_wait(s->event) == ACCEL_OK);
        if (i % 30 == 0)
            check(accel_queue_wait(s->queue) == ACCEL_OK);
    }
    return NULL;
}

static void *record_events(void *user)
{
    shared *s = user;
    for (int i = 0; i < 2000; ++i)
        check(accel_event_record(s->event, s->queue) == ACCEL_OK);
    return NULL;
}

static void *event_thread(void *user)
{
    shared *s = user;
    return s->number == 0 ? record_events(user) : wait_for_events(user);
}

START_TEST(o1_an_event_is_waited_for_while_it_is_recorded_anew)
{
    shared all[THREADS];
    void *users[THREADS];
    accel_event *event = event_new(test.device, ACCEL_EVENT_TIMING);
    for (uint32_t i = 0; i < THREADS; ++i) {
        all[i] = (shared){.queue = queue_new(test.device, 0), .event = event, .number = i};
        users[i] = &all[i];
    }
    run_threads(event_thread, users);
    for (int i = 0; i < THREADS; ++i) {
        ok(accel_queue_wait(all[i].queue));
        accel_queue_release(all[i].queue);
    }
    accel_event_release(event);
}
END_TEST

static void *open_instances(void *user)
{
    (void)user;
    for (int i = 0; i < 10; ++i) {
        accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
        accel_instance *instance = NULL;
        accel_queue *queue = NULL;
        desc.backends = test.properties.backend;
        check(accel_instance_create(&desc, &instance) == ACCEL_OK);
        check(accel_queue_create(accel_instance_device(instance, 0), NULL, &queue) == ACCEL_OK);
        accel_instance_release(instance);
        check(accel_queue_wait(queue) == ACCEL_OK);
        accel_queue_release(queue);
    }
    return NULL;
}

START_TEST(o1_instances_are_opened_by_many_threads)
{
    void *users[THREADS] = {NULL};
    run_threads(open_instances, users);
}
END_TEST

Suite *threads_suite(void)
{
    Suite *suite = suite_create("threads");
    add(suite, o1_one_queue_is_used_by_many_threads);
    add(suite, o1_threads_move_data_of_their_own_through_one_queue);
    add(suite, o1_objects_are_made_used_and_released_by_many_threads);
    add(suite, o1_references_and_queries_from_many_threads);
    add(suite, o1_an_event_is_waited_for_while_it_is_recorded_anew);
    add(suite, o1_instances_are_opened_by_many_threads);
    add(suite, o2_a_queue_keeps_the_order_of_calls_of_each_thread);
    return suite;
}
