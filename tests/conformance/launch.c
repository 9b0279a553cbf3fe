/* SPDX-License-Identifier: Apache-2.0 */
/* Launches: dimensions, arguments, limits. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <stdio.h>

/* Runs `place` or a sister of it over the work, or over the extent whose division this is, and checks each thread's
 * record: x, y, z from the fastest. */
static void check_places(const char *name, const accel_work *work, const size_t *over)
{
    size_t blocks[3] = {1, 1, 1}, threads[3] = {1, 1, 1}, elems[3] = {1, 1, 1};
    for (uint32_t d = 0; d < work->dims; ++d) { /* dimensions above three fold into z */
        uint32_t axis = work->dims - 1 - d < 2 ? work->dims - 1 - d : 2;
        blocks[axis] *= work->blocks[d];
        threads[axis] *= work->threads[d];
        elems[axis] *= work->elems[d];
    }
    size_t per_block = threads[0] * threads[1] * threads[2], count = blocks[0] * blocks[1] * blocks[2] * per_block;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = bytes_new(test.device, count * sizeof(place_record));
    place_record *records = calloc(count, sizeof *records);
    place_args args = {.records = accel_buffer_ptr(buffer)};
    ok(accel_write(queue, buffer, records));
    if (over == NULL)
        ok(accel_launch(queue, kernel_named(name), work, &args, sizeof args));
    else
        ok(accel_launch_over(queue, kernel_named(name), work->dims, over, &args, sizeof args));
    ok(accel_read(queue, records, buffer));
    ok(accel_queue_wait(queue));
    for (size_t i = 0; i < count; ++i) {
        const place_record *r = &records[i];
        size_t block = i / per_block, thread = i % per_block;
        ck_assert_msg(r->visits == 1, "thread %zu of block %zu ran %lu times", thread, block, (unsigned long)r->visits);
        for (int d = 0; d < 3; ++d) {
            ck_assert_uint_eq(r->block[d], block % blocks[d]);
            ck_assert_uint_eq(r->thread[d], thread % threads[d]);
            ck_assert_uint_eq(r->grid_extent[d], blocks[d]);
            ck_assert_uint_eq(r->block_extent[d], threads[d]);
            ck_assert_uint_eq(r->elem_extent[d], elems[d]);
            block /= blocks[d];
            thread /= threads[d];
        }
    }
    free(records);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}

static void check_all_dims(const char *name)
{
    static const size_t blocks[] = {2, 3, 1, 2, 3, 5}, threads[] = {1, 2, 3, 1, 4, 5}, elems[] = {3, 1, 2, 2, 1, 7};
    for (uint32_t dims = 1; dims <= ACCEL_MAX_DIMS; ++dims) {
        accel_work work = ACCEL_WORK_INIT;
        work.dims = dims;
        for (uint32_t d = 0; d < dims; ++d) {
            work.blocks[d] = blocks[d];
            work.threads[d] = threads[d];
            work.elems[d] = elems[d];
        }
        check_places(name, &work, NULL);
    }
}

START_TEST(k1_the_last_dimension_is_x_in_block_kernels)
{
    check_all_dims("place");
}
END_TEST

START_TEST(k1_the_last_dimension_is_x_in_thread_kernels_that_never_synchronise)
{
    check_all_dims("place_nosync");
}
END_TEST

START_TEST(k1_the_last_dimension_is_x_in_thread_kernels)
{
    check_all_dims("place_thread");
}
END_TEST

START_TEST(any_block_size_up_to_the_limit_runs)
{
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 64, 100, 255, 512, 1000, 1023, 1024};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        if (sizes[i] > test.properties.max_block_threads)
            break;
        accel_work work = work_of(3, sizes[i]);
        check_places("place", &work, NULL);
        check_places("place_nosync", &work, NULL);
    }
}
END_TEST

START_TEST(k1_as_many_blocks_as_the_limits_allow_run_along_y_and_z)
{
    for (int d = 0; d < 2; ++d) { /* z, y */
        size_t blocks[3] = {1, 1, 2}, ones[3] = {1, 1, 1}, limit = test.properties.max_blocks[2 - d];
        blocks[d] = limit < 70000 ? limit : 70000; /* GPUs have 65535 */
        accel_work work = accel_work_3d(blocks, ones, ones);
        check_places("place", &work, NULL);
    }
}
END_TEST

START_TEST(a_fixed_block_launches_with_its_extents_only)
{
    size_t blocks[3] = {2, 1, 3}, threads[3] = {2, 4, 8}, elems[3] = {1, 1, 1};
    accel_work work = accel_work_3d(blocks, threads, elems);
    check_places("fixed", &work, NULL);
    accel_queue *queue = queue_new(test.device, 0);
    place_args args = {NULL};
    work.threads[2] = 4;
    refused(ACCEL_LIMIT, accel_launch(queue, kernel_named("fixed"), &work, &args, sizeof args), "fixed", "8", "4", "2");
    work = work_of(1, 64);
    refused(ACCEL_LIMIT, accel_launch(queue, kernel_named("fixed"), &work, &args, sizeof args), "fixed", "64");
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
}
END_TEST

START_TEST(k2_a_launch_over_a_limit_is_refused_with_the_limit)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 1);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 10};
    accel_kernel *kernel = kernel_named("each");
    accel_work work = work_of(1, (size_t)test.properties.max_block_threads + 1);
    char limit[32];
    snprintf(limit, sizeof limit, "%u", test.properties.max_block_threads);
    refused(ACCEL_LIMIT, accel_launch(queue, kernel, &work, &args, sizeof args), "each", limit);
    size_t threads[3] = {32, 32, 32}, ones[3] = {1, 1, 1};
    work = accel_work_3d(ones, threads, ones);
    refused(ACCEL_LIMIT, accel_launch(queue, kernel, &work, &args, sizeof args), "each", limit, "32768");
    threads[0] = threads[1] = threads[2] = (size_t)1 << 22; /* the product overflows */
    work = accel_work_3d(ones, threads, ones);
    refused(ACCEL_LIMIT, accel_launch(queue, kernel, &work, &args, sizeof args), "each");
    work = work_of((size_t)1 << 40, 1);
    refused(ACCEL_LIMIT, accel_launch(queue, kernel, &work, &args, sizeof args), "each", "blocks");
    work = work_of(1, 1);
    work.shared_bytes = test.properties.max_shared_bytes + 1;
    snprintf(limit, sizeof limit, "%zu", test.properties.max_shared_bytes);
    refused(ACCEL_LIMIT, accel_launch(queue, kernel, &work, &args, sizeof args), "each", "shared", limit);
    words_are(queue, buffer, 1);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(k3_launching_zero_blocks_is_a_no_op)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 1);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 10};
    accel_work work = work_of(0, 32);
    ok(accel_launch(queue, kernel_named("each"), &work, &args, sizeof args));
    for (uint32_t zero = 0; zero < 4; ++zero) {
        accel_work many = ACCEL_WORK_INIT;
        many.dims = 4;
        for (uint32_t d = 0; d < 4; ++d) {
            many.blocks[d] = d == zero ? 0 : 3;
            many.threads[d] = many.elems[d] = 2;
        }
        ok(accel_launch(queue, kernel_named("each"), &many, &args, sizeof args));
    }
    words_are(queue, buffer, 1);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(k4_arguments_are_plain_structs_of_up_to_4096_bytes)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *sum = bytes_new(test.device, 8);
    accel_work work = work_of(1, 1);
    uint64_t expected, result = 0;
    size_t size;
    big_args *big;
    accel_kernel *kernel = kernel_of_most_arguments(13, &big, &size, &expected);
    big->sum = accel_buffer_ptr(sum);
    ok(accel_launch(queue, kernel, &work, big, size));
    ok(accel_read(queue, &result, sum));
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(result, expected);
    padded_args padded = {.first = 1, .second = 20.0, .third = 300, .out = accel_buffer_ptr(sum), .fourth = 4000.0f};
    ok(accel_launch(queue, kernel_named("padded"), &work, &padded, sizeof padded));
    ok(accel_read(queue, &result, sum));
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(result, 4321);
    free(big);
    accel_buffer_release(sum);
    accel_queue_release(queue);
}
END_TEST

START_TEST(k4_arguments_that_are_more_than_the_device_takes_are_a_limit)
{
    accel_kernel *kernel = kernel_named("lesser"); /* which every device takes */
    char limit[32];
    snprintf(limit, sizeof limit, "%zu", test.properties.max_args_size);
    if (test.properties.max_args_size >= sizeof(big_args)) /* which is all that any device takes */
        ok(accel_module_kernel(test.module, "big", &kernel));
    else
        refused(ACCEL_LIMIT, accel_module_kernel(test.module, "big", &kernel), "\"big\"", "4096 bytes", limit,
                "make the struct smaller");
}
END_TEST

START_TEST(k4_arguments_need_no_alignment_on_the_host)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *sum = bytes_new(test.device, 8);
    accel_work work = work_of(1, 1);
    unsigned char bytes[sizeof(padded_args) + 16];
    uint64_t result = 0;
    for (size_t shift = 0; shift < 9; ++shift) {
        padded_args padded = {
            .first = 1, .second = 20.0, .third = (uint16_t)shift, .out = accel_buffer_ptr(sum), .fourth = 4000.0f};
        memcpy(bytes + shift, &padded, sizeof padded);
        ok(accel_launch(queue, kernel_named("padded"), &work, bytes + shift, sizeof padded));
        ok(accel_read(queue, &result, sum));
        ok(accel_queue_wait(queue));
        ck_assert_uint_eq(result, 4021 + shift);
    }
    accel_buffer_release(sum);
    accel_queue_release(queue);
}
END_TEST

START_TEST(k4_a_kernel_without_arguments_takes_null)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_work work = work_of(2, 3);
    accel_no_args none = {0};
    ok(accel_launch(queue, kernel_named("empty"), &work, NULL, 0));
    ok(accel_launch(queue, kernel_named("empty"), &work, &none, sizeof none));
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
}
END_TEST

START_TEST(k7_dynamic_shared_memory_is_aligned_and_each_blocks_own)
{
    size_t alignment = test.properties.kind == ACCEL_DEVICE_GPU ? 16 : 64;
    static const size_t sizes[] = {1, 7, 64, 333, 1024};
    accel_queue *queue = queue_new(test.device, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] && sizes[s] <= test.properties.max_block_threads; ++s) {
        enum { BLOCKS = 5 };
        size_t n = sizes[s];
        accel_buffer *out = words_new(test.device, BLOCKS * n, 0), *addresses = bytes_new(test.device, BLOCKS * 8);
        dynamic_args args = {.addresses = accel_buffer_ptr(addresses), .out = accel_buffer_ptr(out)};
        accel_work work = work_of(BLOCKS, n);
        uint64_t seen[BLOCKS];
        uint32_t *words = calloc(BLOCKS * n, sizeof *words);
        work.shared_bytes = n * sizeof(uint32_t);
        ok(accel_launch(queue, kernel_named("dynamic_shared"), &work, &args, sizeof args));
        ok(accel_read(queue, seen, addresses));
        ok(accel_read(queue, words, out));
        ok(accel_queue_wait(queue));
        for (size_t b = 0; b < BLOCKS; ++b) {
            ck_assert_uint_eq(seen[b] % alignment, 0);
            for (size_t t = 0; t < n; ++t)
                ck_assert_uint_eq(words[b * n + t], b * n + (n - 1 - t));
        }
        free(words);
        accel_buffer_release(out);
        accel_buffer_release(addresses);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(k7_shared_memory_that_was_not_asked_for_is_an_error)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("GPUs say so in their own ways");
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_queue *queue = queue_new(test.device, flags);
        accel_buffer *out = words_new(test.device, 1600, 0), *addresses = bytes_new(test.device, 100 * 8);
        dynamic_args args = {.addresses = accel_buffer_ptr(addresses), .out = accel_buffer_ptr(out)};
        accel_work work = work_of(100, 16);
        accel_status status = accel_launch(queue, kernel_named("dynamic_shared"), &work, &args, sizeof args);
        if (status != ACCEL_OK) /* of a blocking queue */
            ck_assert_ptr_nonnull(strstr(accel_error_message(), "kernel \"dynamic_shared\""));
        refused(ACCEL_KERNEL_FAULT, accel_queue_wait(queue), "kernel \"dynamic_shared\"");
        ok(accel_queue_wait(queue));
        work.shared_bytes = 16 * sizeof(uint32_t);
        ok(accel_launch(queue, kernel_named("dynamic_shared"), &work, &args, sizeof args));
        ok(accel_queue_wait(queue));
        accel_buffer_release(out);
        accel_buffer_release(addresses);
        accel_queue_release(queue);
    }
}
END_TEST

START_TEST(k7_all_of_the_devices_shared_memory_can_be_used)
{
    accel_kernel_properties p = ACCEL_KERNEL_PROPERTIES_INIT;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *out = words_new(test.device, 4, 0), *addresses = bytes_new(test.device, 8);
    dynamic_args args = {.addresses = accel_buffer_ptr(addresses), .out = accel_buffer_ptr(out)};
    accel_work work = work_of(1, 4);
    ok(accel_kernel_info(kernel_named("dynamic_shared"), &p));
    work.shared_bytes = p.max_shared_bytes;
    ok(accel_launch(queue, kernel_named("dynamic_shared"), &work, &args, sizeof args));
    ok(accel_queue_wait(queue));
    accel_buffer_release(out);
    accel_buffer_release(addresses);
    accel_queue_release(queue);
}
END_TEST

START_TEST(k2_launch_over_runs_the_division_of_its_extent)
{
    static const size_t extents[][ACCEL_MAX_DIMS] = {{1}, {1000}, {7, 300}, {5, 3, 20}, {2, 3, 4, 5}, {2, 1, 3, 2, 5}};
    static const uint32_t dims[] = {1, 1, 2, 3, 4, 5};
    for (int round = 0; round < 2; ++round) /* the second time from memory */
        for (size_t i = 0; i < sizeof dims / sizeof *dims; ++i) {
            accel_work work = ACCEL_WORK_INIT;
            ok(accel_work_divide(kernel_named("place"), dims[i], extents[i], NULL, &work));
            check_places("place", &work, extents[i]);
        }
}
END_TEST

START_TEST(k3_launch_over_nothing_is_a_no_op)
{
    size_t none = 0;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 1);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 10, .value = 9};
    ok(accel_launch_over(queue, kernel_named("set"), 1, &none, &args, sizeof args));
    const size_t empty[] = {0, (size_t)1 << 45}, flat[] = {0, SIZE_MAX, 5};
    ok(accel_launch_over(queue, kernel_named("set"), 2, empty, &args, sizeof args));
    ok(accel_launch_over(queue, kernel_named("set"), 3, flat, &args, sizeof args));
    words_are(queue, buffer, 1);
    refused(ACCEL_INVALID, accel_launch_over(queue, kernel_named("set"), 1, &none, &args, 1), "\"set\"", "args_size");
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

Suite *launch_suite(void)
{
    Suite *suite = suite_create("launch");
    add(suite, k1_the_last_dimension_is_x_in_block_kernels);
    add(suite, k1_the_last_dimension_is_x_in_thread_kernels_that_never_synchronise);
    add(suite, k1_the_last_dimension_is_x_in_thread_kernels);
    add(suite, any_block_size_up_to_the_limit_runs);
    add(suite, k1_as_many_blocks_as_the_limits_allow_run_along_y_and_z);
    add(suite, a_fixed_block_launches_with_its_extents_only);
    add(suite, k2_a_launch_over_a_limit_is_refused_with_the_limit);
    add(suite, k3_launching_zero_blocks_is_a_no_op);
    add(suite, k2_launch_over_runs_the_division_of_its_extent);
    add(suite, k3_launch_over_nothing_is_a_no_op);
    add(suite, k4_arguments_are_plain_structs_of_up_to_4096_bytes);
    add(suite, k4_arguments_that_are_more_than_the_device_takes_are_a_limit);
    add(suite, k4_arguments_need_no_alignment_on_the_host);
    add(suite, k4_a_kernel_without_arguments_takes_null);
    add(suite, k7_dynamic_shared_memory_is_aligned_and_each_blocks_own);
    add(suite, k7_shared_memory_that_was_not_asked_for_is_an_error);
    add(suite, k7_all_of_the_devices_shared_memory_can_be_used);
    return suite;
}
