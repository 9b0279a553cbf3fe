/* SPDX-License-Identifier: Apache-2.0 */
/* Cooperative launches: all blocks run at the same time. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <stdio.h>

static void need_cooperative(void)
{
    if ((test.properties.features & ACCEL_FEATURE_COOPERATIVE) == 0)
        unsupported("the device has no ACCEL_FEATURE_COOPERATIVE");
}

static size_t block_count(const accel_work *work)
{
    size_t blocks = 1;
    for (uint32_t d = 0; d < work->dims; ++d)
        blocks *= work->blocks[d];
    return blocks;
}

/* A division of so many dimensions for a cooperative launch. Of the largest blocks, because a simulated device runs few at
 * a time. */
static accel_work cooperative(accel_kernel *kernel, uint32_t dims)
{
    static const size_t extent[ACCEL_MAX_DIMS] = {100003, 17, 9, 5, 3, 2};
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    accel_work work = ACCEL_WORK_INIT;
    wish.flags = ACCEL_DIVIDE_COOPERATIVE;
    wish.threads[dims - 1] = test.properties.max_block_threads;
    ok(accel_work_divide(kernel, dims, extent, &wish, &work));
    ck_assert_uint_eq(work.flags, ACCEL_WORK_COOPERATIVE);
    for (uint32_t d = 0; d < dims; ++d)
        ck_assert_uint_ge(work.blocks[d] * work.threads[d] * work.elems[d], extent[d]);
    return work;
}

START_TEST(the_blocks_of_a_cooperative_launch_wait_for_each_other)
{
    need_cooperative();
    accel_queue *queue = queue_new(test.device, 0);
    accel_kernel *kernel = kernel_named("meet");
    for (uint32_t dims = 1; dims <= ACCEL_MAX_DIMS; dims += 2) {
        accel_buffer *buffer = words_new(test.device, 2, 0);
        accel_work work = cooperative(kernel, dims);
        words_args args = {.words = accel_buffer_ptr(buffer), .n = block_count(&work)};
        uint32_t words[2] = {0};
        ck_assert_uint_gt(args.n, 1);
        ok(accel_launch(queue, kernel, &work, &args, sizeof args));
        ok(accel_read(queue, words, buffer));
        ok(accel_queue_wait(queue));
        ck_assert_uint_eq(words[0], args.n);
        ck_assert_uint_eq(words[1], args.n); /* that saw all the others arrive */
        accel_buffer_release(buffer);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(k2_a_cooperative_launch_of_more_blocks_than_fit_is_refused_with_the_limit)
{
    need_cooperative();
    accel_queue *queue = queue_new(test.device, 0);
    accel_kernel *kernel = kernel_named("meet");
    accel_buffer *buffer = words_new(test.device, 2, 0);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 1};
    accel_work work = cooperative(kernel, 1);
    size_t most = 0, divided = work.blocks[0];
    work.blocks[0] = 1000 * divided;
    refused(ACCEL_LIMIT, accel_launch(queue, kernel, &work, &args, sizeof args), "meet", "cooperative", "holds ");
    ck_assert_int_eq(sscanf(strstr(accel_error_message(), "holds "), "holds %zu", &most), 1);
    ck_assert_uint_le(divided, most);
    work.blocks[0] = most + 1;
    refused(ACCEL_LIMIT, accel_launch(queue, kernel, &work, &args, sizeof args), "meet", "cooperative", "holds ");
    words_are(queue, buffer, 0); /* it did not run, and the queue is well */
    work.blocks[0] = most;
    args.n = most;
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
    work.flags = 0; /* as many as one likes, if they do not wait for each other */
    work.blocks[0] = most + 1;
    args.n = 0;
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
    ok(accel_queue_wait(queue));
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(k2_a_cooperative_division_that_cannot_fit_is_refused_with_the_limit)
{
    need_cooperative();
    static const char *const names[] = {"meet", "each_nosync"};
    size_t extent = (size_t)1 << 26;
    for (int i = 0; i < 2; ++i) { /* elements that are wished; one per thread without a wish */
        accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
        accel_work work = ACCEL_WORK_INIT;
        wish.flags = ACCEL_DIVIDE_COOPERATIVE;
        wish.elems[0] = i == 0 ? 1 : 0;
        refused(ACCEL_LIMIT, accel_work_divide(kernel_named(names[i]), 1, &extent, &wish, &work), names[i], "at once",
                "elements");
        ck_assert_uint_eq(work.dims, 0);
    }
}
END_TEST

START_TEST(k3_a_cooperative_launch_of_no_blocks_is_a_no_op)
{
    need_cooperative();
    accel_queue *queue = queue_new(test.device, 0);
    accel_kernel *kernel = kernel_named("meet");
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    accel_work work = ACCEL_WORK_INIT;
    words_args args = {.n = 5};
    size_t none = 0;
    wish.flags = ACCEL_DIVIDE_COOPERATIVE;
    ok(accel_work_divide(kernel, 1, &none, &wish, &work));
    ck_assert_uint_eq(work.blocks[0], 0);
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
}
END_TEST

START_TEST(a_device_without_cooperative_launches_refuses_them_and_says_what_to_do)
{
    if ((test.properties.features & ACCEL_FEATURE_COOPERATIVE) != 0)
        unsupported("the device has ACCEL_FEATURE_COOPERATIVE");
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 2, 1);
    accel_kernel *kernel = kernel_named("each");
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    accel_work work = work_of(1, 1), before;
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 2};
    size_t extent = 2;
    work.flags = ACCEL_WORK_COOPERATIVE;
    refused(ACCEL_UNSUPPORTED, accel_launch(queue, kernel, &work, &args, sizeof args), "each",
            "ACCEL_FEATURE_COOPERATIVE", test.properties.name, "launch once for each step");
    words_are(queue, buffer, 1);
    wish.flags = ACCEL_DIVIDE_COOPERATIVE;
    before = work;
    refused(ACCEL_UNSUPPORTED, accel_work_divide(kernel, 1, &extent, &wish, &work), "each",
            "ACCEL_FEATURE_COOPERATIVE");
    ck_assert_mem_eq(&work, &before, sizeof work);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(unknown_flags_of_work_and_wishes_are_refused)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_kernel *kernel = kernel_named("each");
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    accel_work work = work_of(1, 1);
    words_args args = {0};
    size_t extent = 2;
    work.flags = ACCEL_WORK_COOPERATIVE << 1;
    refused(ACCEL_INVALID, accel_launch(queue, kernel, &work, &args, sizeof args), "each", "0x2");
    wish.flags = ACCEL_DIVIDE_COOPERATIVE << 1;
    refused(ACCEL_INVALID, accel_work_divide(kernel, 1, &extent, &wish, &work), "0x2");
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
}
END_TEST

Suite *cooperative_suite(void)
{
    Suite *suite = suite_create("cooperative");
    add(suite, the_blocks_of_a_cooperative_launch_wait_for_each_other);
    add(suite, k2_a_cooperative_launch_of_more_blocks_than_fit_is_refused_with_the_limit);
    add(suite, k2_a_cooperative_division_that_cannot_fit_is_refused_with_the_limit);
    add(suite, k3_a_cooperative_launch_of_no_blocks_is_a_no_op);
    add(suite, a_device_without_cooperative_launches_refuses_them_and_says_what_to_do);
    add(suite, unknown_flags_of_work_and_wishes_are_refused);
    return suite;
}
