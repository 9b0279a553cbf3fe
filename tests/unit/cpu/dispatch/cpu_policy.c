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

/* As a kernel whose parameters say whether there is anything to do. Of so few blocks none is timed by itself, and few of the
 * tiny launches are timed. */
START_TEST(long_launches_among_tiny_ones_run_in_parallel)
{
    for (size_t every = 2; every <= CPU_POLICY_WARY_LAUNCHES; every *= 4) {
        cpu_cost cost = unknown();
        size_t inlined = 0;
        for (size_t i = 0; i < every * MANY; ++i) {
            bool is_long = i % every == every - 1;
            uint64_t ticks = is_long ? 100 * NS(LONG) : 10;
            if (cpu_policy_is_untimed(&cost, 2)) {
                inlined += is_long;
            } else if (cpu_policy_decide(&cost, NULL).mode == CPU_INLINE) {
                cpu_policy_note_inline(&cost, ticks);
                inlined += is_long;
            } else {
                cpu_policy_note_parallel(&cost, ticks, is_long ? ticks / 2 : NS(500), true);
            }
        }
        ck_assert_uint_le(inlined, MANY / 4);
    }
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

/* As one that runs on its caller because the worker came too late. */
START_TEST(launches_that_lose_next_to_nothing_go_on_in_parallel)
{
    cpu_cost cost = unknown();

    for (int i = 0; i < MANY; ++i) {
        ck_assert_int_eq(cpu_policy_decide(&cost, NULL).mode, CPU_PARALLEL);
        cpu_policy_note_parallel(&cost, 10 * NS(LONG), 11 * NS(LONG), true);
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

/* After each change of mode launches lose for a while, because their data is in the other thread's caches. */
START_TEST(launches_that_lose_until_their_data_has_moved_go_on_in_parallel)
{
    cpu_cost cost = unknown();
    const uint64_t loss = NS(CPU_POLICY_MOVE_NS) - 1;
    size_t parallel = 0;

    for (size_t i = 0, since = 0; i < MANY; ++i) {
        if (cpu_policy_decide(&cost, NULL).mode == CPU_INLINE) {
            cpu_policy_note_inline(&cost, 2 * NS(LONG));
            since = 0;
            continue;
        }
        const bool moves = since++ < CPU_POLICY_SETTLE_LAUNCHES - 1;
        cpu_policy_note_parallel(&cost, 2 * NS(LONG), moves ? 2 * NS(LONG) + loss : NS(LONG), true);
        parallel++;
    }
    ck_assert_uint_eq(parallel, MANY);
}
END_TEST

/* Others keep the CPUs for so short that data might move instead. */
START_TEST(launches_that_lose_little_for_ever_run_inline_most_of_the_time)
{
    static const uint64_t losses[] = {NS(LONG), 4 * NS(LONG), NS(CPU_POLICY_MOVE_NS) - 1};

    for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); ++i) {
        cpu_cost cost = unknown();
        machine m = {.inlined = 2 * NS(LONG), .parallel = 2 * NS(LONG) + losses[i], .estimate = 2 * NS(LONG)};
        run(&m, &cost, MANY);
        ck_assert_uint_le(m.runs[CPU_PARALLEL] * losses[i], m.runs[CPU_INLINE] * m.inlined / 4);
    }
}
END_TEST

/* Two looks at the clock take as long as a tiny launch of two blocks. */
START_TEST(ten_microseconds_of_work_are_worth_stealing)
{
    enum { BLOCKS = 100 };
    cpu_cost cost = {CPU_COST_UNKNOWN};

    ck_assert_uint_eq(cpu_policy_worth_stealing(&cost, BLOCKS, 1), CPU_STEAL_LEAST);
    cost.ticks = BLOCKS * CPU_TICKS_OF_NS(1000); /* 1 us each */
    ck_assert_uint_eq(cpu_policy_worth_stealing(&cost, BLOCKS, 1), 10);
    ck_assert_uint_eq(cpu_policy_worth_stealing(&cost, BLOCKS, 2), 5);
    cost.ticks = BLOCKS * CPU_TICKS_OF_NS(1000000);
    ck_assert_uint_eq(cpu_policy_worth_stealing(&cost, BLOCKS, 1), CPU_STEAL_LEAST);
    cost.ticks = 0;
    ck_assert_uint_gt(cpu_policy_worth_stealing(&cost, BLOCKS, 1), BLOCKS);
}
END_TEST

START_TEST(few_of_the_tiny_launches_are_timed_at_intervals_that_differ)
{
    cpu_cost cost = unknown();
    size_t timed = 0, least = SIZE_MAX, most = 0;

    ck_assert(!cpu_policy_is_untimed(&cost, 2));
    cpu_policy_note_parallel(&cost, 10, 10, true);
    ck_assert_int_eq(cost.mode, CPU_INLINE);
    for (size_t i = 0, since = 0; i < MANY; ++i) {
        if (timed == CPU_POLICY_CALM_LAUNCHES) /* until then few are left out */
            ck_assert_uint_eq(most, (1 << CPU_POLICY_UNTIMED_BITS) - 1);
        ck_assert(!cpu_policy_is_untimed(&cost, CPU_POLICY_PROBED_BLOCKS));
        if (cpu_policy_is_untimed(&cost, 2)) {
            since++;
            continue;
        }
        cpu_policy_note_inline(&cost, NS(CPU_POLICY_INLINE_NS));
        least = since < least ? since : least;
        most = since > most ? since : most;
        since = 0;
        timed++;
    }
    ck_assert_uint_lt(timed, MANY / 28);
    ck_assert_uint_eq(least, 0);
    ck_assert_uint_eq(most, (1 << CPU_POLICY_UNTIMED_BITS_MAX) - 1);
    for (size_t i = 0; i < CPU_POLICY_OVERRUN_LAUNCHES; ++i) { /* and then it is long */
        for (size_t left = most; cpu_policy_is_untimed(&cost, 2); --left)
            ck_assert_uint_gt(left, 0);
        cpu_policy_note_inline(&cost, 2 * NS(LONG));
        ck_assert(!cpu_policy_is_untimed(&cost, 2));
    }
    ck_assert_int_eq(cost.mode, CPU_PARALLEL);
    ck_assert_uint_eq(cost.calm, 0); /* and all begins again */
}
END_TEST

/* A thread of the system takes the other CPU for two milliseconds now and then. */
START_TEST(a_trial_that_an_interruption_decided_is_soon_repeated)
{
    cpu_cost cost = unknown();
    machine m = {.inlined = NS(2000), .parallel = NS(1300), .estimate = NS(2000)};

    run(&m, &cost, MANY);
    ck_assert_uint_eq(cost.interval, CPU_POLICY_INTERVAL_LAUNCHES);
    for (m.parallel = NS(2100); cost.mode != CPU_INLINE || cost.trial;)
        launch(&m, &cost);
    m.parallel = NS(1300);
    run(&m, &cost, CPU_POLICY_DOUBT_LAUNCHES + 2 * (CPU_POLICY_SETTLE_LAUNCHES + CPU_POLICY_SAMPLE_LAUNCHES));
    ck_assert_int_eq(cost.mode, CPU_PARALLEL);
    ck_assert_uint_le(m.runs[CPU_INLINE], CPU_POLICY_DOUBT_LAUNCHES);
}
END_TEST

/* --- waking --- */

/* Whoever was woken comes after tens of launches of a microsecond: a trial would be over by then. */
START_TEST(short_launches_run_inline_until_somebody_comes_and_are_no_samples)
{
    cpu_workers workers = {.asleep = 1, .arriving = 2, .running = 3};
    cpu_cost cost = unknown();

    ck_assert_int_eq(cpu_policy_decide(&cost, &workers).mode, CPU_PARALLEL); /* it may be long */
    cpu_policy_note_parallel(&cost, NS(1000), NS(1000), true);
    for (int i = 0; i < MANY; ++i) {
        cpu_decision decision = cpu_policy_decide(&cost, &workers);
        ck_assert_int_eq(decision.mode, CPU_INLINE);
        ck_assert_uint_eq(decision.limit, 2 * NS(1000));
        cpu_policy_note_inline(&cost, NS(1000));
    }
    ck_assert_uint_eq(cost.left, CPU_POLICY_SAMPLE_LAUNCHES - 1);
    atomic_store(&workers.arriving, 1); /* one of the two is there */
    ck_assert_int_eq(cpu_policy_decide(&cost, &workers).mode, CPU_PARALLEL);
    atomic_store(&workers.arriving, 2);
    cpu_policy_note_inline(&cost, 2 * NS(LONG));
    ck_assert_int_eq(cpu_policy_decide(&cost, &workers).mode, CPU_PARALLEL);
}
END_TEST

enum { SPIN_NS = 20000, MICRO = 1000 };

/* Launches of this length, each so long after the end of the one before, that all find the workers asleep. Returns how many of
 * a thousand wake one. */
static int wakes(cpu_workers *workers, uint64_t length, uint64_t gap, uint64_t *now)
{
    int count = 0;

    for (int i = 0; i < 1000; ++i) {
        count += cpu_policy_is_worth_waking(workers, NS(length), *now);
        *now += length + gap;
    }
    return count;
}

static cpu_workers asleep(bool may_wait)
{
    return (cpu_workers){.asleep = 1, .running = 1, .spin_ns = SPIN_NS, .may_wait = may_wait};
}

START_TEST(a_long_launch_wakes_a_worker_and_a_short_one_does_not)
{
    cpu_workers workers = asleep(true);
    uint64_t now = 1;

    ck_assert(cpu_policy_is_worth_waking(&workers, UINT64_MAX, now)); /* of unknown length */
    ck_assert_int_eq(wakes(&workers, CPU_POLICY_WAKE_NS, CPU_POLICY_GAP_MAX_NS, &now), 1000);
    now += 10 * (uint64_t)CPU_POLICY_GAP_MAX_NS;
    ck_assert_int_eq(wakes(&workers, CPU_POLICY_WAKE_NS - 1, CPU_POLICY_GAP_MAX_NS, &now), 0);
    ck_assert_uint_eq(atomic_load(&workers.gap), 0);
}
END_TEST

START_TEST(launches_that_follow_each_other_wake_a_worker_when_they_would_have_gained_as_much)
{
    static const uint64_t gaps[] = {0, 30 * MICRO, 300 * MICRO, 1000 * MICRO, 10000 * MICRO};

    for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]); ++i) {
        cpu_workers workers = asleep(true);
        uint64_t now = CPU_POLICY_GAP_NS;
        ck_assert_int_ge(wakes(&workers, 25 * MICRO, gaps[i], &now), 1000 / 3 - 1);
        ck_assert_uint_eq(atomic_load(&workers.gap), gaps[i] != 0 ? gaps[i] : 1);
    }
}
END_TEST

START_TEST(gaps_that_no_worker_waits_through_wake_none)
{
    uint64_t now = CPU_POLICY_GAP_MAX_NS;
    cpu_workers workers = asleep(true), crowded = asleep(true), more = asleep(false), uneven = asleep(true);

    ck_assert_int_eq(wakes(&workers, 25 * MICRO, CPU_POLICY_GAP_MAX_NS, &now), 0);
    ck_assert_int_eq(wakes(&workers, MICRO, 100 * MICRO, &now),
                     0); /* it would poll a hundred times as long as it works */
    ck_assert_int_gt(wakes(&workers, MICRO, 60 * MICRO, &now), 0);
    ck_assert_int_eq(wakes(&more, 25 * MICRO, 30 * MICRO, &now), 0);
    ck_assert_int_gt(wakes(&more, 25 * MICRO, SPIN_NS / 2, &now), 0);
    atomic_store(&crowded.resumes, UINT64_MAX);
    ck_assert_int_eq(wakes(&crowded, 25 * MICRO, 30 * MICRO, &now), 0);
    atomic_store(&crowded.resumes, now);
    ck_assert_int_gt(wakes(&crowded, 25 * MICRO, 30 * MICRO, &now), 0);
    for (uint64_t gap = 2 * CPU_POLICY_GAP_NS; gap < CPU_POLICY_GAP_MAX_NS; gap += CPU_POLICY_GAP_NS) {
        ck_assert(!cpu_policy_is_worth_waking(&uneven, NS(70 * MICRO), now));
        now += gap;
    }
}
END_TEST

START_TEST(a_nap_ends_well_before_the_gap)
{
    for (uint64_t gap = 0; gap < CPU_POLICY_GAP_MAX_NS; gap += 10 * MICRO) {
        uint64_t nap = cpu_policy_nap(gap);
        ck_assert(nap == 0 || (nap >= CPU_POLICY_NAP_NS && nap + CPU_POLICY_LEAD_LONG_NS <= gap));
        ck_assert_uint_lt(gap - nap, CPU_POLICY_POLL_NS); /* the poll reaches the gap's end */
    }
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
    add(suite, long_launches_among_tiny_ones_run_in_parallel);
    add(suite, a_long_launch_whose_first_blocks_do_little_runs_in_parallel);
    add(suite, launches_that_ran_in_the_other_mode_than_they_should_decide_nothing);
    add(suite, launches_that_lose_in_parallel_run_inline_for_a_time_in_proportion);
    add(suite, launches_that_lose_next_to_nothing_go_on_in_parallel);
    add(suite, threads_that_fell_asleep_meanwhile_do_not_lose_for_ever);
    add(suite, launches_that_lose_until_their_data_has_moved_go_on_in_parallel);
    add(suite, launches_that_lose_little_for_ever_run_inline_most_of_the_time);
    add(suite, ten_microseconds_of_work_are_worth_stealing);
    add(suite, few_of_the_tiny_launches_are_timed_at_intervals_that_differ);
    add(suite, a_trial_that_an_interruption_decided_is_soon_repeated);
    add(suite, short_launches_run_inline_until_somebody_comes_and_are_no_samples);
    add(suite, a_long_launch_wakes_a_worker_and_a_short_one_does_not);
    add(suite, launches_that_follow_each_other_wake_a_worker_when_they_would_have_gained_as_much);
    add(suite, gaps_that_no_worker_waits_through_wake_none);
    add(suite, a_nap_ends_well_before_the_gap);
    add(suite, a_poll_lasts_as_long_as_the_variable_says_and_no_longer);
    add(suite, a_thread_that_may_not_poll_never_does);
    add(suite, a_sign_of_work_begins_another_poll);
    return suite;
}
