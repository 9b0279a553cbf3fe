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

/* The blocks' copies, put together. */
static void check_copies(trial *t)
{
    const size_t blocks = trial_blocks(t);
    uint32_t *x = host_memory(t->n * sizeof *x), smallest = HISTOGRAM_BINS, largest = 0;
    uint64_t expected[HISTOGRAM_BINS] = {0}, sum = 0, odd = 0, even = 0;
    for (size_t i = 0; i < t->n; ++i) {
        x[i] = (uint32_t)(i * i / 3 % (HISTOGRAM_BINS - 3) + 2);
        ++expected[x[i]];
        sum += x[i];
        odd += x[i] % 2;
        even += x[i] % 2 == 0 ? x[i] : 0;
        smallest = x[i] < smallest ? x[i] : smallest;
        largest = x[i] > largest ? x[i] : largest;
    }
    histogram_copy *copies = host_memory(blocks * sizeof *copies);
    memset(copies, 0, blocks * sizeof *copies);
    for (size_t b = 0; b < blocks; ++b)
        copies[b].smallest = HISTOGRAM_BINS;
    histogram_copies_args args = {.n = t->n,
                                  .x = trial_memory(t, x, t->n * sizeof *x),
                                  .copies = trial_memory(t, copies, blocks * sizeof *copies)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.copies, copies, blocks * sizeof *copies);
    histogram_copy all = copies[0];
    for (size_t b = 1; b < blocks; ++b) {
        for (size_t bin = 0; bin < HISTOGRAM_BINS; ++bin) {
            all.bins[bin] += copies[b].bins[bin];
            all.negative[bin] += copies[b].negative[bin];
        }
        all.sum += copies[b].sum;
        all.pair.all += copies[b].pair.all;
        all.pair.even += copies[b].pair.even;
        all.difference += copies[b].difference;
        all.smallest = copies[b].smallest < all.smallest ? copies[b].smallest : all.smallest;
        all.largest = copies[b].largest > all.largest ? copies[b].largest : all.largest;
    }
    for (size_t bin = 0; bin < HISTOGRAM_BINS; ++bin) {
        trial_words_equal(t, bin, all.bins[bin], expected[bin]);
        trial_words_equal(t, bin, (uint64_t)-all.negative[bin], expected[bin]);
    }
    trial_doubles_equal(t, 0, all.sum, (double)sum);
    trial_words_equal(t, 0, all.pair.all, sum);
    trial_words_equal(t, 0, all.pair.even, even);
    trial_doubles_equal(t, 0, (double)all.difference, -(double)odd);
    trial_words_equal(t, 0, all.smallest, (int)smallest);
    trial_doubles_equal(t, 0, all.largest, (double)largest);
    free(x);
    free(copies);
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

START_TEST(atomics_of_a_block_on_a_copy_for_each)
{
    try_kernel("histogram_copies", TRIAL_ANY_SIZE, trial_line_shapes, check_copies);
}
END_TEST

void histogram_tests(Suite *suite)
{
    add(suite, atomics_of_a_block_on_a_copy_for_each);
    add(suite, b4_histograms_with_bins_of_the_block);
    add(suite, k7_histograms_with_bins_in_dynamic_shared_memory);
    add(suite, histograms_with_global_bins_in_a_thread_kernel);
}
