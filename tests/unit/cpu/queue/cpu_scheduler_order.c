/* SPDX-License-Identifier: Apache-2.0 */
/* A command is completed while a thread falls asleep over it: whichever memory order hardware gives, it is woken. */
#include "run.h"

#include "plugins/cpu/engine/host.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store_buffer.h"

static unsigned sleep_calls, wake_calls;

/* Whoever sleeps here sleeps on unless it is woken; the test only has to go on. */
static long futex(const void *word, int operation)
{
    (void)word;
    if (operation == FUTEX_WAIT_PRIVATE)
        ++sleep_calls;
    else
        ++wake_calls;
    return 0;
}

#define syscall(number, word, operation, value, timeout, word2, value3)                                                \
    ((void)(value), (void)(timeout), futex((const void *)(word), operation))
#include "plugins/cpu/queue/scheduler.c" /* NOLINT: with the accesses of store_buffer.h */

static accel_impl_queue queue = {.run = {.held = CPU_LOCK_HELD}, .ring = {.published = 1, .awaited = UINT64_MAX}};

static void fall_asleep(void *user)
{
    (void)user;
    sleep_for(&queue, 1);
}

START_TEST(a_thread_that_falls_asleep_over_a_command_is_woken_or_sees_it_completed)
{
    store_point = &queue.ring.awaited;
    store_second_thread = fall_asleep;
    complete(&queue, 1);
    store_drain_all(0);
    ck_assert_ptr_null((const void *)store_point); /* it came */
    ck_assert_msg(wake_calls >= sleep_calls, "it sleeps, and nobody wakes it");
}
END_TEST

START_TEST(a_thread_that_sleeps_already_is_woken)
{
    fall_asleep(NULL);
    ck_assert_uint_eq(sleep_calls, 1);
    complete(&queue, 1);
    ck_assert_uint_eq(wake_calls, 1);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_scheduler_order");

    add(suite, a_thread_that_falls_asleep_over_a_command_is_woken_or_sees_it_completed);
    add(suite, a_thread_that_sleeps_already_is_woken);
    return suite;
}
