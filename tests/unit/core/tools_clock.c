/* SPDX-License-Identifier: Apache-2.0 */
/* The clock that tools are given, which is CLOCK_MONOTONIC. */
#include "core/base/guard.h"
#include "run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Atomic bool is_busy;

#if defined(__x86_64__)
#include <x86intrin.h>

/* As on a busy machine: behind every second answer of the system the thread is held up, before it can draw its line. */
static uint64_t counted(bool asks)
{
    static _Thread_local unsigned asked;
    const uint64_t count = __rdtsc();

    if (asks && atomic_load(&is_busy) && (++asked & 3u) == 0)
        usleep(200);
    return count;
}

#undef __rdtsc
#define __rdtsc() counted(strcmp(__func__, "read_both") == 0)
#endif
#include "core/tools/clock.c" /* NOLINT: with the function above */

enum { OFF = 3000 }; /* ns, 300 times what is seen; on a busy virtual machine 1003 was, once */

static void compare(void)
{
    const uint64_t before = system_clock(), time = accel_tools_clock(), behind = system_clock();
    ck_assert_uint_ge(time + OFF, before);
    ck_assert_uint_le(time, behind + OFF);
}

START_TEST(it_is_the_clock_of_the_system)
{
    static const useconds_t pauses[] = {0, 100, 300, 500, 1000, 2000, 20000, 700000};
    for (size_t i = 0; i < sizeof pauses / sizeof pauses[0]; ++i)
        for (int turn = 0; turn < (pauses[i] > 100000 ? 3 : 20); ++turn) {
            for (int k = 0; k < 1000; ++k)
                compare();
            usleep(pauses[i]);
            compare();
        }
}
END_TEST

static void *read_often(void *user)
{
    uint64_t last = 0;
    (void)user;
    for (int i = 0; i < 2000000; ++i) {
        const uint64_t now = accel_tools_clock();
        ck_assert_uint_ge(now, last);
        last = now;
    }
    return NULL;
}

static void read_in_threads(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, read_often, NULL), 0);
    for (int i = 0; i < 3; ++i)
        pthread_join(threads[i], NULL);
}

START_TEST(it_never_runs_backwards)
{
    read_in_threads();
}
END_TEST

/* While one thread is between the system's answer and the line that it draws, others read the line. */
START_TEST(it_never_runs_backwards_on_a_busy_machine)
{
    atomic_store(&is_busy, true);
    read_in_threads();
}
END_TEST

static void *read_until_told(void *user)
{
    while (!atomic_load((_Atomic bool *)user))
        (void)accel_tools_clock();
    return NULL;
}

/* Another thread of the parent may have been asking the system. */
START_TEST(it_goes_on_in_a_fork)
{
    _Atomic bool told = false;
    pthread_t thread;
    accel_guard_watch_fork();
    ck_assert_int_eq(pthread_create(&thread, NULL, read_until_told, &told), 0);
    for (int i = 0; i < 100; ++i) {
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            for (int k = 0; k < 20; ++k) {
                compare();
                usleep(50);
            }
            _exit(0);
        }
        int status = 1;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
    }
    atomic_store(&told, true);
    pthread_join(thread, NULL);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("tools_clock");

    add(suite, it_is_the_clock_of_the_system);
    add(suite, it_never_runs_backwards);
    add(suite, it_never_runs_backwards_on_a_busy_machine);
    add(suite, it_goes_on_in_a_fork);
    return suite;
}
