/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of teams that lie on the CPU of the thread that leads. */
#include "cpu_marks.h"
#include "core/config/plugin_values.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/omp/binding.h"
#include "plugins/cpu/omp/omp.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 40, MORE_THAN_A_PAUSE_US = 20000, TRIES = 10 };

static cpu_set_t own_cpus(void)
{
    cpu_set_t cpus;
    ck_assert_int_eq(sched_getaffinity(0, sizeof(cpus), &cpus), 0);
    return cpus;
}

static int first_of(const cpu_set_t *cpus)
{
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET((size_t)cpu, cpus))
            return cpu;
    ck_abort_msg("no CPU");
    return -1;
}

/* The calling thread is on this CPU, and may go to all of them. */
static void stand_on(int cpu, const cpu_set_t *all)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    if (sched_setaffinity(0, sizeof(one), &one) != 0 || sched_setaffinity(0, sizeof(*all), all) != 0)
        abort(); /* Check's assertions are for one thread */
}

/* The system may move the thread, too: seldom, in so short a time. */
static int times_aside(uint32_t threads, useconds_t pause)
{
    const cpu_set_t all = own_cpus();
    const int cpu = first_of(&all);
    int aside = 0;
    for (int i = 0; i < TRIES; ++i) {
        usleep(pause);
        stand_on(cpu, &all);
        cpu_omp_step_aside(cpu, threads);
        aside += sched_getcpu() != cpu;
        const cpu_set_t after = own_cpus();
        ck_assert(CPU_EQUAL(&all, &after));
    }
    return aside;
}

START_TEST(a_thread_steps_aside_to_another_of_its_cpus)
{
    const cpu_set_t all = own_cpus();
    if (CPU_COUNT(&all) < 2)
        return;
    ck_assert_int_ge(times_aside(2, MORE_THAN_A_PAUSE_US), TRIES - 2);
}
END_TEST

START_TEST(a_thread_stays_where_there_are_more_threads_than_cpus)
{
    const cpu_set_t all = own_cpus();
    ck_assert_int_le(times_aside((uint32_t)CPU_COUNT(&all) + 1, MORE_THAN_A_PAUSE_US), TRIES / 2);
}
END_TEST

START_TEST(a_thread_steps_aside_once_in_ten_milliseconds)
{
    ck_assert_int_le(times_aside(2, 0), TRIES / 2);
}
END_TEST

/* What the team's other thread does, and where it was. */
typedef struct beside {
    int leader, cpu; /* the leader's thread and CPU */
    const cpu_set_t *all;
    bool is_put;      /* on the leader's CPU */
    _Atomic int seen; /* where it ran its first block; -1: none yet */
} beside;

static void note(marks *own, size_t block)
{
    beside *self = own->user;
    int none = -1;
    (void)block;
    if (gettid() != self->leader) {
        atomic_compare_exchange_strong(&self->seen, &none, sched_getcpu());
        if (self->is_put)
            stand_on(self->cpu, self->all);
    }
    usleep(100); /* and so it is worth a team */
}

START_TEST(a_team_has_no_thread_beside_its_leader)
{
    const cpu_set_t all = own_cpus();
    cpu_set_t one;
    uint32_t state;
    int aside = 0;
    if (CPU_COUNT(&all) < 2)
        return;
    setenv("OMP_NUM_THREADS", "2", 1);
    ck_assert_uint_eq(accel_plugin_value_set("ACCEL_OMP_LIBRARY", getenv("ACCEL_OMP_LIBRARY")), ACCEL_OK);
    ck_assert_uint_eq(cpu_executor_omp.open(&cpu_executor_omp, &state), ACCEL_OK);
    cpu_executor *executor = marks_executor(&cpu_executor_omp, 2);
    beside self = {.leader = gettid(), .cpu = first_of(&all), .all = &all};
    CPU_ZERO(&one);
    CPU_SET((size_t)self.cpu, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
    for (int i = 0; i < TRIES; ++i) {
        for (int put = 1; put >= 0; --put) { /* a launch that puts it there, and one that finds it */
            cpu_scratch scratch = {0};
            self.is_put = put != 0;
            self.seen = -1;
            marks_launch(executor, BLOCKS, 1, (marks){.also = note, .user = &self}, &scratch);
            cpu_scratch_clear(&scratch);
            usleep(MORE_THAN_A_PAUSE_US);
        }
        aside += self.seen != self.cpu;
    }
    ck_assert_int_ge(aside, TRIES - 2);
    executor->destroy(executor);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_omp_binding");

    marks_init();
    add(suite, a_thread_steps_aside_to_another_of_its_cpus);
    add(suite, a_thread_stays_where_there_are_more_threads_than_cpus);
    add(suite, a_thread_steps_aside_once_in_ten_milliseconds);
    add(suite, a_team_has_no_thread_beside_its_leader);
    return suite;
}
