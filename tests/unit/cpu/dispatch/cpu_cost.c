/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches are shared out, as cost.h decides from what they took. Ticks are made up: nothing is timed. */
#include "plugins/cpu/dispatch/cost.h"
#include "run.h"

enum { MANY = 100000 };

/* A machine on which a launch takes so many ticks. Right after the other way it takes `moving` more: its data is elsewhere. */
typedef struct machine {
    uint64_t alone, shared, moving, estimate; /* what the first part of a shared launch makes of it */
    uint32_t before;
    size_t since; /* launches since the way changed */
    size_t runs[2];
    uint64_t late_every, late; /* every so many launches one is interrupted for so long; 0: none */
} machine;

static cpu_cost unknown(void)
{
    return (cpu_cost){CPU_COST_UNKNOWN};
}

static void launch(machine *m, cpu_cost *cost)
{
    uint32_t how = cpu_cost_is_alone(cost) ? CPU_ALONE : CPU_SHARED;
    uint64_t took = how == CPU_ALONE ? m->alone : m->shared;

    m->since = how == m->before ? m->since + 1 : 0;
    m->before = how;
    if (m->since < 2)
        took += m->moving;
    if (m->late_every != 0 && (m->runs[0] + m->runs[1]) % m->late_every == m->late_every - 1)
        took += m->late;
    m->runs[how]++;
    cpu_cost_note(cost, how, how == CPU_ALONE ? took : m->estimate, took);
}

static void run(machine *m, cpu_cost *cost, size_t launches)
{
    m->runs[0] = m->runs[1] = 0;
    for (size_t i = 0; i < launches; ++i)
        launch(m, cost);
}

START_TEST(what_is_over_at_once_is_never_shared_out_again)
{
    cpu_cost cost = unknown();
    machine m = {.alone = CPU_COST_TINY, .shared = CPU_TICKS_OF_NS(600), .estimate = CPU_COST_TINY};

    ck_assert(!cpu_cost_is_alone(&cost));
    run(&m, &cost, MANY);
    ck_assert_uint_le(m.runs[CPU_SHARED], 2);
}
END_TEST

/* A shared launch finds half of its data in the other CPU's caches if it did not find a way yet: first parts take five times
 * what they would take alone. */
START_TEST(the_cheaper_way_is_found_whatever_the_first_part_makes_of_it)
{
    static const uint64_t estimates[] = {CPU_TICKS_OF_NS(260), CPU_TICKS_OF_NS(1500), CPU_TICKS_OF_NS(3900)};

    for (size_t i = 0; i < sizeof(estimates) / sizeof(estimates[0]); ++i) {
        cpu_cost cost = unknown();
        machine m = {.alone = CPU_TICKS_OF_NS(300),
                     .shared = CPU_TICKS_OF_NS(900),
                     .moving = CPU_TICKS_OF_NS(1000),
                     .estimate = estimates[i]};

        run(&m, &cost, MANY);
        ck_assert_uint_le(m.runs[CPU_SHARED], MANY / 100);
        m.alone = CPU_TICKS_OF_NS(1500);
        run(&m, &cost, 2 * CPU_COST_STINT_MAX + MANY);
        ck_assert(!cpu_cost_is_alone(&cost) || cost.trial);
        run(&m, &cost, MANY);
        ck_assert_uint_le(m.runs[CPU_ALONE], MANY / 100);
    }
}
END_TEST

START_TEST(one_interruption_changes_nothing)
{
    cpu_cost cost = unknown();
    machine m = {.alone = CPU_TICKS_OF_NS(300),
                 .shared = CPU_TICKS_OF_NS(900),
                 .estimate = CPU_TICKS_OF_NS(500),
                 .late_every = 50,
                 .late = 1000 * CPU_COST_LONG};

    run(&m, &cost, MANY);
    ck_assert_uint_le(m.runs[CPU_SHARED], MANY / 50);
    m.alone = CPU_TICKS_OF_NS(900);
    m.shared = CPU_TICKS_OF_NS(300);
    run(&m, &cost, 2 * CPU_COST_STINT_MAX);
    run(&m, &cost, MANY);
    ck_assert_uint_le(m.runs[CPU_ALONE], MANY / 50);
}
END_TEST

START_TEST(what_takes_long_is_shared_out_and_nothing_else_is_tried)
{
    cpu_cost cost = unknown();
    machine m = {.alone = 2 * CPU_COST_LONG, .shared = 3 * CPU_COST_LONG, .estimate = 2 * CPU_COST_LONG};

    run(&m, &cost, MANY);
    ck_assert_uint_eq(m.runs[CPU_ALONE], 0);
}
END_TEST

/* As of kernels that have more to do from some launch on. */
START_TEST(what_became_long_is_shared_out_from_the_second_time_on)
{
    cpu_cost cost = unknown();
    machine m = {.alone = 10, .shared = CPU_TICKS_OF_NS(500), .estimate = 10};

    run(&m, &cost, 10);
    ck_assert(cpu_cost_is_alone(&cost));
    m.alone = m.estimate = 100 * CPU_COST_LONG;
    run(&m, &cost, MANY);
    ck_assert_uint_eq(m.runs[CPU_ALONE], CPU_COST_LONGER);
}
END_TEST

START_TEST(launches_that_could_not_be_run_as_they_should_decide_nothing)
{
    cpu_cost cost = unknown();

    for (int i = 0; i < MANY; ++i) /* all workers are asleep */
        cpu_cost_note(&cost, CPU_ALONE, CPU_TICKS_OF_NS(500), CPU_TICKS_OF_NS(500));
    ck_assert(!cpu_cost_is_alone(&cost));
    ck_assert_uint_eq(cost.ticks, CPU_TICKS_OF_NS(500));
    for (int i = 0; i < MANY; ++i) /* part of it had been done before */
        cpu_cost_note(&cost, CPU_SHARED, CPU_TICKS_OF_NS(500), 0);
    ck_assert(!cpu_cost_is_alone(&cost));
}
END_TEST

START_TEST(hand_outs_that_lose_are_made_seldom_until_one_wins)
{
    cpu_cost cost = unknown();
    uint32_t alone = 0;

    for (int i = 0; i < 100; ++i) {
        cpu_cost_compare(&cost, 200, 100);
        ck_assert_uint_eq(cost.alone, 0);
        cpu_cost_compare(&cost, 200, 100);
        ck_assert_uint_ge(cost.alone, 2);
        ck_assert_uint_ge(cost.alone, alone);
        alone = cost.alone;
    }
    ck_assert_uint_eq(alone, 1u << CPU_COST_LOSSES_MAX / 2);
    cpu_cost_compare(&cost, 100, 100);
    ck_assert_uint_eq(cost.alone, 0);
    ck_assert_uint_eq(cost.losses, 0);
}
END_TEST

/* Of a hand-out the threads awake; of two in a row the second one wins. */
START_TEST(threads_that_fell_asleep_meanwhile_do_not_lose_for_ever)
{
    cpu_cost cost = unknown();
    bool asleep = true;
    size_t shared = 0;

    for (int i = 0; i < 6; ++i)
        cpu_cost_compare(&cost, 200, 100);
    ck_assert_uint_ge(cost.alone, 2);
    for (int i = 0; i < MANY; ++i) {
        if (cost.alone != 0) {
            cost.alone--;
            asleep = true;
            continue;
        }
        cpu_cost_compare(&cost, asleep ? 200 : 60, 100);
        asleep = false;
        shared++;
    }
    ck_assert_uint_ge(shared, MANY - 100);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_cost");

    add(suite, what_is_over_at_once_is_never_shared_out_again);
    add(suite, the_cheaper_way_is_found_whatever_the_first_part_makes_of_it);
    add(suite, one_interruption_changes_nothing);
    add(suite, what_takes_long_is_shared_out_and_nothing_else_is_tried);
    add(suite, what_became_long_is_shared_out_from_the_second_time_on);
    add(suite, launches_that_could_not_be_run_as_they_should_decide_nothing);
    add(suite, hand_outs_that_lose_are_made_seldom_until_one_wins);
    add(suite, threads_that_fell_asleep_meanwhile_do_not_lose_for_ever);
    return suite;
}
