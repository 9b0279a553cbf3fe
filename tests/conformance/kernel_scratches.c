/* SPDX-License-Identifier: Apache-2.0 */
/* Scratch memory of two levels: every block and thread has what was wished, for itself. */
#include "../kernels/scratches.h"
#include "trial.h"

#include <accel/pattern.h>

/* Bytes of a block and of a thread, on both levels. The size of a trial is the number of a wish. */
static const struct {
    size_t block[2], thread[2], rounded_block[2], rounded_thread[2];
} wishes[] = {
    {{0, 0}, {0, 0}, {0, 0}, {0, 0}},
    {{40, 0}, {0, 0}, {48, 0}, {0, 0}},
    {{0, 1}, {0, 33}, {0, 16}, {0, 48}},
    {{0, 0}, {16, 8}, {0, 0}, {16, 16}},
    {{100, 300}, {17, 24}, {112, 304}, {32, 32}},
};
#define ALL_WISHES TRIAL_SIZES(0, 1, 2, 3, 4)

static const trial_shape shapes[] = {
    {.dims = 1, .blocks = {3}, .threads = {1}, .elems = {5}},
    {.dims = 1, .blocks = {2}, .threads = {100}, .elems = {1}},
    {.dims = 3, .blocks = {2, 1, 3}, .threads = {1, 4, 2}, .elems = {1, 1, 1}},
    {.dims = 6, .blocks = {2, 1, 2, 1, 2, 3}, .threads = {1, 2, 1, 2, 3, 1}, .elems = {1, 1, 2, 1, 1, 1}},
};
static const trial_shapes some_shapes = {sizeof shapes / sizeof shapes[0], shapes};

/* Blocks and threads share no byte of level 1: after the launch all of it is as they left it. */
static void check_memory(trial *t, const scratches_args *args, accel_buffer *memory)
{
    const accel_scratch_view *s = &args->scratch;
    const size_t blocks = trial_blocks(t), threads = trial_block_threads(t), bytes = blocks * (size_t)s->stride;
    unsigned char *found = host_memory(bytes);
    ck_assert_uint_eq(buffer_info(memory).extent[0], bytes);
    ok(accel_read(t->queue, found, memory));
    ok(accel_queue_wait(t->queue));
    for (size_t b = 0; b < blocks; ++b) {
        const unsigned char *block = found + b * s->stride;
        for (size_t k = 0; k < s->block_bytes[1]; ++k)
            trial_words_equal(t, k, block[k], SCRATCHES_BYTE(2 * b, 1, k));
        for (size_t i = 0; i < threads; ++i)
            for (size_t k = 0; k < s->thread_bytes[1]; ++k)
                trial_words_equal(t, k, block[s->block_bytes[1] + i * s->thread_bytes[1] + k],
                                  SCRATCHES_BYTE(2 * (b * threads + i) + 1, 1, k));
    }
    free(found);
}

static void check(trial *t)
{
    const size_t count = trial_threads(t);
    scratches_args args = {.scratch = ACCEL_SCRATCH_VIEW_INIT};
    uint32_t *wrong = host_memory(count * sizeof *wrong);
    accel_buffer *memory = NULL;
    for (int level = 0; level < 2; ++level) {
        args.scratch.block_bytes[level] = wishes[t->n].block[level];
        args.scratch.thread_bytes[level] = wishes[t->n].thread[level];
    }
    ok(accel_scratch_prepare(t->queue, &t->work, &args.scratch, &memory));
    for (int level = 0; level < 2; ++level) {
        ck_assert_uint_eq(args.scratch.block_bytes[level], wishes[t->n].rounded_block[level]);
        ck_assert_uint_eq(args.scratch.thread_bytes[level], wishes[t->n].rounded_thread[level]);
    }
    ck_assert((memory != NULL) == (args.scratch.block_bytes[1] + args.scratch.thread_bytes[1] != 0));
    args.wrong = trial_memory(t, NULL, count * sizeof *wrong);
    trial_launch(t, &args, sizeof args);
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.wrong, wrong, count * sizeof *wrong);
    for (size_t i = 0; i < count; ++i)
        trial_words_equal(t, i, wrong[i], 0);
    if (memory != NULL)
        check_memory(t, &args, memory);
    accel_buffer_release(memory);
    free(wrong);
}

START_TEST(k16_blocks_and_threads_of_block_kernels_have_scratch_on_two_levels)
{
    try_kernel("scratch_blocks", ALL_WISHES, some_shapes, check);
}
END_TEST

START_TEST(k16_blocks_and_threads_of_thread_kernels_have_scratch_on_two_levels)
{
    try_kernel("scratch_threads", ALL_WISHES, some_shapes, check);
}
END_TEST

/* What is wrong, and that nothing is changed then. */
START_TEST(k16_scratch_that_cannot_be_is_refused)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_work work = work_of(8, 32), before;
    accel_scratch_view view = ACCEL_SCRATCH_VIEW_INIT, wished;
    accel_buffer *memory = NULL;
    view.thread_bytes[0] = SIZE_MAX / 16;
    before = work, wished = view;
    refused(ACCEL_LIMIT, accel_scratch_prepare(queue, &work, &view, &memory), "32 threads on level 0", "2^64");
    view.thread_bytes[0] = 0;
    view.block_bytes[1] = SIZE_MAX / 8;
    refused(ACCEL_LIMIT, accel_scratch_prepare(queue, &work, &view, &memory), "8 blocks", "level 1");
    view = wished;
    work.dims = 7;
    refused(ACCEL_INVALID, accel_scratch_prepare(queue, &work, &view, &memory), "dims of the accel_work is 7");
    work.dims = 1;
    view.reserved[1] = 1;
    refused(ACCEL_INVALID, accel_scratch_prepare(queue, &work, &view, &memory), "reserved", "ACCEL_SCRATCH_VIEW_INIT");
    view.reserved[1] = 0;
    ck_assert(memory == NULL);
    ck_assert_mem_eq(&work, &before, sizeof work);
    ck_assert_mem_eq(&view, &wished, sizeof view);

    /* No blocks are no memory. */
    view = (accel_scratch_view)ACCEL_SCRATCH_VIEW_INIT;
    view.block_bytes[0] = 20;
    view.block_bytes[1] = 20;
    work.blocks[0] = 0;
    ok(accel_scratch_prepare(queue, &work, &view, &memory));
    ck_assert(memory == NULL);
    ck_assert_uint_eq(work.shared_bytes, 32);
    accel_queue_release(queue);
}
END_TEST

START_TEST(k16_scratch_without_memory_changes_nothing_and_may_be_tried_again)
{
    if (test.partner == NULL) /* kernels are also run alone */
        not_here("needs a second backend that fails on request: --partner");
    accel_device *device = test.partner;
    faulty_device_control *control = device_control(device);
    accel_queue *queue = queue_new(device, 0);
    accel_work work = work_of(8, 32), before = work;
    accel_scratch_view view = ACCEL_SCRATCH_VIEW_INIT, wished;
    accel_buffer *mine = words_new(device, 1, 7), *memory = mine;
    view.thread_bytes[0] = 3; /* which would be rounded up */
    view.block_bytes[1] = 20;
    wished = view;
    control->fail_allocation(control, 0);
    refused(ACCEL_OUT_OF_MEMORY, accel_scratch_prepare(queue, &work, &view, &memory), "1024 bytes");
    ck_assert_mem_eq(&work, &before, sizeof work);
    ck_assert_mem_eq(&view, &wished, sizeof view);
    ck_assert_ptr_eq(memory, mine);
    ok(accel_scratch_prepare(queue, &work, &view, &memory));
    ck_assert_uint_eq(work.shared_bytes, 32 * 16);
    ck_assert_uint_eq(buffer_info(memory).extent[0], 8 * view.stride);
    accel_buffer_release(memory);
    accel_buffer_release(mine);
    accel_queue_release(queue);
}
END_TEST

void scratches_tests(Suite *suite)
{
    add(suite, k16_blocks_and_threads_of_block_kernels_have_scratch_on_two_levels);
    add(suite, k16_blocks_and_threads_of_thread_kernels_have_scratch_on_two_levels);
    add(suite, k16_scratch_that_cannot_be_is_refused);
    add(suite, k16_scratch_without_memory_changes_nothing_and_may_be_tried_again);
}
