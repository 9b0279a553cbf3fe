/* SPDX-License-Identifier: Apache-2.0 */
/* Warp functions. A CPU's warp has one thread: every formula below holds there, too. */
#include "../kernels/warp.h"
#include "trial.h"

static void check_thread(trial *t, const warp_result *r, uint32_t thread)
{
    const uint32_t w = r->size, lane = thread % w, first = thread - lane, last = first + w - 1;
    const uint64_t big = (uint64_t)1 << 40;
    uint64_t odd = 0;
    float sum = 0;
    for (uint32_t l = 0; l < w; ++l) {
        odd |= (uint64_t)((first + l) % 2) << l;
        sum += (float)(first + l); /* small integers: exact in any order */
    }
    trial_words_equal(t, thread, r->lane, lane);
    trial_words_equal(t, thread, r->odd, odd);
    trial_words_equal(t, thread, r->any_last, 1);
    trial_words_equal(t, thread, r->any_none, 0);
    trial_words_equal(t, thread, r->all_lane, 1);
    trial_words_equal(t, thread, r->all_zero, w == 1);
    trial_words_equal(t, thread, r->differ, 0);
    trial_words_equal(t, thread, -(int64_t)r->from_last, last);
    trial_words_equal(t, thread, r->from_up, lane == 0 ? thread : thread - 1);
    trial_words_equal(t, thread, (uint64_t)r->from_down, big + (lane == w - 1 ? thread : thread + 1));
    trial_words_equal(t, thread, r->from_xor, big + (w == 1 ? thread : first + (lane ^ 1)));
    trial_doubles_equal(t, thread, (double)r->sum, (double)sum);
    trial_doubles_equal(t, thread, (double)r->first, (double)first);
    trial_doubles_equal(t, thread, r->last, (double)last);
}

static void check(trial *t)
{
    const size_t count = trial_threads(t);
    warp_result *result = host_memory(count * sizeof *result);
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    memset(result, 0xff, count * sizeof *result);
    warp_args args = {.result = trial_memory(t, result, count * sizeof *result)};
    ok(accel_kernel_info(t->kernel, &properties));
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.result, result, count * sizeof *result);
    for (uint32_t i = 0; i < count; ++i) {
        trial_words_equal(t, i, result[i].size, properties.warp_size);
        check_thread(t, &result[i], i);
    }
    free(result);
}

static const trial_shape shapes[] = {{.dims = 1, .blocks = {1}, .threads = {64}, .elems = {1}},
                                     {.dims = 1, .blocks = {1}, .threads = {192}, .elems = {1}},
                                     {.dims = 1, .blocks = {1}, .threads = {1024}, .elems = {1}}};
static const trial_shapes full_warps = {sizeof shapes / sizeof shapes[0], shapes};

START_TEST(warp_functions_of_every_type_in_block_kernels)
{
    try_kernel("warp_block", TRIAL_SIZES(1), full_warps, check);
}
END_TEST

START_TEST(warp_functions_of_every_type_in_thread_kernels)
{
    try_kernel("warp_thread", TRIAL_SIZES(1), full_warps, check);
}
END_TEST

START_TEST(warp_functions_for_the_whole_warp_in_block_kernels)
{
    try_kernel("warp_full_block", TRIAL_SIZES(1), full_warps, check);
}
END_TEST

START_TEST(warp_functions_for_the_whole_warp_in_thread_kernels)
{
    try_kernel("warp_full_thread", TRIAL_SIZES(1), full_warps, check);
}
END_TEST

void warp_tests(Suite *suite)
{
    add(suite, warp_functions_of_every_type_in_block_kernels);
    add(suite, warp_functions_of_every_type_in_thread_kernels);
    add(suite, warp_functions_for_the_whole_warp_in_block_kernels);
    add(suite, warp_functions_for_the_whole_warp_in_thread_kernels);
}
