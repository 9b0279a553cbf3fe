/* SPDX-License-Identifier: Apache-2.0 */
/* Warps. A CPU's has one thread: every formula below holds there, too. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

START_TEST(warp_functions_work_among_the_threads_of_a_warp)
{
    size_t n = test.properties.max_block_threads < 128 ? test.properties.max_block_threads : 128;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *out = words_new(test.device, 2 * n * 8, 0);
    exchange_args args = {.out = accel_buffer_ptr(out)};
    accel_work work = work_of(2, n);
    uint32_t *words = calloc(2 * n * 8, sizeof *words);
    ok(accel_launch(queue, kernel_named("warp"), &work, &args, sizeof args));
    ok(accel_read(queue, words, out));
    ok(accel_queue_wait(queue));
    size_t size = words[0];
    ck_assert_uint_ge(size, test.properties.warp_size); /* the device tells the narrowest */
    if (test.properties.kind == ACCEL_DEVICE_CPU)
        ck_assert_uint_eq(size, 1);
    for (size_t i = 0; i < 2 * n; ++i) {
        const uint32_t *w = words + 8 * i;
        size_t t = i % n, first = t / size * size, end = first + size < n ? first + size : n;
        ck_assert_uint_eq(w[0], size);
        ck_assert_uint_eq(w[1], t % size);
        ck_assert_uint_eq(w[2], t % 2 == 0); /* the own bit of the ballot */
        ck_assert_uint_eq(w[3], size > 1 || t % 2 == 0);
        ck_assert_uint_eq(w[4], size == 1 && t % 2 == 0);
        ck_assert_uint_eq(w[5], first);
        ck_assert_uint_eq(w[6], size == 1 ? t : (t ^ 1));
        size_t up = t == first ? t : t - 1, down = t + 1 < end ? t + 1 : t;
        ck_assert_uint_eq(w[7], up * 10000 + down);
    }
    free(words);
    accel_buffer_release(out);
    accel_queue_release(queue);
}
END_TEST

Suite *warp_suite(void)
{
    Suite *suite = suite_create("warp");
    add(suite, warp_functions_work_among_the_threads_of_a_warp);
    return suite;
}
