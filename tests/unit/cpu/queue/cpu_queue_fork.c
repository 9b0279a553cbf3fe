/* SPDX-License-Identifier: Apache-2.0 */
/* Queues and events of the CPU engine in the child of a fork. ThreadSanitizer does not support threads made after one. */
#include "cpu_commands.h"
#include "core/base/guard.h"
#include "plugins/cpu/queue/queue.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(O7_idle_queues_work_in_a_child_and_others_say_that_they_do_not)
{
    open_engine();
    accel_guard_watch_fork();
    accel_impl_queue *blocking = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING), *idle = cpu_engine_queue(&engine, 0),
                     *busy = cpu_engine_queue(&engine, 0);
    accel_impl_event *event = make_event(0);
    gate held = {0};
    uint64_t counter = 0;
    int status;

    ok(launch_add(idle, &counter, 0));
    ok(q->wait(idle));
    ok(q->call(busy, pass_gate, &held));
    ok(q->record(busy, event));
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        bool good = q->after_fork(blocking) == ACCEL_OK && q->after_fork(idle) == ACCEL_OK &&
                    q->after_fork(busy) == ACCEL_FORKED && e->wait(event) == ACCEL_FORKED;
        good = good && launch_add(idle, &counter, 1) == ACCEL_OK && q->wait(idle) == ACCEL_OK &&
               launch_add(blocking, &counter, 2) == ACCEL_OK && counter == 3;
        q->destroy(blocking);
        q->destroy(idle);
        q->destroy(busy);
        _exit(good ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    held.open = true;
    ok(q->wait(busy));
    e->destroy(event);
    q->destroy(blocking);
    q->destroy(idle);
    q->destroy(busy);
    cpu_engine_close(&engine);
}
END_TEST

/* The waiter is told before the worker gives `run` back, and the worker looks around before it sleeps: neither makes the
 * queue busy. Locks of atomics that kernels held are free. */
START_TEST(O7_a_queue_is_idle_whatever_its_worker_holds_at_the_fork)
{
    open_engine();
    accel_guard_watch_fork();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0), *submitting = cpu_engine_queue(&engine, 0);
    uint64_t counter = 0;
    int status;

    ok(launch_add(queue, &counter, 0));
    ok(q->wait(queue));
    cpu_lock_acquire(&queue->run);
    cpu_lock_look(&queue->ring.lock);
    cpu_lock_spin(&submitting->ring.lock);
    cpu_process_locks[7] = 1;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(20);
        accel_impl_queue *made = NULL;
        bool good = engine.plugin.device_vtable->queue_create(engine.device, 0, 0, &made) == ACCEL_OK;
        good = good && cpu_process_locks[7] == 0;
        good = good && q->after_fork(queue) == ACCEL_OK && launch_add(queue, &counter, 1) == ACCEL_OK &&
               q->wait(queue) == ACCEL_OK && counter == 2;
        good = good && q->after_fork(submitting) == ACCEL_FORKED;
        q->destroy(queue);
        q->destroy(made);
        _exit(good ? 0 : 1);
    }
    cpu_process_locks[7] = 0;
    cpu_lock_release(&submitting->ring.lock);
    cpu_lock_release(&queue->ring.lock);
    cpu_lock_release(&queue->run);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    q->destroy(queue);
    q->destroy(submitting);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(O7_an_event_that_was_pending_at_the_fork_has_no_timeline)
{
    open_engine();
    accel_guard_watch_fork();
    accel_impl_queue *busy = cpu_engine_queue(&engine, 0);
    accel_impl_event *event = make_event(0);
    gate held = {0};
    int status;

    ok(q->call(busy, pass_gate, &held));
    ok(q->record(busy, event));
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        accel_timeline *timeline = NULL;
        uint64_t value = 0;
        _exit(e->timeline(event, &timeline, &value) == ACCEL_FORKED && timeline == NULL ? 0 : 1);
    }
    held.open = true;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    e->destroy(event);
    q->destroy(busy);
    cpu_engine_close(&engine);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_queue_fork");

    add(suite, O7_idle_queues_work_in_a_child_and_others_say_that_they_do_not);
    add(suite, O7_a_queue_is_idle_whatever_its_worker_holds_at_the_fork);
    add(suite, O7_an_event_that_was_pending_at_the_fork_has_no_timeline);
    return suite;
}
