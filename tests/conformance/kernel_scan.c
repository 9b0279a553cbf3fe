/* SPDX-License-Identifier: Apache-2.0 */
/* Inclusive sums within each block, for any number of threads up to 1024. */
#include "../kernels/scan.h"
#include "trial.h"

static void check(trial *t)
{
    const size_t m = trial_block_threads(t), count = trial_threads(t), bytes = count * sizeof(uint32_t);
    uint32_t *x = host_memory(bytes), *y = host_memory(bytes), sum = 0;
    for (uint32_t i = 0; i < count; ++i)
        x[i] = i * 2654435761u; /* sums wrap around, which unsigned ones may */
    scan_args args = {.x = trial_memory(t, x, bytes), .y = trial_memory(t, NULL, bytes)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.y, y, bytes);
    for (size_t i = 0; i < count; ++i) {
        sum = i % m == 0 ? x[i] : sum + x[i];
        trial_words_equal(t, i, y[i], sum);
    }
    free(x);
    free(y);
}

START_TEST(b4_prefix_sums_by_regions)
{
    try_kernel("scan_block", TRIAL_SIZES(1), trial_line_shapes, check);
}
END_TEST

START_TEST(t1_prefix_sums_by_barriers)
{
    try_kernel("scan_thread", TRIAL_SIZES(1), trial_line_shapes, check);
}
END_TEST

void scan_tests(Suite *suite)
{
    add(suite, b4_prefix_sums_by_regions);
    add(suite, t1_prefix_sums_by_barriers);
}
