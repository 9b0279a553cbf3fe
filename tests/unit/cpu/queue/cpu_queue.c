/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of the CPU engine: order, waiting, failures, lives. */
#include "cpu_commands.h"
#include "plugins/cpu/queue/scheduler.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

START_TEST(Q2_a_blocking_queue_is_done_when_the_call_returns)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    uint64_t counter = 0;
    bool idle = false;

    for (uint64_t i = 0; i < 100; ++i) {
        ok(launch_add(queue, &counter, i));
        ck_assert_uint_eq(counter, i + 1);
    }
    ok(q->is_idle(queue, &idle));
    ck_assert(idle);
    ok(q->wait(queue));
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(Q1_Q5_Q6_commands_run_in_order_however_many_wait)
{
    enum { COMMANDS = 50000 };
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    gate first = {0};
    uint64_t counter = 0;
    bool idle = true;

    ok(q->call(queue, pass_gate, &first));
    for (uint64_t i = 0; i < COMMANDS; ++i)
        ok(launch_add(queue, &counter, i));
    ok(q->is_idle(queue, &idle));
    ck_assert(!idle);
    first.open = true;
    ok(q->wait(queue));
    ck_assert_uint_eq(counter, COMMANDS);
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(Q3_work_starts_without_another_call_whether_the_worker_is_awake_or_not)
{
    static const int pauses_ms[] = {0, 1, 3, 8, 20};
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);

    static gate started[20]; /* the worker may still be inside one when the next begins */
    for (int round = 0; round < 20; ++round) {
        started[round].open = true;
        sleep_ms(pauses_ms[round % 5]);
        ok(q->call(queue, pass_gate, &started[round]));
        while (!started[round].entered)
            sched_yield();
    }
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

static void note_thread(void *user, accel_status status)
{
    (void)status;
    *(_Atomic(pthread_t) *)user = pthread_self();
}

START_TEST(Q4_a_waiter_runs_what_it_waits_for_and_only_that)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    accel_impl_event *event = make_event(0);

    for (int round = 0; round < 2000; ++round) {
        _Atomic(pthread_t) before = 0, after = 0;
        ok(q->call(queue, note_thread, (void *)&before));
        ok(q->record(queue, event));
        ok(q->call(queue, note_thread, (void *)&after));
        ok(e->wait(event));
        ck_assert(before != 0);
        while (after == 0)
            sched_yield();
        ck_assert(!pthread_equal(after, pthread_self()));
    }
    e->destroy(event);
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(Q7_Q8_a_failure_sticks_is_inherited_and_reported_once)
{
    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        open_engine();
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags), *other = cpu_engine_queue(&engine, 0);
        accel_impl_event *event = make_event(0);
        accel_timeline *timeline = NULL;
        uint64_t counter = 0, value = 0;
        accel_status seen = ACCEL_OK, end = ACCEL_OK;

        ok(cpu_host()->timeline_create(&timeline));
        cpu_host()->timeline_signal(timeline, 1, ACCEL_DRIVER);
        accel_status status = q->wait_timeline(queue, timeline, 1);
        ck_assert_uint_eq(status, flags != 0 ? ACCEL_DRIVER : ACCEL_OK);
        status = launch_add(queue, &counter, UINT64_MAX);
        ck_assert_uint_eq(status, flags != 0 ? ACCEL_DRIVER : ACCEL_OK);
        ok(q->call(queue, note_status, &seen));
        ok(q->record(queue, event));
        ok(q->wait_event(other, event));
        ok(launch_add(other, &counter, UINT64_MAX));
        ck_assert_uint_eq(e->wait(event), ACCEL_DRIVER);
        ck_assert_uint_eq(q->wait(other), ACCEL_DRIVER);
        ck_assert_ptr_nonnull(strstr(accel_error_message(), "event"));
        ok(q->wait(other));
        ck_assert_uint_eq(q->wait(queue), ACCEL_DRIVER);
        ok(q->wait(queue));
        ck_assert_uint_eq(counter, 0);
        ck_assert_uint_eq(seen, ACCEL_DRIVER);
        ok(launch_add(queue, &counter, 0));
        ok(q->record(queue, event));
        ok(q->wait(queue));
        ok(e->wait(event));
        ck_assert_uint_eq(counter, 1);
        accel_timeline *points_to = NULL;
        ok(e->timeline(event, &points_to, &value));
        ck_assert(cpu_host()->timeline_reached(points_to, value, &end));
        ck_assert_uint_eq(end, ACCEL_OK);
        cpu_host()->timeline_release(points_to);
        cpu_host()->timeline_release(timeline);
        e->destroy(event);
        q->destroy(queue);
        q->destroy(other);
        cpu_engine_close(&engine);
    }
}
END_TEST

START_TEST(Q7_the_loss_of_another_device_is_inherited_as_unavailable)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    accel_timeline *timeline = NULL;

    ok(cpu_host()->timeline_create(&timeline));
    cpu_host()->timeline_signal(timeline, 1, ACCEL_DEVICE_LOST);
    ok(q->wait_timeline(queue, timeline, 1));
    ck_assert_uint_eq(q->wait(queue), ACCEL_UNAVAILABLE);
    ok(q->wait(queue));
    cpu_host()->timeline_release(timeline);
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(O3_a_queue_with_work_pending_finishes_after_it_was_destroyed)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0), *parked = cpu_engine_queue(&engine, 0);
    accel_timeline *timeline = NULL;
    static gate middle, last = {.open = true};

    ok(cpu_host()->timeline_create(&timeline));
    ok(q->call(queue, pass_gate, &middle));
    ok(q->wait_timeline(parked, timeline, 7));
    ok(q->call(parked, pass_gate, &last));
    q->destroy(queue);
    q->destroy(parked);
    cpu_engine_close(&engine); /* the queues hold what they need */
    sleep_ms(10);
    ck_assert(!last.entered);
    middle.open = true;
    cpu_host()->timeline_signal(timeline, 7, ACCEL_OK);
    while (!middle.entered || !last.entered)
        sched_yield();
    cpu_host()->timeline_release(timeline);
    sleep_ms(20); /* the workers end: leak checkers see nothing of theirs */
}
END_TEST

/* A waiter holds `run`, so that the worker that was told of the end falls asleep again; the end is then the waiter's to
 * tell. */
START_TEST(O3_a_queue_ends_also_if_a_waiter_runs_its_last_command)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    accel_status status = ACCEL_INTERNAL;

    cpu_lock_acquire(&queue->run);
    ok(q->call(queue, note_status, &status));
    while (queue->worker != CPU_WORKER_ASLEEP)
        sched_yield();
    cpu_queue_retain(queue);
    q->destroy(queue);
    while (queue->worker != CPU_WORKER_ASLEEP)
        sched_yield();
    cpu_lock_release(&queue->run);
    cpu_queue_wait_ticket(queue, 1);
    ck_assert_uint_eq(status, ACCEL_OK);
    for (int i = 0; i < 2000 && queue->references.count != 1; ++i)
        sleep_ms(1);
    ck_assert_uint_eq(queue->worker, CPU_WORKER_ENDED);
    ck_assert_uint_eq(queue->references.count, 1);
    cpu_queue_release(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(memory_goes_back_in_the_order_of_its_queue_and_never_waits)
{
    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        open_engine();
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        accel_memory_request request = {.struct_size = sizeof(request), .size = 4096, .alignment = 256};
        accel_impl_memory *memory = NULL;
        void *ptr = NULL, *host_ptr = NULL;
        gate held = {0};

        ok(q->allocate_async(queue, &request, &memory, &ptr, &host_ptr));
        ck_assert_uint_eq((uintptr_t)ptr % 256, 0);
        if (flags == 0) {
            ok(q->call(queue, pass_gate, &held));
            q->free_async(queue, memory);
            memset(ptr, 1, request.size); /* still there */
            held.open = true;
        } else {
            cpu_lock_acquire(&queue->run); /* as if another thread were inside */
            q->free_async(queue, memory);
            memset(ptr, 1, request.size);
            cpu_lock_release(&queue->run);
            ok(q->allocate_async(queue, &request, &memory, &ptr, &host_ptr));
            q->free_async(queue, memory); /* and takes the other along */
        }
        ok(q->wait(queue));
        q->destroy(queue);
        cpu_engine_close(&engine);
    }
}
END_TEST

enum { THREADS = 4, ROUNDS = 400, QUEUES = 3 };

typedef struct crowd {
    accel_impl_queue *queues[QUEUES];
    uint64_t counters[QUEUES];
    uint32_t seed;
} crowd;

static void *one_of_many(void *user)
{
    crowd *all = user;
    uint32_t random = __atomic_add_fetch(&all->seed, 0x9e3779b9u, __ATOMIC_RELAXED);
    accel_impl_event *event = make_event(ACCEL_EVENT_TIMING);

    for (int round = 0; round < ROUNDS; ++round) {
        random = random * 1664525u + 1013904223u;
        uint32_t a = random >> 8 & 0xff, mine = a % QUEUES, other = (random >> 16 & 0xff) % QUEUES;
        bool idle;
        uint64_t ns;
        ok(launch_add(all->queues[mine], &all->counters[mine], UINT64_MAX));
        switch (random >> 24 & 7) {
        case 0:
            ok(q->wait(all->queues[mine]));
            break;
        case 1:
            ok(q->record(all->queues[mine], event));
            ok(q->wait_event(all->queues[other], event));
            break;
        case 2:
            ok(q->record(all->queues[mine], event));
            ok(e->wait(event));
            ok(e->elapsed(event, event, &ns));
            break;
        case 3:
            ok(q->is_idle(all->queues[other], &idle));
            ok(e->is_complete(event, &idle));
            break;
        default:
            break;
        }
    }
    e->destroy(event);
    return NULL;
}

START_TEST(O1_many_threads_share_queues)
{
    open_engine();
    crowd all = {.seed = 1};
    pthread_t threads[THREADS];

    for (int i = 0; i < QUEUES; ++i)
        all.queues[i] = cpu_engine_queue(&engine, i == 0 ? ACCEL_QUEUE_BLOCKING : 0);
    for (int i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, one_of_many, &all), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    uint64_t sum = 0;
    for (int i = 0; i < QUEUES; ++i) {
        ok(q->wait(all.queues[i]));
        sum += all.counters[i];
        q->destroy(all.queues[i]);
    }
    ck_assert_uint_eq(sum, THREADS * ROUNDS);
    cpu_engine_close(&engine);
}
END_TEST

/* An executor such as the parallel backends will be: half of the blocks run on another thread. */

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_queue");

    add(suite, Q2_a_blocking_queue_is_done_when_the_call_returns);
    add(suite, Q1_Q5_Q6_commands_run_in_order_however_many_wait);
    add(suite, Q3_work_starts_without_another_call_whether_the_worker_is_awake_or_not);
    add(suite, Q4_a_waiter_runs_what_it_waits_for_and_only_that);
    add(suite, Q7_Q8_a_failure_sticks_is_inherited_and_reported_once);
    add(suite, Q7_the_loss_of_another_device_is_inherited_as_unavailable);
    add(suite, O3_a_queue_with_work_pending_finishes_after_it_was_destroyed);
    add(suite, O3_a_queue_ends_also_if_a_waiter_runs_its_last_command);
    add(suite, memory_goes_back_in_the_order_of_its_queue_and_never_waits);
    add(suite, O1_many_threads_share_queues);
    return suite;
}
