/* SPDX-License-Identifier: Apache-2.0 */
/* A blocking queue that several threads share: one operation at a time, also where some fail and others clear that. */
#include "cpu_commands.h"
#include "core/plugins/services.h"
#include "plugins/cpu/queue/queue.h"

#include <pthread.h>
#include <time.h>

enum { ROUNDS = 3000, CALLERS = 2 };

static struct {
    accel_impl_queue *queue;
    accel_impl_queue *other; /* where `event` carries a failure */
    accel_impl_event *event;
    accel_timeline *timeline; /* that carries a failure */
    _Atomic uint32_t inside, overlaps, calls;
    _Atomic uint32_t left; /* callers that are not done */
} shared;

/* Is it the only operation? */
static void alone(void *user, accel_status status)
{
    (void)user;
    (void)status;
    if (atomic_fetch_add(&shared.inside, 1) != 0)
        atomic_fetch_add(&shared.overlaps, 1);
    for (int i = 0; i < 20; ++i)
        cpu_relax();
    atomic_fetch_sub(&shared.inside, 1);
    atomic_fetch_add(&shared.calls, 1);
}

static void *call(void *user)
{
    for (int i = 0; i < ROUNDS; ++i)
        if (q->call(shared.queue, alone, NULL) != ACCEL_OK)
            abort();
    atomic_fetch_sub(&shared.left, 1);
    return user;
}

static void *fail_by_timeline(void *user)
{
    while (atomic_load(&shared.left) != 0)
        q->wait_timeline(shared.queue, shared.timeline, 1);
    return user;
}

static void *fail_by_event(void *user)
{
    while (atomic_load(&shared.left) != 0)
        q->wait_event(shared.queue, shared.event);
    return user;
}

static void *transfer(void *user)
{
    char from[64] = {0}, to[64];
    accel_fill_params fill = {
        .struct_size = sizeof(fill), .dims = 1, .extent = {64}, .dst = to, .pattern = "x", .pattern_size = 1};
    accel_copy_params copy = {.struct_size = sizeof(copy), .dims = 1, .extent = {64}, .dst = to, .src = from};
    while (atomic_load(&shared.left) != 0) {
        q->fill(shared.queue, &fill);
        q->copy(shared.queue, &copy);
    }
    return user;
}

static void *clear(void *user)
{
    while (atomic_load(&shared.left) != 0)
        q->wait(shared.queue);
    return user;
}

START_TEST(Q1_Q7_operations_exclude_each_other_while_failures_come_and_are_cleared)
{
    static void *(*const others[])(void *) = {fail_by_timeline, fail_by_event, transfer, transfer, clear, clear};
    enum { OTHERS = sizeof(others) / sizeof(others[0]) };
    pthread_t threads[CALLERS + OTHERS];
    open_engine();
    shared.queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    shared.other = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    shared.event = make_event(0);
    ok(accel_services.timeline_create(&shared.timeline));
    accel_services.timeline_signal(shared.timeline, 1, ACCEL_KERNEL_FAULT);
    ck_assert_uint_eq(q->wait_timeline(shared.other, shared.timeline, 1), ACCEL_KERNEL_FAULT);
    ok(q->record(shared.other, shared.event));
    atomic_store(&shared.left, CALLERS);
    for (int i = 0; i < CALLERS + OTHERS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, i < CALLERS ? call : others[i - CALLERS], NULL), 0);
    for (int i = 0; i < CALLERS + OTHERS; ++i)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(shared.overlaps, 0);
    ck_assert_uint_eq(shared.calls, CALLERS * ROUNDS);
    e->destroy(shared.event);
    accel_services.timeline_release(shared.timeline);
    q->destroy(shared.queue);
    q->destroy(shared.other);
    cpu_engine_close(&engine);
}
END_TEST

static accel_status fill_one(void)
{
    static char to[64];
    accel_fill_params fill = {
        .struct_size = sizeof(fill), .dims = 1, .extent = {64}, .dst = to, .pattern = "x", .pattern_size = 1};
    return q->fill(shared.queue, &fill);
}

static accel_status copy_one(void)
{
    static char from[64], to[64];
    accel_copy_params copy = {.struct_size = sizeof(copy), .dims = 1, .extent = {64}, .dst = to, .src = from};
    return q->copy(shared.queue, &copy);
}

static accel_status wait_for_one(void)
{
    return q->wait_timeline(shared.queue, shared.timeline, 1);
}

static accel_status launch_one(void)
{
    uint64_t counter = 0;
    return launch_add(shared.queue, &counter, UINT64_MAX);
}

static accel_status (*const operations[])(void) = {fill_one, copy_one, wait_for_one, launch_one};
enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };

static void *operate(void *user)
{
    accel_status (*const *operation)(void) = user;
    (*operation)();
    return user;
}

/* Joins the thread if it ends within two seconds. */
static bool ends_soon(pthread_t thread)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    return pthread_timedjoin_np(thread, NULL, &until) == 0;
}

/* An operation finds the queue failed; before it can say so, another thread's wait reports and clears the failure, and a third
 * thread's operation begins. */
START_TEST(Q7_an_operation_that_comes_while_a_failure_is_cleared_keeps_out_of_others)
{
    open_engine();
    shared.queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    ok(accel_services.timeline_create(&shared.timeline));
    accel_services.timeline_signal(shared.timeline, 1, ACCEL_OK);
    for (int i = 0; i < OPERATIONS; ++i) {
        pthread_t thread;
        pthread_mutex_lock(&shared.queue->failure.lock);
        atomic_store(&shared.queue->failure.status, ACCEL_KERNEL_FAULT);
        ck_assert_int_eq(pthread_create(&thread, NULL, operate, (void *)(uintptr_t)&operations[i]), 0);
        sleep_ms(50); /* it asks for the failure's text */
        atomic_store(&shared.queue->failure.status, ACCEL_OK);
        bool third = cpu_lock_try(&shared.queue->run);
        pthread_mutex_unlock(&shared.queue->failure.lock);
        if (third && !ends_soon(thread)) { /* on a busy machine it begins only now, and waits for `run` */
            cpu_lock_release(&shared.queue->run);
            pthread_join(thread, NULL);
            --i;
            continue;
        }
        if (!third)
            pthread_join(thread, NULL);
        ck_assert_msg(cpu_lock_is_held(&shared.queue->run) == third, "operation %d gave back what is another's", i);
        if (third)
            cpu_lock_release(&shared.queue->run);
    }
    accel_services.timeline_release(shared.timeline);
    q->destroy(shared.queue);
    cpu_engine_close(&engine);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_queue_shared");

    add(suite, Q1_Q7_operations_exclude_each_other_while_failures_come_and_are_cleared);
    add(suite, Q7_an_operation_that_comes_while_a_failure_is_cleared_keeps_out_of_others);
    return suite;
}
