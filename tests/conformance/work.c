/* SPDX-License-Identifier: Apache-2.0 */
/* Work divisions. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

static size_t product(const size_t values[], uint32_t count)
{
    size_t result = 1;
    for (uint32_t d = 0; d < count; ++d)
        result *= values[d];
    return result;
}

static void covers(const accel_work *work, uint32_t dims, const size_t extent[])
{
    ck_assert_uint_eq(work->dims, dims);
    ck_assert_uint_eq(work->flags, 0);
    for (uint32_t d = 0; d < dims; ++d) {
        ck_assert_uint_ge(work->threads[d], 1);
        ck_assert_uint_ge(work->elems[d], 1);
        size_t per_block = work->threads[d] * work->elems[d];
        ck_assert_msg(work->blocks[d] >= (extent[d] + per_block - 1) / per_block,
                      "dimension %u: %zu x %zu x %zu do not cover %zu", d, work->blocks[d], work->threads[d],
                      work->elems[d], extent[d]);
    }
    ck_assert_uint_le(product(work->threads, dims), test.properties.max_block_threads);
}

/* Each is tried with its first 1 to 6 extents; the kernel visits all of their product. */
static const size_t shapes[][ACCEL_MAX_DIMS] = {{1, 1, 1, 1, 1, 1},      {7, 3, 2, 1, 5, 2},     {100, 1, 9, 2, 2, 3},
                                                {100003, 1, 1, 1, 1, 1}, {1009, 11, 3, 2, 2, 2}, {2, 70000, 1, 1, 1, 3},
                                                {3, 5, 70001, 1, 2, 1},  {1025, 63, 2, 3, 1, 1}};

START_TEST(k2_a_division_covers_the_extent_and_no_launch_refuses_it)
{
    static const char *const names[] = {"each", "each_nosync"};
    accel_queue *queue = queue_new(test.device, 0);
    for (int k = 0; k < 2; ++k) {
        accel_kernel *kernel = kernel_named(names[k]);
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
            for (uint32_t dims = 1; dims <= ACCEL_MAX_DIMS; ++dims) {
                accel_work work = ACCEL_WORK_INIT;
                accel_buffer *buffer = words_new(test.device, 1, 0);
                words_args args = {.words = accel_buffer_ptr(buffer), .n = 1};
                accel_status status = accel_work_divide(kernel, dims, shapes[s], NULL, &work);
                if (status == ACCEL_LIMIT && k == 1) { /* one element per thread may need more blocks than there are */
                    ck_assert_ptr_nonnull(strstr(accel_error_message(), "blocks"));
                } else {
                    ok(status);
                    covers(&work, dims, shapes[s]);
                    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
                    ok(accel_queue_wait(queue));
                }
                accel_buffer_release(buffer);
            }
        }
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(k2_wishes_are_kept_exactly_or_refused)
{
    accel_kernel *kernel = kernel_named("each_nosync");
    size_t extent[2] = {1000, 3000};
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    accel_work work = ACCEL_WORK_INIT;
    wish.threads[0] = 4;
    wish.threads[1] = 8;
    ok(accel_work_divide(kernel, 2, extent, &wish, &work));
    covers(&work, 2, extent);
    ck_assert(work.threads[0] == 4 && work.threads[1] == 8);
    wish.elems[1] = 5;
    ok(accel_work_divide(kernel, 2, extent, &wish, &work));
    covers(&work, 2, extent);
    ck_assert(work.threads[1] == 8 && work.elems[1] == 5);
    ck_assert_uint_eq(work.blocks[1], 75);
    accel_divide_desc most = ACCEL_DIVIDE_DESC_INIT;
    most.max_threads = 6;
    ok(accel_work_divide(kernel, 2, extent, &most, &work));
    covers(&work, 2, extent);
    ck_assert_uint_le(work.threads[0] * work.threads[1], 6);
    most.shared_bytes = 1000;
    ok(accel_work_divide(kernel, 2, extent, &most, &work));
    ck_assert_uint_eq(work.shared_bytes, 1000);

    accel_work untouched = work;
    accel_divide_desc impossible = ACCEL_DIVIDE_DESC_INIT;
    impossible.threads[0] = 2048;
    refused(ACCEL_LIMIT, accel_work_divide(kernel, 2, extent, &impossible, &work), "2048", "1024");
    impossible.threads[0] = 8;
    impossible.max_threads = 4;
    refused(ACCEL_LIMIT, accel_work_divide(kernel, 2, extent, &impossible, &work), "8", "4");
    impossible = (accel_divide_desc)ACCEL_DIVIDE_DESC_INIT;
    impossible.shared_bytes = (size_t)1 << 40;
    refused(ACCEL_LIMIT, accel_work_divide(kernel, 2, extent, &impossible, &work), "shared");
    ck_assert_int_eq(memcmp(&untouched, &work, sizeof work), 0);
}
END_TEST

START_TEST(k2_thread_kernels_get_one_element_per_thread_without_a_wish)
{
    accel_work work = ACCEL_WORK_INIT;
    size_t extent[3] = {4, 50, 600};
    ok(accel_work_divide(kernel_named("each_nosync"), 3, extent, NULL, &work));
    covers(&work, 3, extent);
    for (int d = 0; d < 3; ++d)
        ck_assert_uint_eq(work.elems[d], 1);
}
END_TEST

START_TEST(k2_fixed_blocks_are_kept)
{
    accel_work work = ACCEL_WORK_INIT;
    size_t extent[3] = {10, 20, 30};
    ok(accel_work_divide(kernel_named("fixed"), 3, extent, NULL, &work));
    covers(&work, 3, extent);
    ck_assert(work.threads[0] == 2 && work.threads[1] == 4 && work.threads[2] == 8);
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    wish.threads[2] = 16;
    refused(ACCEL_LIMIT, accel_work_divide(kernel_named("fixed"), 3, extent, &wish, &work), "16", "8");
}
END_TEST

START_TEST(k3_an_empty_extent_divides_into_no_blocks)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 1);
    for (uint32_t zero = 0; zero < 3; ++zero) {
        accel_work work = ACCEL_WORK_INIT;
        size_t extent[3] = {5, 6, 7};
        words_args args = {.words = accel_buffer_ptr(buffer), .n = 10};
        extent[zero] = 0;
        ok(accel_work_divide(kernel_named("each"), 3, extent, NULL, &work));
        ck_assert_uint_eq(product(work.blocks, 3), 0);
        ok(accel_launch(queue, kernel_named("each"), &work, &args, sizeof args));
        words_are(queue, buffer, 1);
    }
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(divided_work_visits_every_element_once)
{
    static const char *const names[] = {"each", "each_32", "each_by_thread", "each_nosync"};
    static const size_t counts[] = {1, 2, 15, 16, 17, 1000, 4096, 100003};
    accel_queue *queue = queue_new(test.device, 0);
    for (int k = 0; k < 4; ++k) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
            accel_kernel *kernel = kernel_named(names[k]);
            accel_work work = ACCEL_WORK_INIT;
            accel_buffer *buffer = words_new(test.device, counts[c], 0);
            words_args args = {.words = accel_buffer_ptr(buffer), .n = counts[c]};
            ok(accel_work_divide(kernel, 1, &counts[c], NULL, &work));
            ok(accel_launch(queue, kernel, &work, &args, sizeof args));
            words_are(queue, buffer, 1);
            accel_buffer_release(buffer);
        }
    }
    accel_queue_release(queue);
}
END_TEST

/* What an element takes decides the blocks on CPUs, and nowhere which elements are visited. */
START_TEST(k12_each_cpu_gets_a_block_and_a_heavy_element_one_of_its_own)
{
    enum { HEAVY_NS = 1000000 };
    static const size_t counts[] = {1, 2, 15, 64, 1000}, costs[] = {0, 10, 2000, HEAVY_NS};
    const bool cpu = test.properties.kind == ACCEL_DEVICE_CPU;
    accel_queue *queue = queue_new(test.device, 0);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        for (size_t e = 0; e < sizeof costs / sizeof costs[0]; ++e) {
            const size_t n = counts[c], units = test.properties.compute_units;
            accel_work work = ACCEL_WORK_INIT;
            accel_divide_desc wishes = ACCEL_DIVIDE_DESC_INIT;
            accel_buffer *buffer = words_new(test.device, n, 0);
            words_args args = {.words = accel_buffer_ptr(buffer), .n = n};
            wishes.elem_ns = costs[e];
            ok(accel_work_divide(kernel_named("each"), 1, &n, &wishes, &work));
            covers(&work, 1, &n);
            if (cpu && costs[e] == 0)
                ck_assert_uint_ge(work.blocks[0], n < units ? n : units);
            if (cpu && costs[e] == HEAVY_NS)
                ck_assert_uint_eq(work.blocks[0], n);
            ok(accel_launch(queue, kernel_named("each"), &work, &args, sizeof args));
            words_are(queue, buffer, 1);
            accel_buffer_release(buffer);
        }
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(huge_extents_are_divided_or_refused_never_clipped)
{
    accel_work work = ACCEL_WORK_INIT;
    size_t huge[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    accel_status status = accel_work_divide(kernel_named("each"), 3, huge, NULL, &work);
    ck_assert(status == ACCEL_OK || status == ACCEL_LIMIT);
    size_t line = (size_t)1 << 45;
    status = accel_work_divide(kernel_named("each"), 1, &line, NULL, &work);
    if (status == ACCEL_OK)
        covers(&work, 1, &line);
    else
        ck_assert_uint_eq(status, ACCEL_LIMIT);
}
END_TEST

Suite *work_suite(void)
{
    Suite *suite = suite_create("work");
    add(suite, k2_a_division_covers_the_extent_and_no_launch_refuses_it);
    add(suite, k2_wishes_are_kept_exactly_or_refused);
    add(suite, k2_thread_kernels_get_one_element_per_thread_without_a_wish);
    add(suite, k2_fixed_blocks_are_kept);
    add(suite, k3_an_empty_extent_divides_into_no_blocks);
    add(suite, divided_work_visits_every_element_once);
    add(suite, k12_each_cpu_gets_a_block_and_a_heavy_element_one_of_its_own);
    add(suite, huge_extents_are_divided_or_refused_never_clipped);
    return suite;
}
