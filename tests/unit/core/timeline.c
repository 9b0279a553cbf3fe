/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/timeline.h"
#include "run.h"

#include <time.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static accel_timeline *make(void)
{
    accel_timeline *timeline = NULL;

    ck_assert_uint_eq(accel_timeline_create(&timeline), ACCEL_OK);
    return timeline;
}

static accel_status status_at(accel_timeline *timeline, uint64_t value)
{
    accel_status status = ACCEL_INTERNAL;

    ck_assert(accel_timeline_reached(timeline, value, &status));
    return status;
}

START_TEST(value_zero_is_always_reached)
{
    accel_timeline *timeline = make();

    ck_assert_uint_eq(status_at(timeline, 0), ACCEL_OK);
    ck_assert(!accel_timeline_reached(timeline, 1, NULL));
    ck_assert_uint_eq(accel_timeline_wait(timeline, 0), ACCEL_OK);
    accel_timeline_release(timeline);
}
END_TEST

START_TEST(a_signal_reaches_its_value_and_all_before)
{
    accel_timeline *timeline = make();

    accel_timeline_signal(timeline, 5, ACCEL_OK);
    for (uint64_t value = 0; value <= 5; ++value)
        ck_assert_uint_eq(status_at(timeline, value), ACCEL_OK);
    ck_assert(!accel_timeline_reached(timeline, 6, NULL));
    accel_timeline_release(timeline);
}
END_TEST

START_TEST(Q7_values_carry_the_failure_they_were_signalled_with)
{
    accel_timeline *timeline = make();

    accel_timeline_signal(timeline, 1, ACCEL_OK);
    accel_timeline_signal(timeline, 2, ACCEL_KERNEL_FAULT);
    accel_timeline_signal(timeline, 3, ACCEL_KERNEL_FAULT);
    accel_timeline_signal(timeline, 4, ACCEL_OK);
    accel_timeline_signal(timeline, 6, ACCEL_DRIVER);
    ck_assert_uint_eq(status_at(timeline, 1), ACCEL_OK);
    ck_assert_uint_eq(status_at(timeline, 2), ACCEL_KERNEL_FAULT);
    ck_assert_uint_eq(status_at(timeline, 3), ACCEL_KERNEL_FAULT);
    ck_assert_uint_eq(status_at(timeline, 4), ACCEL_OK);
    ck_assert_uint_eq(status_at(timeline, 5), ACCEL_DRIVER);
    ck_assert_uint_eq(accel_timeline_wait(timeline, 6), ACCEL_DRIVER);
    accel_timeline_release(timeline);
}
END_TEST

START_TEST(a_run_of_failures_is_kept_in_one_place)
{
    accel_timeline *timeline = make();

    run_fail_allocation(1); /* would be hit if each took room of its own */
    for (uint64_t value = 1; value <= 1000; ++value)
        accel_timeline_signal(timeline, value, ACCEL_DEVICE_LOST);
    ck_assert(!run_allocation_failed());
    ck_assert_uint_eq(status_at(timeline, 500), ACCEL_DEVICE_LOST);
    accel_timeline_release(timeline);
}
END_TEST

START_TEST(scattered_failures_are_all_found)
{
    accel_timeline *timeline = make();

    for (uint64_t value = 1; value <= 300; ++value)
        accel_timeline_signal(timeline, value, value % 3 == 0 ? ACCEL_DRIVER : ACCEL_OK);
    for (uint64_t value = 1; value <= 300; ++value)
        ck_assert_uint_eq(status_at(timeline, value), value % 3 == 0 ? ACCEL_DRIVER : ACCEL_OK);
    accel_timeline_release(timeline);
}
END_TEST

START_TEST(old_values_are_found_quickly_among_many_failures)
{
    enum { FAILURES = 60000, LOOKS = 200000 };
    accel_timeline *timeline = make();

    for (uint64_t value = 1; value <= 2 * FAILURES; ++value)
        accel_timeline_signal(timeline, value, value % 2 == 0 ? ACCEL_DRIVER : ACCEL_OK);
    clock_t begin = clock();
    for (uint64_t i = 0; i < LOOKS; ++i)
        ck_assert_uint_eq(status_at(timeline, 1 + i % 2), i % 2 == 1 ? ACCEL_DRIVER : ACCEL_OK);
    ck_assert_double_lt((double)(clock() - begin) / CLOCKS_PER_SEC,
                        2); /* one after the other it takes 20 times as long */
    accel_timeline_release(timeline);
}
END_TEST

START_TEST(without_memory_no_failure_looks_like_success)
{
    accel_timeline *timeline = make();

    for (uint64_t value = 1; value <= 20; ++value) {
        run_fail_allocation(1);
        accel_timeline_signal(timeline, value, value % 2 == 0 ? ACCEL_DRIVER : ACCEL_OK);
    }
    ck_assert(run_allocation_failed());
    run_fail_allocation(0);
    for (uint64_t value = 2; value <= 20; value += 2)
        ck_assert_uint_eq(status_at(timeline, value), ACCEL_DRIVER);
    ck_assert_uint_eq(status_at(timeline, 1), ACCEL_OK);
    accel_timeline_release(timeline);
}
END_TEST

START_TEST(creation_without_memory_says_so)
{
    accel_timeline *timeline = NULL;

    run_fail_allocation(1);
    ck_assert_uint_eq(accel_timeline_create(&timeline), ACCEL_OUT_OF_MEMORY);
    ck_assert_ptr_null(timeline);
}
END_TEST

typedef struct listener {
    accel_timeline_waiter waiter;
    uint32_t order;
    accel_status status;
    uint32_t calls;
} listener;

static uint32_t told;

static void listen(accel_timeline_waiter *waiter, accel_status status)
{
    listener *self = waiter->user;

    self->order = ++told;
    self->status = status;
    ++self->calls;
}

START_TEST(waiters_are_told_once_in_order_of_their_values)
{
    static const uint64_t values[] = {5, 2, 9, 2, 7};
    accel_timeline *timeline = make();
    listener listeners[5] = {0};

    for (int i = 0; i < 5; ++i) {
        listeners[i].waiter = (accel_timeline_waiter){.notify = listen, .user = &listeners[i]};
        ck_assert(accel_timeline_on_signal(timeline, values[i], &listeners[i].waiter));
    }
    accel_timeline_signal(timeline, 1, ACCEL_OK);
    ck_assert_uint_eq(told, 0);
    accel_timeline_signal(timeline, 5, ACCEL_DRIVER);
    ck_assert_uint_eq(told, 3);
    ck_assert_uint_eq(listeners[1].order, 1);
    ck_assert_uint_eq(listeners[3].order, 2);
    ck_assert_uint_eq(listeners[0].order, 3);
    ck_assert_uint_eq(listeners[0].status, ACCEL_DRIVER);
    accel_timeline_signal(timeline, 10, ACCEL_OK);
    ck_assert_uint_eq(told, 5);
    ck_assert_uint_eq(listeners[4].order, 4);
    ck_assert_uint_eq(listeners[2].order, 5);
    ck_assert_uint_eq(listeners[2].status, ACCEL_OK);
    for (int i = 0; i < 5; ++i)
        ck_assert_uint_eq(listeners[i].calls, 1);
    accel_timeline_release(timeline);
}
END_TEST

START_TEST(on_signal_of_a_reached_value_answers_false_and_never_tells)
{
    accel_timeline *timeline = make();
    listener self = {.waiter = {.notify = listen, .user = &self}};

    accel_timeline_signal(timeline, 3, ACCEL_OK);
    ck_assert(!accel_timeline_on_signal(timeline, 3, &self.waiter));
    accel_timeline_signal(timeline, 4, ACCEL_OK);
    ck_assert_uint_eq(self.calls, 0);
    accel_timeline_release(timeline);
}
END_TEST

static accel_timeline *chained;

static void pass_on(accel_timeline_waiter *waiter, accel_status status)
{
    accel_timeline_signal(chained, waiter->value, status);
    ck_assert(accel_timeline_on_signal(waiter->user, waiter->value + 1, waiter));
}

START_TEST(notify_may_signal_and_register_again)
{
    accel_timeline *timeline = make();
    accel_timeline_waiter waiter = {.notify = pass_on, .user = timeline};

    chained = make();
    ck_assert(accel_timeline_on_signal(timeline, 1, &waiter));
    for (uint64_t value = 1; value <= 10; ++value) {
        accel_timeline_signal(timeline, value, ACCEL_OK);
        ck_assert_uint_eq(status_at(chained, value), ACCEL_OK);
    }
    accel_timeline_release(timeline);
    accel_timeline_release(chained);
}
END_TEST

/* One thread signals, others wait for each value, sleeping or spinning as it comes. */
enum { ROUNDS = 20000, WAITERS = 3 };

static void *wait_for_all(void *timeline)
{
    for (uint64_t value = 1; value <= ROUNDS; ++value)
        ck_assert_uint_eq(accel_timeline_wait(timeline, value), value % 100 == 0 ? ACCEL_DRIVER : ACCEL_OK);
    accel_timeline_release(timeline);
    return NULL;
}

START_TEST(E5_no_thread_that_waits_is_forgotten)
{
    accel_timeline *timeline = make();
    pthread_t threads[WAITERS];

    for (int i = 0; i < WAITERS; ++i) {
        accel_timeline_retain(timeline);
        ck_assert_int_eq(pthread_create(&threads[i], NULL, wait_for_all, timeline), 0);
    }
    for (uint64_t value = 1; value <= ROUNDS; ++value) {
        if (value % 500 == 0)
            usleep(100); /* longer than they spin */
        accel_timeline_signal(timeline, value, value % 100 == 0 ? ACCEL_DRIVER : ACCEL_OK);
    }
    for (int i = 0; i < WAITERS; ++i)
        pthread_join(threads[i], NULL);
    accel_timeline_release(timeline);
}
END_TEST

static _Atomic uint32_t heard;

static void hear(accel_timeline_waiter *waiter, accel_status status)
{
    ck_assert_uint_eq(status, ACCEL_OK);
    atomic_fetch_add(&heard, 1);
    *(_Atomic bool *)waiter->user = true;
}

static void *register_for_all(void *timeline)
{
    for (uint64_t value = 1; value <= ROUNDS; ++value) {
        _Atomic bool done = false;
        accel_timeline_waiter waiter = {.notify = hear, .user = &done};
        if (!accel_timeline_on_signal(timeline, value, &waiter)) {
            atomic_fetch_add(&heard, 1);
            continue;
        }
        while (!atomic_load(&done))
            sched_yield();
    }
    return NULL;
}

START_TEST(E5_no_waiter_that_registers_beside_a_signal_is_forgotten)
{
    accel_timeline *timeline = make();
    pthread_t threads[WAITERS];

    for (int i = 0; i < WAITERS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, register_for_all, timeline), 0);
    for (uint64_t value = 1; value <= ROUNDS; ++value)
        accel_timeline_signal(timeline, value, ACCEL_OK);
    for (int i = 0; i < WAITERS; ++i)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(atomic_load(&heard), WAITERS * ROUNDS);
    accel_timeline_release(timeline);
}
END_TEST

/* Signals when it has seen the other thread asleep, or half a minute later. */
typedef struct sleeper {
    accel_timeline *timeline;
    int thread;
    _Atomic bool waits; /* from here on it sleeps nowhere but in its wait */
    bool slept;
} sleeper;

static bool sleeps(int thread)
{
    char path[64], line[512], state = '?';

    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread);
    FILE *file = fopen(path, "r");
    if (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        const char *name_end = strrchr(line, ')'); /* "number (name) state ..." */
        state = name_end != NULL && name_end[1] == ' ' ? name_end[2] : '?';
    }
    if (file != NULL)
        fclose(file);
    return state == 'S';
}

static void *signal_sleeper(void *user)
{
    sleeper *other = user;

    for (int turn = 0; turn < 30000 && !other->slept; ++turn) {
        usleep(1000);
        other->slept = atomic_load(&other->waits) && sleeps(other->thread);
    }
    accel_timeline_signal(other->timeline, 1, ACCEL_OK);
    return NULL;
}

START_TEST(a_long_wait_sleeps_instead_of_spinning)
{
    sleeper self = {.timeline = make(), .thread = gettid()};
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, signal_sleeper, &self), 0);
    atomic_store(&self.waits, true);
    ck_assert_uint_eq(accel_timeline_wait(self.timeline, 1), ACCEL_OK);
    pthread_join(thread, NULL);
    ck_assert(self.slept);
    accel_timeline_release(self.timeline);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("timeline");

    add(suite, value_zero_is_always_reached);
    add(suite, a_signal_reaches_its_value_and_all_before);
    add(suite, Q7_values_carry_the_failure_they_were_signalled_with);
    add(suite, a_run_of_failures_is_kept_in_one_place);
    add(suite, scattered_failures_are_all_found);
    add(suite, old_values_are_found_quickly_among_many_failures);
    add(suite, without_memory_no_failure_looks_like_success);
    add(suite, creation_without_memory_says_so);
    add(suite, waiters_are_told_once_in_order_of_their_values);
    add(suite, on_signal_of_a_reached_value_answers_false_and_never_tells);
    add(suite, notify_may_signal_and_register_again);
    add(suite, E5_no_thread_that_waits_is_forgotten);
    add(suite, E5_no_waiter_that_registers_beside_a_signal_is_forgotten);
    add(suite, a_long_wait_sleeps_instead_of_spinning);
    return suite;
}
