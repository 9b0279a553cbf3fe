/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"
#include "plugins/cpu/machine/system_file.h"

#include <time.h>

static int reads;

static void count_read(void *fact)
{
    *(int *)fact = ++reads;
}

START_TEST(a_fact_of_the_last_moment_is_not_read_again)
{
    static cpu_recent recent;
    static int fact;
    int value = 0;

    for (int i = 0; i < 5; ++i) /* a busy machine may take longer than a moment between two calls, not between all */
        cpu_recent_get(&recent, &fact, &value, sizeof(value), count_read);
    ck_assert_int_lt(reads, 5);
    ck_assert_int_eq(value, reads);
}
END_TEST

START_TEST(a_fact_is_read_again_after_a_moment)
{
    static cpu_recent recent;
    static int fact;
    int first = 0, second = 0;

    cpu_recent_get(&recent, &fact, &first, sizeof(first), count_read);
    nanosleep(&(struct timespec){.tv_nsec = CPU_RECENT_NS + 1000000}, NULL);
    cpu_recent_get(&recent, &fact, &second, sizeof(second), count_read);
    ck_assert_int_eq(second, first + 1);
}
END_TEST

START_TEST(a_thread_that_meets_another_reads_for_itself)
{
    static cpu_recent recent;
    static int fact;
    int value = 0;

    ck_assert(cpu_lock_try(&recent.lock)); /* as another thread, or as one that a fork left behind */
    cpu_recent_get(&recent, &fact, &value, sizeof(value), count_read);
    ck_assert_int_eq(value, 1);
    ck_assert_int_eq(fact, 0);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("system_file");

    add(suite, a_fact_of_the_last_moment_is_not_read_again);
    add(suite, a_fact_is_read_again_after_a_moment);
    add(suite, a_thread_that_meets_another_reads_for_itself);
    return suite;
}
