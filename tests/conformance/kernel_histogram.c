/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms: atomics on static and dynamic shared memory, and on global memory. */
#include "../kernels/histogram.h"
#include "trial.h"

static void check(trial *t)
{
    uint32_t *x = host_memory(t->n * sizeof *x);
    uint64_t bins[HISTOGRAM_BINS], expected[HISTOGRAM_BINS] = {0};
    for (size_t i = 0; i < t->n; ++i) {
        x[i] = (uint32_t)(i * i / 3 % HISTOGRAM_BINS);
        ++expected[x[i]];
    }
    histogram_args args = {
        .n = t->n, .x = trial_memory(t, x, t->n * sizeof *x), .bins = trial_memory(t, NULL, sizeof bins)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.bins, bins, sizeof bins);
    for (size_t b = 0; b < HISTOGRAM_BINS; ++b)
        trial_words_equal(t, b, bins[b], expected[b]);
    free(x);
}

static void check_dynamic(trial *t)
{
    t->work.shared_bytes = HISTOGRAM_BINS * sizeof(uint32_t);
    check(t);
}

START_TEST(b4_histograms_with_bins_of_the_block)
{
    try_kernel("histogram_block", TRIAL_ANY_SIZE, trial_line_shapes, check);
}
END_TEST

START_TEST(k7_histograms_with_bins_in_dynamic_shared_memory)
{
    try_kernel("histogram_dynamic", TRIAL_ANY_SIZE, trial_line_shapes, check_dynamic);
}
END_TEST

START_TEST(histograms_with_global_bins_in_a_thread_kernel)
{
    try_kernel("histogram_global", TRIAL_ANY_SIZE, trial_line_shapes, check);
}
END_TEST

void histogram_tests(Suite *suite)
{
    add(suite, b4_histograms_with_bins_of_the_block);
    add(suite, k7_histograms_with_bins_in_dynamic_shared_memory);
    add(suite, histograms_with_global_bins_in_a_thread_kernel);
}
