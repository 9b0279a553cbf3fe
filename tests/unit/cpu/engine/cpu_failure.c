/* SPDX-License-Identifier: Apache-2.0 */
/* Failures of queues, and who is told of them while others launch. */
#include "cpu_engine.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/queue/queue.h"

#include <pthread.h>
#include <string.h>

enum { LAUNCHES = 500000, LAUNCHERS = 2, TURNS = 50 };

/* What all launches share: a blocking queue runs one at a time. */
typedef struct meeting {
    cpu_engine *engine;
    accel_impl_queue *queue;
    _Atomic uint32_t inside, met, runs, accepted, finished;
} meeting;

static void stay(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    meeting *self = *(meeting *const *)args;
    (void)launch, (void)first, (void)count;
    if (atomic_fetch_add(&self->inside, 1) != 0)
        atomic_store(&self->met, 1);
    for (volatile int turn = 0; turn < TURNS; ++turn) {
    }
    atomic_fetch_sub(&self->inside, 1);
    atomic_fetch_add(&self->runs, 1);
}

static void *launch_many(void *user)
{
    meeting *self = user;
    accel_descriptor descriptor = cpu_block_kernel(stay, sizeof(self), _Alignof(meeting *));
    accel_impl_kernel kernel = cpu_engine_kernel(self->engine, &descriptor);
    const accel_work work = accel_work_1d(1, 1, 1);
    for (int i = 0; i < LAUNCHES; ++i) {
        accel_status status = cpu_queue_vtable.launch(self->queue, &kernel, &work, &self);
        atomic_fetch_add(&self->accepted, status == ACCEL_OK);
    }
    atomic_fetch_add(&self->finished, 1);
    return NULL;
}

START_TEST(Q7_launches_have_the_queue_alone_while_another_thread_is_told_of_its_failure)
{
    cpu_engine engine = cpu_engine_open(&cpu_executor_serial);
    meeting self = {.engine = &engine, .queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING)};
    pthread_t threads[LAUNCHERS];
    for (int i = 0; i < LAUNCHERS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_many, &self), 0);
    while (atomic_load(&self.finished) < LAUNCHERS) {
        plugin_failure_keep(&self.queue->failure, cpu_host(), cpu_host()->error(ACCEL_KERNEL_FAULT, "a failure"));
        ck_assert_uint_eq(plugin_failure_report(&self.queue->failure, cpu_host()), ACCEL_KERNEL_FAULT);
    }
    for (int i = 0; i < LAUNCHERS; ++i)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(self.met, 0);
    ck_assert_uint_eq(self.runs, self.accepted);
    cpu_queue_vtable.destroy(self.queue);
    cpu_engine_close(&engine);
}
END_TEST

/* Else the text of an operation that failed looks like that of the next one. */
START_TEST(Q7_a_blocking_queue_says_that_it_refuses_because_it_failed_before)
{
    cpu_engine engine = cpu_engine_open(&cpu_executor_serial);
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    meeting self = {.engine = &engine, .queue = queue}, *args = &self;
    accel_descriptor descriptor = cpu_block_kernel(stay, sizeof(args), _Alignof(meeting *));
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, &descriptor);
    const accel_work work = accel_work_1d(1, 1, 1);
    plugin_failure_keep(&queue->failure, cpu_host(), cpu_host()->error(ACCEL_KERNEL_FAULT, "the first failure"));
    ck_assert_uint_eq(cpu_queue_vtable.launch(queue, &kernel, &work, &args), ACCEL_KERNEL_FAULT);
    const char *text = cpu_host()->error_message();
    ck_assert_msg(strstr(text, "nothing was done, as the queue has failed before (accel_queue_wait ") == text, "%s",
                  text);
    ck_assert_msg(strstr(text, ": the first failure") != NULL, "%s", text);
    ck_assert_uint_eq(plugin_failure_report(&queue->failure, cpu_host()), ACCEL_KERNEL_FAULT);
    ck_assert_str_eq(cpu_host()->error_message(), "the first failure");
    ck_assert_uint_eq(self.runs, 0);
    cpu_queue_vtable.destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_failure");

    add(suite, Q7_launches_have_the_queue_alone_while_another_thread_is_told_of_its_failure);
    add(suite, Q7_a_blocking_queue_says_that_it_refuses_because_it_failed_before);
    return suite;
}
