/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers that count and vote tell every thread of the block the same. */
#include "../kernels/sync_predicates.h"
#include "trial.h"

static void check(trial *t)
{
    const int32_t m = (int32_t)trial_block_threads(t);
    const size_t count = trial_threads(t);
    sync_predicates_result *result = host_memory(count * sizeof *result);
    const sync_predicates_result expected = {.third = (m + 2) / 3, .all = 1, .one = 1};
    memset(result, 0xff, count * sizeof *result);
    sync_predicates_args args = {.result = trial_memory(t, result, count * sizeof *result)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.result, result, count * sizeof *result);
    for (size_t i = 0; i < count; ++i)
        trial_assert(t, memcmp(&result[i], &expected, sizeof expected) == 0,
                     "thread %zu: count %d of %d, %d of 0; and %d, %d; or %d, %d", i, result[i].third, expected.third,
                     result[i].nobody, result[i].all, result[i].not_all, result[i].one, result[i].none);
    free(result);
}

START_TEST(t1_barriers_that_count_and_vote_tell_all_threads_the_same)
{
    try_kernel("sync_predicates", TRIAL_SIZES(1), trial_line_shapes, check);
}
END_TEST

void sync_predicates_tests(Suite *suite)
{
    add(suite, t1_barriers_that_count_and_vote_tell_all_threads_the_same);
}
