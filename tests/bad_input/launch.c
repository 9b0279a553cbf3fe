/* SPDX-License-Identifier: Apache-2.0 */
/* Launches and divisions that cannot be. The kernel must not have run. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <stdio.h>

typedef struct scene {
    accel_queue *queue;
    accel_buffer *buffer;
    accel_kernel *kernel;
    words_args args;
} scene;

static scene scene_new(void)
{
    scene s = {
        .queue = queue_new(test.device, 0), .buffer = words_new(test.device, 10, 1), .kernel = kernel_named("set")};
    s.args = (words_args){.words = accel_buffer_ptr(s.buffer), .n = 10, .value = 9};
    return s;
}

static void scene_unchanged(scene *s)
{
    words_are(s->queue, s->buffer, 1);
    accel_buffer_release(s->buffer);
    accel_queue_release(s->queue);
}

START_TEST(k4_a_wrong_argument_size_is_refused_before_anything_runs)
{
    scene s = scene_new();
    accel_work work = work_of(1, 1);
    char size[32];
    snprintf(size, sizeof size, "%zu", sizeof s.args);
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args - 1), "\"set\"", size);
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args + 8), "\"set\"", size);
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, 0), "\"set\"", size);
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, NULL, 0), "\"set\"", size);
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, SIZE_MAX), "\"set\"", size);
    refused(ACCEL_INVALID, accel_launch(s.queue, kernel_named("empty"), &work, &s.args, sizeof s.args), "\"empty\"",
            "NULL, 0");
    scene_unchanged(&s);
}
END_TEST

START_TEST(k2_too_many_threads_are_refused)
{
    scene s = scene_new();
    accel_work work = work_of(1, 1025);
    refused(ACCEL_LIMIT, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "\"set\"", "1025", "threads",
            "limit");
    work = work_of(1, SIZE_MAX);
    refused(ACCEL_LIMIT, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "\"set\"", "threads");
    for (uint32_t dims = 2; dims <= ACCEL_MAX_DIMS; ++dims) {
        accel_work many = ACCEL_WORK_INIT;
        many.dims = dims;
        for (uint32_t d = 0; d < dims; ++d) {
            many.blocks[d] = many.elems[d] = 1;
            many.threads[d] = 40;
        }
        refused(ACCEL_LIMIT, accel_launch(s.queue, s.kernel, &many, &s.args, sizeof s.args), "\"set\"", "threads");
        for (uint32_t d = 0; d < dims; ++d)
            many.threads[d] = (size_t)1 << 60; /* the product wraps to 0 */
        refused(ACCEL_LIMIT, accel_launch(s.queue, s.kernel, &many, &s.args, sizeof s.args), "\"set\"");
    }
    scene_unchanged(&s);
}
END_TEST

START_TEST(k2_grids_that_nobody_can_count_are_refused)
{
    static const size_t blocks[][4] = {{UINT32_MAX, UINT32_MAX, 1, 1}, /* nearly 2^64 */
                                       {1, UINT32_MAX, UINT32_MAX, 1},
                                       {(size_t)1 << 31, (size_t)1 << 31, 4, 1},
                                       {(size_t)1 << 31, 1, UINT32_MAX, UINT32_MAX}};
    scene s = scene_new();
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        for (uint32_t dims = 2; dims <= 4; ++dims) {
            accel_work work = ACCEL_WORK_INIT;
            double total = 1;
            work.dims = dims;
            for (uint32_t d = 0; d < dims; ++d) {
                work.blocks[d] = blocks[i][d];
                work.threads[d] = work.elems[d] = 1;
                total *= (double)blocks[i][d];
            }
            if (total > 9.3e18) /* 2^63 is less */
                refused(ACCEL_LIMIT, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "\"set\"",
                        "blocks");
        }
    scene_unchanged(&s);
}
END_TEST

START_TEST(work_that_is_none_is_refused)
{
    scene s = scene_new();
    accel_work work = work_of(1, 1);
    work.dims = 0;
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "dims", "1 to 6");
    work.dims = 7;
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "dims", "7");
    work = work_of(1, 0);
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "threads[0]", "0");
    work = accel_work_1d(1, 1, 0);
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "elems[0]", "0");
    work = work_of(1, 1);
    work.flags = 4;
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "flags", "0x4");
    work = work_of(1, 1);
    work.struct_size = 3;
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "struct_size", "3");
    scene_unchanged(&s);
}
END_TEST

START_TEST(o6_work_of_newer_programs_is_understood_or_refused)
{
    scene s = scene_new();
    struct {
        accel_work work;
        uint64_t later;
    } newer = {.work = work_of(1, 1), .later = 1};
    newer.work.struct_size = sizeof newer;
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &newer.work, &s.args, sizeof s.args), "accel_work", "newer");
    words_are(s.queue, s.buffer, 1);
    newer.later = 0;
    ok(accel_launch(s.queue, s.kernel, &newer.work, &s.args, sizeof s.args));
    words_are(s.queue, s.buffer, 9);
    accel_work older = work_of(1, 1);
    older.struct_size = offsetof(accel_work, shared_bytes);
    older.shared_bytes = SIZE_MAX; /* not looked at */
    s.args.value = 11;
    ok(accel_launch(s.queue, s.kernel, &older, &s.args, sizeof s.args));
    words_are(s.queue, s.buffer, 11);
    accel_buffer_release(s.buffer);
    accel_queue_release(s.queue);
}
END_TEST

START_TEST(divisions_of_bad_ranges_are_refused)
{
    accel_kernel *kernel = kernel_named("set");
    accel_work work = ACCEL_WORK_INIT, before = work;
    accel_range range = ACCEL_RANGE_INIT, range_before;
    refused(ACCEL_INVALID, accel_range_divide(kernel, &range, NULL, &work), "dims of the accel_range is 0", "1 to 6");
    range.dims = 7;
    refused(ACCEL_INVALID, accel_range_divide(kernel, &range, NULL, &work), "is 7", "1 to 6");
    range.dims = 2;
    range.end[0] = 4;
    range.begin[1] = 9;
    range.end[1] = 8;
    range_before = range;
    refused(ACCEL_INVALID, accel_range_divide(kernel, &range, NULL, &work), "begin[1] of the accel_range is 9",
            "end[1], which is 8");
    ck_assert_mem_eq(&range, &range_before, sizeof range);
    range.begin[1] = 0;
    range.end[0] = range.end[1] = SIZE_MAX / 2;
    refused(ACCEL_LIMIT, accel_range_divide(kernel, &range, NULL, &work), "dimension 1", "parts of it");
    range.end[0] = range.end[1] = 5;
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    wish.threads[1] = 4;
    refused(ACCEL_INVALID, accel_range_divide(kernel, &range, &wish, &work), "accel_range_divide: threads[1]");
    range.order = 3;
    refused(ACCEL_INVALID, accel_range_divide(kernel, &range, NULL, &work), "order of the accel_range is 3");
    range.order = 0;
    range.reserved = 1;
    refused(ACCEL_INVALID, accel_range_divide(kernel, &range, NULL, &work), "reserved 1");
    range.struct_size = 3;
    refused(ACCEL_INVALID, accel_range_divide(kernel, &range, NULL, &work), "accel_range", "3");
    ck_assert_int_eq(memcmp(&work, &before, sizeof work), 0);
}
END_TEST

START_TEST(divisions_of_bad_extents_and_wishes_are_refused)
{
    accel_kernel *kernel = kernel_named("set");
    accel_work work = ACCEL_WORK_INIT, before = work;
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    size_t extent[6] = {10, 10, 10, 10, 10, 10};
    refused(ACCEL_INVALID, accel_work_divide(kernel, 0, extent, NULL, &work), "dims", "1 to 6");
    refused(ACCEL_INVALID, accel_work_divide(kernel, 7, extent, NULL, &work), "dims", "7");
    wish.flags = 2;
    refused(ACCEL_INVALID, accel_work_divide(kernel, 1, extent, &wish, &work), "flags", "0x2");
    wish.flags = 0;
    wish.threads[1] = 4;
    refused(ACCEL_INVALID, accel_work_divide(kernel, 1, extent, &wish, &work), "threads[1]", "1 dimension");
    wish.threads[1] = 0;
    wish.threads[0] = SIZE_MAX;
    refused(ACCEL_LIMIT, accel_work_divide(kernel, 1, extent, &wish, &work), "\"set\"", "threads");
    ck_assert_int_eq(memcmp(&work, &before, sizeof work), 0);
}
END_TEST

Suite *bad_launch_suite(void)
{
    Suite *suite = suite_create("launch");
    add(suite, k4_a_wrong_argument_size_is_refused_before_anything_runs);
    add(suite, k2_too_many_threads_are_refused);
    add(suite, k2_grids_that_nobody_can_count_are_refused);
    add(suite, work_that_is_none_is_refused);
    add(suite, o6_work_of_newer_programs_is_understood_or_refused);
    add(suite, divisions_of_bad_ranges_are_refused);
    add(suite, divisions_of_bad_extents_and_wishes_are_refused);
    return suite;
}
