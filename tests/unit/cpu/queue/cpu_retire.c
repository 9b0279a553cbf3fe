/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is released while work is pending is given back after that work, and no later. */
#include "cpu_commands.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/queue/queue.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 1 << 20 };

/* Large memory is a mapping of its own, which is gone when the memory has been given back. AddressSanitizer keeps it, and
 * says that nobody may touch it. */
#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define BY_ADDRESS_SANITIZER 1
int __asan_address_is_poisoned(const volatile void *address);
#endif

static void begin(void)
{
    mallopt(M_MMAP_THRESHOLD, SIZE / 2);
    mallopt(M_ARENA_MAX, 1); /* a thread's own arena may be mapped where memory has just been given back */
    open_engine();
}

typedef struct buffer {
    accel_impl_memory *memory;
    void *data;
} buffer;

static buffer allocate(void)
{
    accel_memory_request request = {.struct_size = sizeof(request), .size = SIZE};
    buffer made;
    void *host_ptr;
    ok(engine.plugin.device_vtable->allocate(engine.device, &request, &made.memory, &made.data, &host_ptr));
    return made;
}

static void release(buffer made)
{
    engine.plugin.device_vtable->free(engine.device, made.memory);
}

static bool exists(buffer made)
{
#if defined(BY_ADDRESS_SANITIZER)
    return __asan_address_is_poisoned(made.data) == 0;
#else
    unsigned char page;
    uintptr_t first = ((uintptr_t)made.data + 4095) & ~(uintptr_t)4095;
    return mincore((void *)first, 4096, &page) == 0; /* NOLINT: an address, whatever lies there */
#endif
}

/* Without any other call. */
static bool goes(buffer made)
{
    for (int i = 0; i < 20000 && exists(made); ++i) /* far more than a busy machine needs */
        sleep_ms(1);
    return !exists(made);
}

static void enter(accel_impl_queue *queue, gate *own)
{
    ok(q->call(queue, pass_gate, own));
    while (!own->entered)
        cpu_relax();
}

START_TEST(O4_memory_is_given_back_at_once_if_all_queues_are_idle)
{
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0), *blocking = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    uint64_t counter = 0;
    ok(launch_add(queue, &counter, 0));
    ok(q->wait(queue));
    ok(launch_add(blocking, &counter, 1));
    buffer one = allocate();
    release(one);
    ck_assert(!exists(one));
    q->destroy(queue);
    q->destroy(blocking);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(O4_memory_waits_for_what_was_submitted_before_its_release_and_for_nothing_else)
{
    static gate before, after;
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    enter(queue, &before);
    buffer one = allocate(), two = allocate();
    release(one);
    ok(q->call(queue, pass_gate, &after));
    release(two);
    sleep_ms(20);
    ck_assert(exists(one) && exists(two));
    before.open = true;
    ck_assert(goes(one));
    ck_assert(exists(two));
    after.open = true;
    ck_assert(goes(two));
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

/* Memory allocated in a queue's order whose release could not become a command. */
START_TEST(O4_memory_of_one_queue_waits_for_that_queue_alone)
{
    static gate own, others;
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0), *other = cpu_engine_queue(&engine, 0);
    enter(queue, &own);
    enter(other, &others);
    buffer one = allocate(), two = allocate();
    cpu_retire_after(&queue->retired, one.memory);
    cpu_retire_after(&queue->retired, two.memory);
    sleep_ms(5);
    ck_assert(exists(one) && exists(two));
    own.open = true;
    ck_assert(goes(one) && goes(two));
    buffer three = allocate();
    cpu_retire_after(&queue->retired, three.memory); /* it is idle */
    ck_assert(!exists(three));
    others.open = true;
    q->destroy(queue);
    q->destroy(other);
    cpu_engine_close(&engine);
}
END_TEST

/* More than memory has room to wait for at once; each of them is the last one in turn. */
START_TEST(O4_memory_waits_for_all_queues_of_all_backends)
{
    enum { QUEUES = 2 * CPU_MEMORY_WAITS + 1 };
    begin();
    cpu_engine other = cpu_engine_open(&cpu_executor_serial);
    accel_impl_queue *queues[QUEUES];
    for (int i = 0; i < QUEUES; ++i)
        queues[i] = cpu_engine_queue(i % 2 != 0 ? &other : &engine, 0);
    for (int last = 0; last < QUEUES; ++last) {
        gate gates[QUEUES] = {{0}};
        for (int i = 0; i < QUEUES; ++i)
            enter(queues[i], &gates[i]);
        buffer one = allocate();
        release(one);
        for (int i = 0; i < QUEUES; ++i)
            gates[i].open = i != last;
        for (int i = 0; i < QUEUES; ++i)
            if (i != last)
                ok(q->wait(queues[i]));
        sleep_ms(2);
        ck_assert_msg(exists(one), "queue %d", last);
        gates[last].open = true;
        ck_assert(goes(one));
        ok(q->wait(queues[last]));
    }
    for (int i = 0; i < QUEUES; ++i)
        q->destroy(queues[i]);
    cpu_engine_close(&other);
    cpu_engine_close(&engine);
}
END_TEST

typedef struct operation {
    accel_impl_queue *queue;
    gate own;
} operation;

static void *run_operation(void *user)
{
    operation *own = user;
    q->call(own->queue, pass_gate, &own->own);
    return NULL;
}

START_TEST(O4_memory_waits_for_the_operation_of_another_thread_in_a_blocking_queue)
{
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    for (int round = 0; round < 2; ++round) {
        operation own = {.queue = queue};
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, run_operation, &own), 0);
        while (!own.own.entered)
            cpu_relax();
        buffer one = allocate(), two = allocate();
        release(one);
        q->free_async(queue, two.memory);
        sleep_ms(5);
        ck_assert(exists(one) && exists(two));
        own.own.open = true;
        ck_assert(goes(one) && goes(two));
        pthread_join(thread, NULL);
    }
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(O4_memory_goes_although_its_queue_and_its_device_were_closed_first)
{
    static gate own;
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    enter(queue, &own);
    buffer one = allocate();
    release(one);
    q->destroy(queue);
    cpu_engine_close(&engine);
    ck_assert(exists(one));
    own.open = true;
    ck_assert(goes(one));
}
END_TEST

/* --- many at once --- */

enum { STRESS_THREADS = 4, STRESS_QUEUES = 3, STRESS_ROUNDS = 400 };
static accel_impl_queue *stressed[STRESS_QUEUES];

typedef struct touch_args {
    unsigned char *data;
} touch_args;

static void touch(const accel_launch_context *context, const void *args, size_t first, size_t count)
{
    (void)context;
    (void)first;
    (void)count;
    unsigned char *data = ((const touch_args *)args)->data;
    for (size_t at = 0; at < SIZE; at += 4096)
        data[at] = 1;
}

static void *launch_and_release(void *user)
{
    accel_descriptor descriptor = cpu_block_kernel(touch, sizeof(touch_args), sizeof(void *));
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, &descriptor);
    accel_work work = accel_work_1d(1, 1, 1);
    for (int i = 0; i < STRESS_ROUNDS; ++i) {
        buffer one = allocate();
        touch_args args = {.data = one.data};
        ok(q->launch(stressed[(i + (int)(uintptr_t)user) % STRESS_QUEUES], &kernel, &work, &args));
        release(one);
    }
    for (int i = 0; i < STRESS_QUEUES; ++i)
        ok(q->wait(stressed[i])); /* the kernel's descriptor is on this stack */
    return NULL;
}

START_TEST(O4_kernels_never_see_memory_that_was_given_back)
{
    pthread_t threads[STRESS_THREADS];
    begin();
    for (int i = 0; i < STRESS_QUEUES; ++i)
        stressed[i] = cpu_engine_queue(&engine, i == 0 ? ACCEL_QUEUE_BLOCKING : 0);
    for (uintptr_t i = 0; i < STRESS_THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_and_release, (void *)i), 0);
    for (int i = 0; i < STRESS_THREADS; ++i)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < STRESS_QUEUES; ++i)
        q->destroy(stressed[i]);
    cpu_engine_close(&engine);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_retire");

    add(suite, O4_memory_is_given_back_at_once_if_all_queues_are_idle);
    add(suite, O4_memory_waits_for_what_was_submitted_before_its_release_and_for_nothing_else);
    add(suite, O4_memory_of_one_queue_waits_for_that_queue_alone);
    add(suite, O4_memory_waits_for_all_queues_of_all_backends);
    add(suite, O4_memory_waits_for_the_operation_of_another_thread_in_a_blocking_queue);
    add(suite, O4_memory_goes_although_its_queue_and_its_device_were_closed_first);
    add(suite, O4_kernels_never_see_memory_that_was_given_back);
    return suite;
}
