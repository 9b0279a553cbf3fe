/* SPDX-License-Identifier: Apache-2.0 */
/* How long threads of the CPU engine poll, told by clocks of the tests' own. */
#include "plugins/cpu/dispatch/patience.h"
#include "run.h"

enum { STEP = 1000, SPIN = 16000, FIRST = 1000000 };

/* Polls in vain from `now` on, with a look every STEP. Returns how long it lasted. */
static uint64_t poll_in_vain(cpu_patience *patience, uint64_t *now)
{
    uint64_t begin = *now;

    while (cpu_patience_lasts(patience, *now))
        *now += STEP;
    return *now - begin;
}

START_TEST(a_poll_lasts_as_long_as_the_variable_says_and_no_longer)
{
    static const uint64_t spins[] = {0, STEP, SPIN, 200000, 1000000000};
    uint64_t now = FIRST;

    for (int i = 0; i < 5; ++i) {
        cpu_patience patience = cpu_patience_of(spins[i]);
        ck_assert_uint_eq(poll_in_vain(&patience, &now), spins[i]);
    }
}
END_TEST

START_TEST(who_may_not_poll_never_begins_whatever_happens)
{
    cpu_patience patience = cpu_patience_of(0);

    for (uint64_t now = FIRST; now < FIRST + 100; ++now) {
        ck_assert(!cpu_patience_lasts(&patience, now));
        cpu_patience_renew(&patience);
        ck_assert(!cpu_patience_lasts(&patience, now));
        cpu_patience_restart(&patience);
    }
    ck_assert_uint_eq(patience.last, 0);
}
END_TEST

START_TEST(polls_in_vain_get_shorter_by_half_down_to_an_eighth_until_there_is_work)
{
    static const uint64_t expected[] = {SPIN, SPIN / 2, SPIN / 4, SPIN / 8, SPIN / 8, SPIN / 8};
    cpu_patience patience = cpu_patience_of(SPIN);
    uint64_t now = FIRST;

    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 6; ++i) {
            ck_assert_uint_eq(poll_in_vain(&patience, &now), expected[i]);
            now += 5 * SPIN; /* asleep: no sign of anything */
        }
        cpu_patience_renew(&patience);
    }
}
END_TEST

START_TEST(a_sign_of_work_begins_the_poll_anew_with_the_same_length)
{
    cpu_patience patience = cpu_patience_of(SPIN);
    uint64_t now = FIRST;

    poll_in_vain(&patience, &now);
    for (int i = 0; i < 10; ++i) {
        ck_assert(cpu_patience_lasts(&patience, now));
        ck_assert(cpu_patience_lasts(&patience, now + SPIN / 2 - 1));
        cpu_patience_restart(&patience);
        now += SPIN;
    }
    ck_assert_uint_eq(poll_in_vain(&patience, &now), SPIN / 2);
}
END_TEST

/* A poll between whose first two looks another thread has the CPU. Does it go on? */
static bool see_gap(cpu_patience *patience, uint64_t *now)
{
    ck_assert(cpu_patience_lasts(patience, *now));
    *now += CPU_PATIENCE_TAKEN_NS + 1;
    return cpu_patience_lasts(patience, *now);
}

START_TEST(a_poll_ends_at_once_when_the_cpu_was_taken_twice_and_none_begins_for_a_while)
{
    cpu_patience patience = cpu_patience_of(200000000);
    uint64_t now = FIRST;

    ck_assert(see_gap(&patience, &now));
    ck_assert(!see_gap(&patience, &now)); /* of 200 ms it used 40 us */
    for (uint64_t later = 0; later < CPU_PATIENCE_CROWDED_NS; later += CPU_PATIENCE_CROWDED_NS / 10) {
        ck_assert(!cpu_patience_lasts(&patience, now + later));
        cpu_patience_renew(&patience); /* work does not make it a machine with more CPUs */
    }
    now += CPU_PATIENCE_CROWDED_NS;
    ck_assert(see_gap(&patience, &now)); /* counted from the beginning */
    ck_assert(!see_gap(&patience, &now));
}
END_TEST

START_TEST(that_the_cpu_was_taken_once_or_with_work_in_between_is_no_sign)
{
    cpu_patience patience = cpu_patience_of(200000000);
    uint64_t now = FIRST;

    for (int i = 0; i < 10; ++i) {
        ck_assert(see_gap(&patience, &now));
        cpu_patience_renew(&patience);
    }
    for (int i = 0; i < 10; ++i) { /* as far apart as is still no gap */
        ck_assert(cpu_patience_lasts(&patience, now));
        now += CPU_PATIENCE_TAKEN_NS;
    }
}
END_TEST

START_TEST(gaps_of_polls_in_a_row_add_up)
{
    cpu_patience patience = cpu_patience_of(SPIN); /* shorter than a gap: each poll sees one at most */
    uint64_t now = FIRST;

    ck_assert(!see_gap(&patience, &now));
    ck_assert_uint_eq(patience.crowded_until, 0);
    ck_assert(!see_gap(&patience, &now));
    ck_assert_uint_eq(patience.crowded_until, now + CPU_PATIENCE_CROWDED_NS);
    ck_assert(!cpu_patience_lasts(&patience, now + SPIN));
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_patience");

    add(suite, a_poll_lasts_as_long_as_the_variable_says_and_no_longer);
    add(suite, who_may_not_poll_never_begins_whatever_happens);
    add(suite, polls_in_vain_get_shorter_by_half_down_to_an_eighth_until_there_is_work);
    add(suite, a_sign_of_work_begins_the_poll_anew_with_the_same_length);
    add(suite, a_poll_ends_at_once_when_the_cpu_was_taken_twice_and_none_begins_for_a_while);
    add(suite, that_the_cpu_was_taken_once_or_with_work_in_between_is_no_sign);
    add(suite, gaps_of_polls_in_a_row_add_up);
    return suite;
}
