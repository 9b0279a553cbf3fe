/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/guard.h"
#include "run.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct thing {
    accel_deferred link;
    uint32_t number;
} thing;

static uint32_t destroyed[8], destroyed_count;

static void destroy(void *object)
{
    destroyed[destroyed_count++] = ((thing *)object)->number;
}

START_TEST(Q8_only_the_thread_inside_a_host_function_is_inside)
{
    ck_assert(!accel_guard_inside());
    accel_guard_enter();
    ck_assert(accel_guard_inside());
    accel_guard_leave(true);
    ck_assert(!accel_guard_inside());
}
END_TEST

static void *look(void *inside)
{
    *(bool *)inside = accel_guard_inside();
    return NULL;
}

START_TEST(Q8_other_threads_are_not_inside)
{
    pthread_t thread;
    bool inside = true;

    accel_guard_enter();
    ck_assert_int_eq(pthread_create(&thread, NULL, look, &inside), 0);
    pthread_join(thread, NULL);
    ck_assert(!inside);
    accel_guard_leave(true);
}
END_TEST

START_TEST(Q8_the_refusal_names_function_reason_and_remedy)
{
    ck_assert_uint_eq(accel_guard_check("accel_copy"), ACCEL_OK);
    accel_guard_enter();
    ck_assert_uint_eq(accel_guard_check("accel_copy"), ACCEL_INVALID);
    ck_assert_int_eq(strncmp(accel_error_message(), "accel_copy: called from a host function", 39), 0);
    accel_guard_leave(true);
    ck_assert_uint_eq(accel_guard_check("accel_copy"), ACCEL_OK);
}
END_TEST

START_TEST(Q8_deferred_releases_run_in_order_when_the_function_returns)
{
    thing things[3] = {{.number = 1}, {.number = 2}, {.number = 3}};

    accel_guard_enter();
    for (int i = 0; i < 3; ++i)
        accel_guard_defer(&things[i].link, destroy, &things[i]);
    accel_guard_run_deferred();
    ck_assert_uint_eq(destroyed_count, 0);
    accel_guard_leave(true);
    ck_assert_uint_eq(destroyed_count, 3);
    for (uint32_t i = 0; i < 3; ++i)
        ck_assert_uint_eq(destroyed[i], i + 1);
}
END_TEST

START_TEST(Q8_in_a_drivers_callback_they_wait_for_the_next_call)
{
    thing object = {.number = 1};

    accel_guard_enter();
    accel_guard_defer(&object.link, destroy, &object);
    accel_guard_leave(false);
    ck_assert_uint_eq(destroyed_count, 0);
    accel_guard_run_deferred();
    ck_assert_uint_eq(destroyed_count, 1);
    accel_guard_run_deferred();
    ck_assert_uint_eq(destroyed_count, 1);
}
END_TEST

enum { DEFERRERS = 4, DEFERRED = 2000 };
static _Atomic uint32_t counted;

static void count(void *object)
{
    (void)object;
    atomic_fetch_add(&counted, 1);
}

static void *defer_many(void *things)
{
    for (int i = 0; i < DEFERRED; ++i) {
        thing *object = (thing *)things + i;
        accel_guard_defer(&object->link, count, object);
        if (i % 16 == 0)
            accel_guard_run_deferred();
    }
    return NULL;
}

START_TEST(deferring_from_many_threads_loses_none_and_runs_none_twice)
{
    static thing things[DEFERRERS][DEFERRED];
    pthread_t threads[DEFERRERS];

    for (int i = 0; i < DEFERRERS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, defer_many, things[i]), 0);
    for (int i = 0; i < DEFERRERS; ++i)
        pthread_join(threads[i], NULL);
    accel_guard_run_deferred();
    ck_assert_uint_eq(atomic_load(&counted), DEFERRERS * DEFERRED);
}
END_TEST

START_TEST(O7_a_fork_counts_in_the_child_only_and_once)
{
    int status = 0;

    accel_guard_watch_fork();
    accel_guard_watch_fork();
    ck_assert_uint_eq(accel_guard_fork_generation, 0);
    pid_t child = fork();
    if (child == 0)
        _exit(accel_guard_fork_generation == 1 ? 0 : 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(accel_guard_fork_generation, 0);
}
END_TEST

START_TEST(O7_host_functions_of_threads_that_a_fork_left_behind_are_forgotten)
{
    int status = 0;

    accel_guard_watch_fork();
    atomic_fetch_add(&accel_guard_host_functions, 3); /* as three other threads would */
    accel_guard_enter();
    pid_t child = fork();
    if (child == 0)
        _exit(atomic_load(&accel_guard_host_functions) == 1 && accel_guard_inside() ? 0 : 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

static _Atomic bool listing;

static void *use_lists(void *user)
{
    (void)user;
    while (listing) {
        accel_guard_lock();
        accel_guard_unlock();
    }
    return NULL;
}

START_TEST(O7_a_fork_leaves_the_lock_of_lists_free)
{
    enum { FORKS = 200 };
    pthread_t thread;

    accel_guard_watch_fork();
    listing = true;
    ck_assert_int_eq(pthread_create(&thread, NULL, use_lists, NULL), 0);
    for (int i = 0; i < FORKS; ++i) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            alarm(10);
            accel_guard_lock();
            accel_guard_unlock();
            _exit(0);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
    }
    listing = false;
    pthread_join(thread, NULL);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("guard");

    add(suite, Q8_only_the_thread_inside_a_host_function_is_inside);
    add(suite, Q8_other_threads_are_not_inside);
    add(suite, Q8_the_refusal_names_function_reason_and_remedy);
    add(suite, Q8_deferred_releases_run_in_order_when_the_function_returns);
    add(suite, Q8_in_a_drivers_callback_they_wait_for_the_next_call);
    add(suite, deferring_from_many_threads_loses_none_and_runs_none_twice);
    add(suite, O7_a_fork_counts_in_the_child_only_and_once);
    add(suite, O7_host_functions_of_threads_that_a_fork_left_behind_are_forgotten);
    add(suite, O7_a_fork_leaves_the_lock_of_lists_free);
    return suite;
}
