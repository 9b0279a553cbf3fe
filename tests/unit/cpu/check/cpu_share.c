/* SPDX-License-Identifier: Apache-2.0 */
/* Which blocks of launches are looked at closely. */
#include "plugins/cpu/check/share.h"
#include "run.h"

enum { BLOCKS = 100 };

static const accel_descriptor one = {.name = "one"}, other = {.name = "other"};

/* Launches it, and counts the blocks that are looked at; `times`: how often each was, or NULL. */
static size_t launch(const accel_descriptor *kernel, size_t blocks, unsigned times[])
{
    size_t count = 0;
    check_share_launch(kernel, blocks);
    for (size_t block = 0; block < blocks; ++block) {
        const bool has = check_share_has(block);
        count += has;
        if (times != NULL)
            times[block] += has;
    }
    return count;
}

START_TEST(without_a_share_all_blocks_are_looked_at)
{
    check_share_choose(1);
    for (size_t blocks = 1; blocks < 5; ++blocks)
        ck_assert_uint_eq(launch(&one, blocks, NULL), blocks);
}
END_TEST

START_TEST(the_first_launch_of_each_kernel_begins_with_two_blocks_of_the_share)
{
    unsigned times[BLOCKS] = {0};
    check_share_choose(100);
    ck_assert_uint_eq(launch(&one, BLOCKS, times), 2);
    ck_assert_uint_eq(times[0], 1);
    ck_assert_uint_eq(times[1], 1);
    ck_assert_uint_eq(launch(&other, BLOCKS, NULL), 2);
    ck_assert_uint_eq(launch(&one, BLOCKS, NULL), 0);
}
END_TEST

START_TEST(of_n_blocks_one_is_in_the_share_whatever_launches_they_are_of)
{
    static const size_t shares[] = {2, 3, 10, 100, 1000}, lengths[] = {1, 2, 7, 64, 1000};
    for (size_t s = 0; s < sizeof shares / sizeof shares[0]; ++s)
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; ++l) {
            size_t count = 0;
            check_share_choose(shares[s]);
            /* Two blocks of an odd launch are a pair too, of which one is missing. */
            const size_t pairs = lengths[l] / 2 + lengths[l] % 2, launches = 10 * shares[s];
            for (size_t i = 0; i < launches; ++i)
                count += launch(&one, lengths[l], NULL);
            ck_assert_uint_le(count, 2 * 10 * pairs);
            ck_assert_uint_ge(count, 10 * pairs);
        }
}
END_TEST

START_TEST(over_the_launches_of_a_kernel_each_block_has_its_turn)
{
    unsigned times[BLOCKS] = {0};
    check_share_choose(100);
    for (int i = 0; i < 200; ++i)
        (void)launch(&one, BLOCKS, times);
    for (size_t block = 0; block < BLOCKS; ++block)
        ck_assert_uint_eq(times[block], 2);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_share");

    add(suite, without_a_share_all_blocks_are_looked_at);
    add(suite, the_first_launch_of_each_kernel_begins_with_two_blocks_of_the_share);
    add(suite, of_n_blocks_one_is_in_the_share_whatever_launches_they_are_of);
    add(suite, over_the_launches_of_a_kernel_each_block_has_its_turn);
    return suite;
}
