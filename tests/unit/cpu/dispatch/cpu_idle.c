/* SPDX-License-Identifier: Apache-2.0 */
/* How long workers wait for the next launch, by made-up clocks: nothing is timed. */
#include "plugins/cpu/dispatch/idle.h"
#include "run.h"

enum { MICRO = 1000, SPIN = 20 * MICRO, STEP = 500, MANY = 1000, WORK = 10 * MICRO };

/* A worker, its clock, and what it did since the last reset. */
typedef struct worker {
    cpu_workers pool;
    cpu_idle idle;
    uint64_t now;
    uint64_t polled, napped;
    uint64_t slept, missed; /* launches that woke it, or found it napping */
} worker;

static void begin(worker *w)
{
    *w = (worker){.pool = {.spin_ns = SPIN, .may_wait = true}, .now = 1000000 * (uint64_t)MICRO};
    w->idle.workers = &w->pool;
    cpu_idle_begin(&w->idle, w->now);
}

static void reset(worker *w)
{
    w->polled = w->napped = w->slept = w->missed = 0;
}

/* A launch comes at `when`; the worker has work for so long. `hint`: what the pool says of the gap to one that it wakes. */
static void launch(worker *w, uint64_t when, uint64_t work, uint64_t hint)
{
    bool asleep = false, found = false;

    while (!asleep && !found) {
        cpu_idle_step step = cpu_idle_next(&w->idle, w->now);
        asleep = step == CPU_IDLE_SLEEP || (step == CPU_IDLE_NAP && w->idle.nap_end > when);
        if (step == CPU_IDLE_NAP && !asleep) {
            w->napped += w->idle.nap_end - w->now;
            w->now = w->idle.nap_end;
        } else if (!asleep) {
            found = w->now >= when;
            w->now += found ? 0 : STEP;
            w->polled += found ? 0 : STEP;
        }
        if (step == CPU_IDLE_NAP && asleep)
            w->missed++;
        if (step == CPU_IDLE_SLEEP)
            w->slept++;
    }
    if (asleep) {
        w->now = when > w->now ? when : w->now;
        atomic_store(&w->pool.gap, hint);
        cpu_idle_woken(&w->idle, w->now);
    } else {
        cpu_idle_found(&w->idle);
    }
    w->now += work;
    cpu_idle_begin(&w->idle, w->now);
}

/* Launches at the same intervals. */
static void launches(worker *w, size_t count, uint64_t gap, uint64_t work, uint64_t hint)
{
    for (size_t i = 0; i < count; ++i)
        launch(w, w->now + gap, work, hint);
}

/* Nothing is launched any more. Returns how long it polls. */
static uint64_t polls_in_vain(worker *w)
{
    uint64_t polled = 0;

    for (;;) {
        cpu_idle_step step = cpu_idle_next(&w->idle, w->now);
        if (step == CPU_IDLE_SLEEP)
            return polled;
        if (step == CPU_IDLE_NAP) {
            w->now = w->idle.nap_end;
            continue;
        }
        w->now += STEP;
        polled += STEP;
    }
}

START_TEST(a_worker_that_knows_no_gaps_polls_for_the_spin_and_sleeps)
{
    worker w;

    begin(&w);
    ck_assert_uint_eq(polls_in_vain(&w), SPIN);
    atomic_store(&w.pool.gap, 0); /* launches come too seldom */
    cpu_idle_woken(&w.idle, w.now);
    ck_assert_uint_eq(polls_in_vain(&w), SPIN);
}
END_TEST

START_TEST(gaps_of_the_same_length_are_waited_through)
{
    static const uint64_t gaps[] = {30 * MICRO, 100 * MICRO, 300 * MICRO, 1000 * MICRO, 10000 * MICRO};

    for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]); ++i) {
        worker w;
        begin(&w);
        launches(&w, 1, gaps[i], WORK, gaps[i]); /* wakes it */
        ck_assert_uint_eq(w.slept, 1);
        reset(&w);
        launches(&w, MANY, gaps[i], WORK, 0);
        ck_assert_uint_eq(w.slept + w.missed, 0);
        ck_assert_uint_le(w.polled, MANY * (gaps[i] - cpu_policy_nap(gaps[i]) + SPIN + STEP));
    }
}
END_TEST

START_TEST(gaps_that_vary_are_waited_through)
{
    worker w;

    begin(&w);
    launches(&w, 1, 300 * MICRO, WORK, 300 * MICRO);
    for (size_t i = 0; i < MANY; ++i)
        launches(&w, 1, i % 3 == 0 ? 100 * MICRO : i % 3 == 1 ? 250 * MICRO : 350 * MICRO, WORK, 0);
    ck_assert_uint_eq(w.slept, 1);
    ck_assert_uint_eq(w.missed, 0);
}
END_TEST

START_TEST(one_long_gap_among_others_costs_one_launch)
{
    worker w;

    begin(&w);
    launches(&w, 20, 300 * MICRO, WORK, 300 * MICRO);
    reset(&w);
    for (size_t i = 0; i < MANY; ++i)
        launches(&w, 1, i % 10 == 9 ? 10000 * MICRO : 300 * MICRO, WORK, 0);
    ck_assert_uint_eq(w.slept, MANY / 10);
    ck_assert_uint_eq(w.missed, 0);
}
END_TEST

START_TEST(a_poll_in_vain_takes_less_than_a_hundredth_of_a_tenth_of_a_second)
{
    for (uint64_t gap = SPIN; gap < CPU_POLICY_GAP_MAX_NS; gap += 10 * MICRO) {
        worker w;
        begin(&w);
        launches(&w, 20, gap, 4 * WORK, gap);
        ck_assert_uint_lt(polls_in_vain(&w), 1000 * MICRO);
    }
}
END_TEST

START_TEST(gaps_that_nobody_can_foresee_are_slept_through_without_long_polls)
{
    worker w;

    begin(&w);
    launches(&w, 20, 300 * MICRO, WORK, 300 * MICRO);
    reset(&w);
    launches(&w, MANY, 30000 * MICRO, WORK, 0);
    ck_assert_uint_eq(w.slept, MANY);
    ck_assert_uint_le(w.polled, MANY * SPIN + 4 * CPU_POLICY_POLL_NS); /* until it does not expect any */
}
END_TEST

START_TEST(work_that_is_much_shorter_than_the_gap_is_not_waited_for)
{
    worker w;

    begin(&w);
    launches(&w, MANY, 1000 * MICRO, MICRO, 0);
    ck_assert_uint_eq(w.slept, MANY);
    launches(&w, 1, 1000 * MICRO, MICRO, 1000 * MICRO); /* woken for launches that were longer */
    reset(&w);
    launches(&w, MANY, 1000 * MICRO, MICRO, 0);
    ck_assert_uint_ge(w.slept, MANY - CPU_POLICY_TRUST_WOKEN);
}
END_TEST

/* Another thread has the CPU for a time slice, while the worker polls. Returns the time that nobody polls long. */
static uint64_t lose_cpu(worker *w, uint64_t lost)
{
    w->now += 2 * SPIN;
    ck_assert(!cpu_idle_jumped(&w->idle, w->now));
    ck_assert_int_eq(cpu_idle_next(&w->idle, w->now), CPU_IDLE_YIELD);
    w->now += lost;
    ck_assert(cpu_idle_jumped(&w->idle, w->now));
    cpu_idle_lost_cpu(&w->idle, w->now);
    ck_assert_int_eq(cpu_idle_next(&w->idle, w->now), CPU_IDLE_SLEEP);
    return atomic_load(&w->pool.resumes) - w->now;
}

START_TEST(a_worker_that_lost_its_cpu_waits_no_longer_than_the_spin_for_a_while)
{
    enum { LOST = 3000 * MICRO };
    worker w;
    uint64_t pause = LOST;

    begin(&w);
    launches(&w, 20, 300 * MICRO, WORK, 300 * MICRO);
    for (int turn = 0; turn < 10; ++turn) {
        ck_assert_uint_eq(lose_cpu(&w, LOST), pause);
        pause = pause < (uint64_t)CPU_POLICY_PAUSE_MAX * LOST ? 2 * pause : pause;
        reset(&w);
        launches(&w, 2, 300 * MICRO, WORK, 300 * MICRO);
        ck_assert_uint_eq(w.slept, 2);
        ck_assert_uint_le(w.polled, 2 * (SPIN + STEP));
        w.now = atomic_load(&w.pool.resumes);
        launches(&w, 10, 300 * MICRO, WORK, 300 * MICRO);
    }
    w.now += 5 * pause; /* long after the last time it is for as long as the first time */
    cpu_idle_begin(&w.idle, w.now);
    ck_assert_uint_eq(lose_cpu(&w, LOST), LOST);
}
END_TEST

START_TEST(pauses_have_an_end)
{
    worker w;

    begin(&w);
    for (int i = 0; i < 40; ++i) {
        ck_assert_int_eq(cpu_idle_next(&w.idle, w.now), CPU_IDLE_POLL);
        w.now += 100 * 1000 * (uint64_t)MICRO;
        ck_assert(cpu_idle_jumped(&w.idle, w.now));
        cpu_idle_lost_cpu(&w.idle, w.now);
        cpu_idle_begin(&w.idle, w.now);
        ck_assert_uint_le(atomic_load(&w.pool.resumes) - w.now, CPU_POLICY_PAUSE_MAX_NS);
    }
}
END_TEST

START_TEST(a_worker_that_may_not_wait_polls_for_the_spin_only)
{
    worker w;

    begin(&w);
    w.pool.may_wait = false; /* more threads than CPUs */
    launches(&w, 20, 100 * MICRO, WORK, 100 * MICRO);
    ck_assert_uint_eq(w.slept, 20);
    ck_assert_uint_eq(polls_in_vain(&w), SPIN);
    w.pool.spin_ns = 0;
    launches(&w, 20, 100 * MICRO, WORK, 100 * MICRO);
    ck_assert_uint_eq(polls_in_vain(&w), 0);
}
END_TEST

/* It came late, because its CPU slept, and found the next launch at once. */
START_TEST(launches_without_gaps_after_others_with_long_ones_are_not_slept_through)
{
    worker w;

    begin(&w);
    launches(&w, 20, 10000 * MICRO, WORK, 10000 * MICRO);
    launches(&w, 1, 0, WORK, 0);
    launches(&w, 1, 2 * SPIN, WORK, 1); /* it naps, and is woken for launches that follow each other at once */
    ck_assert_uint_eq(w.missed, 1);
    ck_assert_uint_eq(w.idle.nap, 0);
    ck_assert_uint_eq(polls_in_vain(&w), SPIN);
}
END_TEST

START_TEST(a_gap_much_shorter_than_usual_changes_nothing)
{
    worker w;

    begin(&w);
    launches(&w, 20, 1000 * MICRO, WORK, 1000 * MICRO);
    reset(&w);
    for (int i = 0; i < MANY; ++i)
        launches(&w, 1, i % 5 == 4 ? 30 * MICRO : 1000 * MICRO, WORK, 1000 * MICRO);
    ck_assert_uint_eq(w.slept, 0);
    ck_assert_uint_eq(w.missed, MANY / 5); /* it naps */
}
END_TEST

START_TEST(signs_of_work_that_others_get_do_not_end_the_wait)
{
    worker w;

    begin(&w);
    uint64_t first = w.idle.begin;
    for (int i = 0; i < 10; ++i) {
        w.now += SPIN - 1;
        ck_assert_int_eq(cpu_idle_next(&w.idle, w.now), CPU_IDLE_POLL);
        cpu_idle_found(&w.idle);
    }
    ck_assert_uint_eq(w.idle.begin, first);
    ck_assert_uint_eq(polls_in_vain(&w), SPIN);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_idle");

    add(suite, a_worker_that_knows_no_gaps_polls_for_the_spin_and_sleeps);
    add(suite, gaps_of_the_same_length_are_waited_through);
    add(suite, gaps_that_vary_are_waited_through);
    add(suite, one_long_gap_among_others_costs_one_launch);
    add(suite, a_poll_in_vain_takes_less_than_a_hundredth_of_a_tenth_of_a_second);
    add(suite, gaps_that_nobody_can_foresee_are_slept_through_without_long_polls);
    add(suite, work_that_is_much_shorter_than_the_gap_is_not_waited_for);
    add(suite, a_worker_that_lost_its_cpu_waits_no_longer_than_the_spin_for_a_while);
    add(suite, pauses_have_an_end);
    add(suite, a_worker_that_may_not_wait_polls_for_the_spin_only);
    add(suite, launches_without_gaps_after_others_with_long_ones_are_not_slept_through);
    add(suite, a_gap_much_shorter_than_usual_changes_nothing);
    add(suite, signs_of_work_that_others_get_do_not_end_the_wait);
    return suite;
}
