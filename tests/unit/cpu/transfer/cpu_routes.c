/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of a machine of made-up times: which route do they take? */
#include "plugins/cpu/transfer/routes.h"
#include "run.h"

#include <string.h>

enum { MIB = 1 << 20, KEPT = 24 * MIB, LEAST = 2 * MIB, FILL = 0, OTHER = 2 };

static uint64_t through_ns, past_ns;
static cpu_routes routes;

static void start(uint64_t through, uint64_t past)
{
    memset(&routes, 0, sizeof(routes));
    through_ns = through;
    past_ns = past;
}

static bool transfer(size_t bytes, uint64_t interruption)
{
    cpu_route route = cpu_routes_choose(&routes, FILL, bytes, KEPT, LEAST);
    if (route.counts)
        cpu_routes_took(&routes, route, bytes, (route.past_caches ? past_ns : through_ns) + interruption);
    return route.past_caches;
}

static int past_of(int count, size_t bytes)
{
    int past = 0;
    for (int i = 0; i < count; ++i)
        past += transfer(bytes, 0);
    return past;
}

START_TEST(the_faster_route_is_taken_whatever_was_expected)
{
    start(100000, 300000);
    past_of(64, 32 * (size_t)MIB); /* more than what is kept */
    ck_assert_int_le(past_of(1000, 32 * (size_t)MIB), 8);
    start(300000, 100000);
    past_of(64, 8 * (size_t)MIB);
    ck_assert_int_ge(past_of(1000, 8 * (size_t)MIB), 992);
}
END_TEST

START_TEST(the_expected_route_is_first)
{
    start(100000, 100000);
    ck_assert(!transfer(8 * (size_t)MIB, 0));
    ck_assert(transfer(32 * (size_t)MIB, 0));
}
END_TEST

START_TEST(small_and_huge_transfers_are_not_tried)
{
    start(1000000, 1);
    ck_assert_int_eq(past_of(1000, LEAST), 0);
    start(1, 1000000);
    ck_assert_int_eq(past_of(1000, (size_t)KEPT * 16), 1000);
}
END_TEST

START_TEST(a_little_faster_is_not_enough_to_leave_the_caches)
{
    start(100000, 95000);
    past_of(64, 8 * (size_t)MIB);
    ck_assert_int_le(past_of(256, 8 * (size_t)MIB), 6); /* two trials */
}
END_TEST

/* What is copied is read: past the caches that waits for memory. */
START_TEST(a_quarter_faster_is_not_enough_either)
{
    start(100000, 75000);
    past_of(64, 8 * (size_t)MIB);
    ck_assert_int_le(past_of(256, 8 * (size_t)MIB), 4);
    start(100000, 65000);
    past_of(64, 8 * (size_t)MIB);
    ck_assert_int_ge(past_of(256, 8 * (size_t)MIB), 250);
}
END_TEST

/* The first uses of a route find what the other has left: through the caches two of them, past them one. */
START_TEST(a_trial_lasts_until_a_route_has_its_speed)
{
    int uses = 0;
    bool before = false;
    start(100000, 60000);
    const uint64_t steady[2] = {through_ns, past_ns};
    int past = 0;
    for (int i = 0; i < 600; ++i) {
        cpu_route route = cpu_routes_choose(&routes, FILL, 8 * (size_t)MIB, KEPT, LEAST);
        uses = route.past_caches == before ? uses + 1 : 1;
        before = route.past_caches;
        const bool slow = uses <= (before ? 1 : 2);
        if (route.counts)
            cpu_routes_took(&routes, route, 8 * (size_t)MIB, slow ? 200000 : steady[before]);
        past += i >= 64 && before;
    }
    ck_assert_int_ge(past, 525); /* of 536 */
}
END_TEST

START_TEST(new_memory_and_interruptions_are_forgotten)
{
    start(100000, 300000);
    for (int i = 0; i < 8; ++i) /* pages are made */
        transfer(8 * (size_t)MIB, 2000000);
    past_of(120, 8 * (size_t)MIB);
    ck_assert_int_le(past_of(256, 8 * (size_t)MIB), 4);
    for (int i = 0; i < 256; ++i)
        transfer(8 * (size_t)MIB, i % 16 == 0 ? 1000000 : 0);
    ck_assert_int_le(past_of(256, 8 * (size_t)MIB), 4);
}
END_TEST

START_TEST(a_machine_that_changes_is_noticed)
{
    start(100000, 150000);
    past_of(1000, 8 * (size_t)MIB);
    through_ns = 400000; /* others use the third level now */
    past_of(300, 8 * (size_t)MIB);
    ck_assert_int_ge(past_of(256, 8 * (size_t)MIB), 252);
}
END_TEST

START_TEST(sizes_and_kinds_are_learnt_apart)
{
    start(100000, 300000);
    past_of(64, 8 * (size_t)MIB);
    ck_assert(transfer(48 * (size_t)MIB, 0)); /* as expected: nothing is known of it */
    ck_assert(cpu_routes_choose(&routes, OTHER, 32 * (size_t)MIB, KEPT, LEAST).past_caches);
    for (size_t bytes = 1; bytes < (size_t)1 << 40; bytes += bytes / 3 + 1) /* and each size has a place */
        transfer(bytes, 0);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_routes");

    add(suite, the_faster_route_is_taken_whatever_was_expected);
    add(suite, the_expected_route_is_first);
    add(suite, small_and_huge_transfers_are_not_tried);
    add(suite, a_little_faster_is_not_enough_to_leave_the_caches);
    add(suite, a_quarter_faster_is_not_enough_either);
    add(suite, a_trial_lasts_until_a_route_has_its_speed);
    add(suite, new_memory_and_interruptions_are_forgotten);
    add(suite, a_machine_that_changes_is_noticed);
    add(suite, sizes_and_kinds_are_learnt_apart);
    return suite;
}
