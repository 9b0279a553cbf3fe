/* SPDX-License-Identifier: Apache-2.0 */
/* Block kernels: regions, barriers, private values, loops over elements. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

static const size_t sizes[] = {1, 2, 7, 32, 100, 256, 1024};
enum { SIZES = sizeof sizes / sizeof sizes[0], BLOCKS = 3 };

/* Launches an exchange kernel over BLOCKS blocks; returns out, to be freed. `in` has i * 7 + 1. */
static uint32_t *exchange(const char *name, size_t blocks, size_t threads, uint32_t value, size_t outs)
{
    size_t count = blocks * threads > outs ? blocks * threads : outs;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *out = words_new(test.device, count, 0), *in = words_new(test.device, count, 0);
    uint32_t *words = malloc(count * sizeof *words);
    exchange_args args = {.out = accel_buffer_ptr(out), .in = accel_buffer_ptr(in), .value = value};
    accel_work work = work_of(blocks, threads);
    for (uint32_t i = 0; i < count; ++i)
        words[i] = i * 7 + 1;
    ok(accel_write(queue, in, words));
    ok(accel_launch(queue, kernel_named(name), &work, &args, sizeof args));
    ok(accel_queue_wait(queue));
    ok(accel_read(queue, words, out));
    ok(accel_queue_wait(queue));
    accel_buffer_release(out);
    accel_buffer_release(in);
    accel_queue_release(queue);
    return words;
}

static bool fits(size_t threads)
{
    return threads <= test.properties.max_block_threads;
}

START_TEST(b4_a_regions_end_is_a_barrier_of_the_block)
{
    for (int s = 0; s < SIZES && fits(sizes[s]); ++s) {
        size_t n = sizes[s];
        uint32_t *out = exchange("region_barrier", BLOCKS, n, 5, 0);
        for (size_t i = 0; i < BLOCKS * n; ++i)
            ck_assert_uint_eq(out[i], (i / n * n + (i % n + 5) % n) * 7 + 1);
        free(out);
    }
}
END_TEST

START_TEST(b4_also_of_a_region_for_the_first_threads)
{
    for (size_t n = 1; n <= 1024 && fits(n); n *= 2) {
        uint32_t *out = exchange("tree_sum", BLOCKS, n, 0, 0);
        for (size_t b = 0; b < BLOCKS; ++b) {
            uint32_t sum = 0;
            for (size_t t = 0; t < n; ++t)
                sum += (uint32_t)(b * n + t) * 7 + 1;
            for (size_t t = 0; t < n; ++t)
                ck_assert_uint_eq(out[b * n + t], sum);
        }
        free(out);
    }
}
END_TEST

START_TEST(b2_continue_leaves_a_region_for_one_thread)
{
    for (int s = 0; s < SIZES && fits(sizes[s]); ++s) {
        uint32_t *out = exchange("region_continue", BLOCKS, sizes[s], 0, 0);
        for (size_t i = 0; i < BLOCKS * sizes[s]; ++i)
            ck_assert_uint_eq(out[i], i % sizes[s] % 3 == 0 ? 11 : 12);
        free(out);
    }
}
END_TEST

START_TEST(b1_once_marks_what_one_thread_of_the_block_does)
{
    for (int s = 0; s < SIZES && fits(sizes[s]); ++s) {
        uint32_t *out = exchange("region_once", BLOCKS, sizes[s], 0, 0);
        for (size_t b = 0; b < BLOCKS; ++b)
            ck_assert_uint_eq(out[b], sizes[s] * (sizes[s] + 1) / 2);
        free(out);
    }
}
END_TEST

START_TEST(private_values_live_from_region_to_region)
{
    for (int s = 0; s < SIZES && fits(sizes[s]); ++s) {
        uint32_t *out = exchange("private_values", BLOCKS, sizes[s], 4, 0);
        for (size_t i = 0; i < BLOCKS * sizes[s]; ++i)
            ck_assert_uint_eq(out[i], 2 * (i % sizes[s]) + 12);
        free(out);
    }
}
END_TEST

START_TEST(regions_in_two_dimensions_have_the_last_index_fastest)
{
    accel_queue *queue = queue_new(test.device, 0);
    size_t blocks[2] = {1, 2}, threads[2] = {3, 5}, ones[2] = {1, 1};
    accel_work work = accel_work_2d(blocks, threads, ones);
    accel_buffer *out = words_new(test.device, 30, 0);
    exchange_args args = {.out = accel_buffer_ptr(out)};
    uint32_t words[30];
    ok(accel_launch(queue, kernel_named("region_2d"), &work, &args, sizeof args));
    ok(accel_read(queue, words, out));
    ok(accel_queue_wait(queue));
    for (uint32_t i = 0; i < 30; ++i)
        ck_assert_uint_eq(words[i], i % 15 / 5 * 1000 + i % 5);
    accel_buffer_release(out);
    accel_queue_release(queue);
}
END_TEST

START_TEST(b3_for_each_visits_every_element_once_whatever_the_work_division)
{
    static const char *const names[] = {"each", "each_32", "each_by_thread", "each_nosync"};
    static const size_t counts[] = {0, 1, 5, 16, 17, 100, 1000, 20011};
    static const size_t works[][2] = {{1, 1}, {1, 7}, {3, 1}, {5, 32}, {64, 1}, {200, 3}};
    accel_queue *queue = queue_new(test.device, 0);
    for (int k = 0; k < 4; ++k)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c)
            for (size_t w = 0; w < sizeof works / sizeof works[0]; ++w) {
                accel_buffer *buffer = words_new(test.device, counts[c] + 1, 0), *view = NULL;
                words_args args = {.words = accel_buffer_ptr(buffer), .n = counts[c]};
                accel_work work = work_of(works[w][0], works[w][1]);
                ok(accel_launch(queue, kernel_named(names[k]), &work, &args, sizeof args));
                ok(accel_buffer_view(buffer, NULL, &counts[c], &view));
                words_are(queue, view, 1);
                accel_buffer_release(view);
                ok(accel_buffer_view(buffer, &counts[c], NULL, &view));
                words_are(queue, view, 0); /* and none behind */
                accel_buffer_release(view);
                accel_buffer_release(buffer);
            }
    accel_queue_release(queue);
}
END_TEST

START_TEST(sums_per_thread_over_elements_are_complete)
{
    enum { N = 5000 };
    size_t threads = fits(64) ? 64 : test.properties.max_block_threads;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *in = words_new(test.device, N, 3), *out = words_new(test.device, 4 * threads, 0);
    exchange_args args = {.out = accel_buffer_ptr(out), .in = accel_buffer_ptr(in), .value = N};
    accel_work work = work_of(4, threads);
    uint32_t *words = calloc(4 * threads, sizeof *words), sum = 0;
    ok(accel_launch(queue, kernel_named("sum_by_thread"), &work, &args, sizeof args));
    ok(accel_read(queue, words, out));
    ok(accel_queue_wait(queue));
    for (size_t i = 0; i < 4 * threads; ++i)
        sum += words[i];
    ck_assert_uint_eq(sum, 3 * N);
    free(words);
    accel_buffer_release(in);
    accel_buffer_release(out);
    accel_queue_release(queue);
}
END_TEST

Suite *block_kernel_suite(void)
{
    Suite *suite = suite_create("block kernel");
    add(suite, b1_once_marks_what_one_thread_of_the_block_does);
    add(suite, b2_continue_leaves_a_region_for_one_thread);
    add(suite, b3_for_each_visits_every_element_once_whatever_the_work_division);
    add(suite, b4_a_regions_end_is_a_barrier_of_the_block);
    add(suite, b4_also_of_a_region_for_the_first_threads);
    add(suite, private_values_live_from_region_to_region);
    add(suite, regions_in_two_dimensions_have_the_last_index_fastest);
    add(suite, sums_per_thread_over_elements_are_complete);
    return suite;
}
