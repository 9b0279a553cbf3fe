/* SPDX-License-Identifier: Apache-2.0 */
/* A signal and a wait that cross: whichever memory order hardware gives, one of the two sees the other. */
#include "core/base/allocate.h"
#include "core/base/reference.h"
#include "core/base/timeline.h"
#include "run.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store_buffer.h"

static unsigned sleeps, wakes;

/* Whoever sleeps here sleeps on unless it is woken; the test only has to go on. */
static long futex(long number, const void *word, int operation)
{
    (void)number;
    (void)word;
    if (operation == FUTEX_WAIT_PRIVATE) {
        ++sleeps;
        store_drain_all(0);
    } else {
        ++wakes;
    }
    return 0;
}

#define syscall(number, word, operation, value, timeout, word2, value3)                                                \
    ((void)(value), futex(number, (const void *)(word), operation))
#include "core/base/timeline.c" /* NOLINT: with the accesses of store_buffer.h */

static accel_timeline *timeline;
static accel_timeline_waiter waiter;
static unsigned told;
static bool listens;

static void note(accel_timeline_waiter *of, accel_status status)
{
    (void)of;
    (void)status;
    ++told;
}

static void begin(const volatile void *point, void (*second)(void *))
{
    store_point = point;
    store_second_thread = second;
}

static void ask_to_be_told(void *user)
{
    (void)user;
    waiter.notify = note;
    listens = accel_timeline_on_signal(timeline, 1, &waiter);
}

START_TEST(a_waiter_that_comes_during_a_signal_is_told_or_does_not_wait)
{
    ck_assert_uint_eq(accel_timeline_create(&timeline), ACCEL_OK);
    begin(&timeline->listed, ask_to_be_told);
    accel_timeline_signal(timeline, 1, ACCEL_OK);
    store_drain_all(0);
    ck_assert_ptr_null((const void *)store_point); /* it came */
    ck_assert_uint_eq(told, listens ? 1 : 0);
    accel_timeline_release(timeline);
}
END_TEST

static void wait_for_it(void *user)
{
    (void)user;
    ck_assert_uint_eq(accel_timeline_wait(timeline, 1), ACCEL_OK);
}

START_TEST(a_thread_that_waits_during_a_signal_is_woken_or_does_not_sleep)
{
    ck_assert_uint_eq(accel_timeline_create(&timeline), ACCEL_OK);
    begin(&timeline->sleepers, wait_for_it);
    accel_timeline_signal(timeline, 1, ACCEL_OK);
    store_drain_all(0);
    ck_assert_ptr_null((const void *)store_point);
    ck_assert_msg(wakes >= sleeps, "it sleeps, and nobody wakes it");
    accel_timeline_release(timeline);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("timeline_order");

    add(suite, a_waiter_that_comes_during_a_signal_is_told_or_does_not_wait);
    add(suite, a_thread_that_waits_during_a_signal_is_woken_or_does_not_sleep);
    return suite;
}
