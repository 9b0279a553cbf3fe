/* SPDX-License-Identifier: Apache-2.0 */
/* Fences between blocks: the block that finishes last sees what the others wrote. */
#include "../kernels/fences.h"
#include "trial.h"

static void check(trial *t)
{
    const size_t blocks = trial_blocks(t);
    double *x = host_memory(t->n * sizeof *x), sum = -1, expected = 0;
    uint32_t finished = 1;
    for (size_t i = 0; i < t->n; ++i)
        expected += x[i] = (double)(i % 777) - 100;
    fences_args args = {.n = t->n,
                        .x = trial_memory(t, x, t->n * sizeof *x),
                        .part = trial_memory(t, NULL, blocks * sizeof(double)),
                        .finished = trial_memory(t, NULL, sizeof finished),
                        .sum = trial_memory(t, &sum, sizeof sum)};
    for (int round = 0; round < 2; ++round) { /* the counter is back at 0 for the second one */
        trial_launch(t, &args, sizeof args);
        trial_read(t, args.sum, &sum, sizeof sum);
        trial_read(t, args.finished, &finished, sizeof finished);
        trial_doubles_equal(t, 0, sum, expected);
        trial_words_equal(t, 0, finished, 0);
    }
    free(x);
}

START_TEST(the_last_block_sees_what_the_others_wrote_before_their_fences)
{
    try_kernel("last_block_sums", TRIAL_ANY_SIZE, trial_line_shapes, check);
}
END_TEST

void fences_tests(Suite *suite)
{
    add(suite, the_last_block_sees_what_the_others_wrote_before_their_fences);
}
