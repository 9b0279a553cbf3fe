/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches run inline and which in parallel, by made-up ticks, and how long threads poll, by made-up clocks: nothing is
 * timed. */
#include "plugins/cpu/dispatch/policy.h"
#include "run.h"

/* --- inline or parallel --- */

enum { MANY = 100000, LONG = CPU_POLICY_PARALLEL_NS };
#define NS(ns) CPU_TICKS_OF_NS(ns)

/* A machine on which a launch takes so many ticks. Right after a change of mode it takes `moving` more: its data is elsewhere. */
typedef struct machine {
    uint64_t inlined, parallel, moving;
    uint64_t estimate; /* of one thread's time, by the first chunk of a parallel launch */
    cpu_mode before;
    size_t since; /* launches since the mode changed */
    size_t runs[2];
    uint64_t late_every, late; /* every so many launches one is interrupted for so long; 0: none */
} machine;

static cpu_cost unknown(void)
{
    return (cpu_cost){CPU_COST_UNKNOWN};
}

static void launch(machine *m, cpu_cost *cost)
{
    cpu_mode mode = cpu_policy_decide(cost, NULL).mode;
    uint64_t took = mode == CPU_INLINE ? m->inlined : m->parallel;

    m->since = mode == m->before ? m->since + 1 : 0;
    m->before = mode;
    if (m->since < 2)
        took += m->moving;
    if (m->late_every != 0 && (m->runs[0] + m->runs[1]) % m->late_every == m->late_every - 1)
        took += m->late;
    m->runs[mode]++;
    if (mode == CPU_INLINE)
        cpu_policy_note_inline(cost, took);
    else
        cpu_policy_note_parallel(cost, m->estimate, took, true);
}

static void run(machine *m, cpu_cost *cost, size_t launches)
{
    m->runs[0] = m->runs[1] = 0;
    for (size_t i = 0; i < launches; ++i)
        launch(m, cost);
}

START_TEST(a_launch_that_is_over_at_once_never_runs_in_parallel_again)
{
    cpu_cost cost = unknown();
    machine m = {.inlined = NS(CPU_POLICY_INLINE_NS), .parallel = NS(600), .estimate = NS(CPU_POLICY_INLINE_NS)};

    ck_assert_uint_eq(cost.mode, CPU_PARALLEL);
    run(&m, &cost, MANY);
    ck_assert_uint_le(m.runs[CPU_PARALLEL], 2);
}
END_TEST

/* A parallel launch finds half of its data in the other CPU's caches while the threads have no shares of their own yet: first
 * chunks take five times what they would take inline. */
START_TEST(the_faster_mode_is_found_whatever_the_first_chunk_makes_of_it)
{
    static const uint64_t estimates[] = {NS(260), NS(1500), NS(3900)};

    for (size_t i = 0; i < sizeof(estimates) / sizeof(estimates[0]); ++i) {
        cpu_cost cost = unknown();
        machine m = {.inlined = NS(300), .parallel = NS(900), .moving = NS(1000), .estimate = estimates[i]};

        run(&m, &cost, MANY);
        ck_assert_uint_le(m.runs[CPU_PARALLEL], MANY / 100);
        m.inlined = NS(1500);
        run(&m, &cost, 2 * CPU_POLICY_INTERVAL_LAUNCHES + MANY);
        ck_assert(cost.mode == CPU_PARALLEL || cost.trial);
        run(&m, &cost, MANY);
        ck_assert_uint_le(m.runs[CPU_INLINE], MANY / 100);
    }
}
END_TEST

START_TEST(one_interruption_changes_nothing)
{
    cpu_cost cost = unknown();
    machine m = {
        .inlined = NS(300), .parallel = NS(900), .estimate = NS(500), .late_every = 50, .late = 1000 * NS(LONG)};

    run(&m, &cost, MANY);
    ck_assert_uint_le(m.runs[CPU_PARALLEL], MANY / 50);
    m.inlined = NS(900);
    m.parallel = NS(300);
    run(&m, &cost, 2 * CPU_POLICY_INTERVAL_LAUNCHES);
    run(&m, &cost, MANY);
    ck_assert_uint_le(m.runs[CPU_INLINE], MANY / 50);
}
END_TEST

START_TEST(a_long_launch_runs_in_parallel_and_inline_is_not_tried)
{
    cpu_cost cost = unknown();
    machine m = {.inlined = 2 * NS(LONG), .parallel = NS(LONG), .estimate = 2 * NS(LONG)};

    run(&m, &cost, MANY);
    ck_assert_uint_eq(m.runs[CPU_INLINE], 0);
}
END_TEST

/* As a kernel that has more to do from some launch on. */
START_TEST(a_launch_that_became_long_runs_in_parallel_from_the_third_time_on)
{
    cpu_cost cost = unknown();
    machine m = {.inlined = 10, .parallel = NS(500), .estimate = 10};

    run(&m, &cost, 10);
    ck_assert_uint_eq(cost.mode, CPU_INLINE);
    m.inlined = m.estimate = 100 * NS(LONG);
    run(&m, &cost, MANY);
    ck_assert_uint_eq(m.runs[CPU_INLINE], CPU_POLICY_OVERRUN_LAUNCHES);
}
END_TEST

/* As loops over a triangle, or over the part of a grid that is not masked out. */
START_TEST(a_long_launch_whose_first_blocks_do_little_runs_in_parallel)
{
    static const uint64_t threads[] = {2, 64};

    for (size_t i = 0; i < 2; ++i) {
        cpu_cost cost = unknown();
        machine m = {.inlined = 50 * NS(LONG), .parallel = 50 * NS(LONG) / threads[i], .estimate = 10};
        run(&m, &cost, MANY);
        ck_assert_uint_le(m.runs[CPU_INLINE], MANY / 200);
        m.inlined = 100; /* and then the others have nothing to do, either */
        m.parallel = NS(600);
        run(&m, &cost, MANY);
        ck_assert_uint_ge(m.runs[CPU_INLINE], MANY - 10 * CPU_POLICY_AGEING);
    }
}
END_TEST

START_TEST(launches_that_ran_in_the_other_mode_than_they_should_decide_nothing)
{
    cpu_cost cost = unknown();

    for (int i = 0; i < MANY; ++i) /* all workers are asleep */
        cpu_policy_note_inline(&cost, NS(500));
    ck_assert_uint_eq(cost.mode, CPU_PARALLEL);
    ck_assert_uint_eq(cost.ticks, NS(500));
    for (int i = 0; i < MANY; ++i) /* a part of it had run inline before */
        cpu_policy_note_parallel(&cost, NS(500), NS(400), false);
    ck_assert_uint_eq(cost.mode, CPU_PARALLEL);
}
END_TEST

/* Where there are more threads than CPUs, each parallel launch waits for the system's scheduler. */
START_TEST(launches_that_lose_in_parallel_run_inline_for_a_time_in_proportion)
{
    static const uint64_t lengths[] = {NS(LONG) / 10, NS(LONG) / 2, 2 * NS(LONG), 100 * NS(LONG)};

    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); ++i) {
        cpu_cost cost = unknown();
        machine m = {.inlined = lengths[i], .parallel = 1000 * NS(LONG), .estimate = lengths[i]};
        run(&m, &cost, MANY);
        ck_assert_uint_le(m.runs[CPU_PARALLEL] * m.parallel, m.runs[CPU_INLINE] * m.inlined);
        m.parallel = lengths[i] / 2; /* the CPUs are free again */
        run(&m, &cost, 2 * CPU_POLICY_RECOVERY_MAX);
        run(&m, &cost, MANY);
        ck_assert_uint_le(m.runs[CPU_INLINE], MANY / 100);
    }
}
END_TEST

/* The first launch after inline ones wakes the threads, and loses. */
START_TEST(threads_that_fell_asleep_meanwhile_do_not_lose_for_ever)
{
    cpu_cost cost = unknown();
    bool asleep = true;
    size_t parallel = 0;

    for (int i = 0; i < 6; ++i)
        cpu_policy_note_parallel(&cost, 2 * NS(LONG), 3 * NS(LONG), true);
    for (int i = 0; i < MANY; ++i) {
        if (cpu_policy_decide(&cost, NULL).mode == CPU_INLINE) {
            cpu_policy_note_inline(&cost, 2 * NS(LONG));
            asleep = true;
            continue;
        }
        cpu_policy_note_parallel(&cost, 2 * NS(LONG), asleep ? 3 * NS(LONG) : NS(LONG), true);
        asleep = false;
        parallel++;
    }
    ck_assert_uint_ge(parallel, MANY - 100);
}
END_TEST

/* --- polling --- */

enum { STEP = 1000, SPIN = 16000, FIRST = 1000000 };

/* Polls without success from `now` on, with a look every STEP. Returns how long it lasted. */
static uint64_t poll_without_success(cpu_spin *spin, uint64_t *now)
{
    uint64_t begin = *now;

    while (cpu_spin_continues(spin, *now))
        *now += STEP;
    return *now - begin;
}

START_TEST(a_poll_lasts_as_long_as_the_variable_says_and_no_longer)
{
    static const uint64_t spins[] = {0, STEP, SPIN, 200000, 1000000000};
    uint64_t now = FIRST;

    for (int i = 0; i < 5; ++i) {
        cpu_spin spin = cpu_spin_of(spins[i]);
        for (int turn = 0; turn < 3; ++turn)
            ck_assert_uint_eq(poll_without_success(&spin, &now), spins[i]);
    }
}
END_TEST

START_TEST(a_thread_that_may_not_poll_never_does)
{
    cpu_spin spin = cpu_spin_of(0);

    for (uint64_t now = FIRST; now < FIRST + 100; ++now) {
        ck_assert(!cpu_spin_continues(&spin, now));
        cpu_spin_restart(&spin);
    }
    ck_assert_uint_eq(spin.begin, 0);
}
END_TEST

START_TEST(a_sign_of_work_begins_another_poll)
{
    cpu_spin spin = cpu_spin_of(SPIN);
    uint64_t now = FIRST;

    for (int i = 0; i < 10; ++i) {
        ck_assert(cpu_spin_continues(&spin, now));
        ck_assert(cpu_spin_continues(&spin, now + SPIN - 1));
        cpu_spin_restart(&spin);
        now += SPIN;
    }
    ck_assert_uint_eq(poll_without_success(&spin, &now), SPIN);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_policy");

    add(suite, a_launch_that_is_over_at_once_never_runs_in_parallel_again);
    add(suite, the_faster_mode_is_found_whatever_the_first_chunk_makes_of_it);
    add(suite, one_interruption_changes_nothing);
    add(suite, a_long_launch_runs_in_parallel_and_inline_is_not_tried);
    add(suite, a_launch_that_became_long_runs_in_parallel_from_the_third_time_on);
    add(suite, a_long_launch_whose_first_blocks_do_little_runs_in_parallel);
    add(suite, launches_that_ran_in_the_other_mode_than_they_should_decide_nothing);
    add(suite, launches_that_lose_in_parallel_run_inline_for_a_time_in_proportion);
    add(suite, threads_that_fell_asleep_meanwhile_do_not_lose_for_ever);
    add(suite, a_poll_lasts_as_long_as_the_variable_says_and_no_longer);
    add(suite, a_thread_that_may_not_poll_never_does);
    add(suite, a_sign_of_work_begins_another_poll);
    return suite;
}
