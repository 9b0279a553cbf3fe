/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that return early are not waited for; block kernels return as a whole. */
#include "../kernels/early_return.h"
#include "trial.h"

/* The values are early_return.k.c's. */
static void check(trial *t, bool whole_blocks)
{
    const size_t blocks = trial_blocks(t), m = trial_block_threads(t), count = trial_threads(t);
    uint32_t *out = host_memory(count * sizeof *out), *sum = host_memory(blocks * sizeof *sum);
    early_return_args args = {.out = trial_memory(t, NULL, count * sizeof *out),
                              .sum = trial_memory(t, NULL, blocks * sizeof *sum)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.out, out, count * sizeof *out);
    trial_read(t, args.sum, sum, blocks * sizeof *sum);
    for (size_t i = 0; i < count; ++i) {
        uint32_t by_thread = i % m % 9 == 0 ? 3 : i % m % 3 == 0 ? 2 : 1, by_block = i / m % 2 == 0 ? 4 : 0;
        trial_words_equal(t, i, out[i], whole_blocks ? by_block : by_thread);
    }
    for (size_t b = 0; b < blocks; ++b)
        trial_words_equal(t, b, sum[b], whole_blocks ? 0 : (m + 8) / 9);
    free(out);
    free(sum);
}

static void threads(trial *t)
{
    check(t, false);
}

static void blocks(trial *t)
{
    check(t, true);
}

START_TEST(t1_barriers_do_not_wait_for_threads_that_returned_early)
{
    try_kernel("early_return", TRIAL_SIZES(1), trial_line_shapes, threads);
}
END_TEST

START_TEST(b1_a_block_kernel_returns_for_all_threads_of_its_block)
{
    try_kernel("early_return_block", TRIAL_SIZES(1), trial_line_shapes, blocks);
}
END_TEST

void early_return_tests(Suite *suite)
{
    add(suite, t1_barriers_do_not_wait_for_threads_that_returned_early);
    add(suite, b1_a_block_kernel_returns_for_all_threads_of_its_block);
}
