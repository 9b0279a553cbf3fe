/* SPDX-License-Identifier: Apache-2.0 */
/* Fills. */
#include "nouns.h"
#include "suite.h"

static void check_fill(accel_queue *queue, size_t element, size_t count, size_t pattern_size)
{
    accel_buffer_desc desc = accel_buffer_1d(element, count);
    accel_buffer *buffer = buffer_new(test.device, &desc);
    size_t bytes = element * count;
    unsigned char *pattern = malloc(pattern_size), *seen = malloc(bytes + 1);
    for (size_t i = 0; i < pattern_size; ++i)
        pattern[i] = (unsigned char)(i * 37 + pattern_size);
    memset(seen, 0, bytes);
    ok(accel_fill(queue, buffer, pattern, pattern_size, NULL));
    memset(pattern, 0, pattern_size); /* it was copied */
    ok(accel_read(queue, seen, buffer));
    ok(accel_queue_wait(queue));
    for (size_t i = 0; i < bytes; ++i)
        ck_assert_msg(seen[i] == (unsigned char)(i % pattern_size * 37 + pattern_size),
                      "byte %zu of a pattern of %zu is wrong", i, pattern_size);
    free(pattern);
    free(seen);
    accel_buffer_release(buffer);
}

START_TEST(m7_patterns_of_every_size_up_to_4096_bytes)
{
    static const size_t sizes[] = {1,  2,  3,  4,  5,   6,   7,    8,    12,   16,   24,
                                   31, 32, 33, 64, 100, 128, 1000, 1024, 2048, 4095, 4096};
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_queue *queue = queue_new(test.device, flags);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
            check_fill(queue, sizes[i], 33, sizes[i]);
            check_fill(queue, 1, sizes[i] * 7, sizes[i]);
        }
        check_fill(queue, 8, 60, 4);   /* smaller than an element */
        check_fill(queue, 4, 120, 48); /* of several */
        accel_queue_release(queue);
    }
}
END_TEST

START_TEST(m7_each_row_repeats_the_pattern)
{
    accel_queue *queue = queue_new(test.device, 0);
    for (uint32_t dims = 2; dims <= ACCEL_MAX_DIMS; ++dims) {
        accel_buffer_desc desc = ACCEL_BUFFER_DESC_INIT;
        size_t rows = 1;
        desc.element_size = 2;
        desc.dims = dims;
        for (uint32_t d = 0; d + 1 < dims; ++d)
            rows *= desc.extent[d] = 2 + d;
        desc.extent[dims - 1] = 6;
        accel_buffer *buffer = buffer_new(test.device, &desc);
        uint16_t *seen = calloc(rows * 6, sizeof *seen);
        static const uint16_t pattern[3] = {11, 22, 33};
        ok(accel_fill(queue, buffer, pattern, sizeof pattern, NULL));
        ok(accel_read(queue, seen, buffer));
        ok(accel_queue_wait(queue));
        for (size_t i = 0; i < rows * 6; ++i)
            ck_assert_uint_eq(seen[i], pattern[i % 3]);
        free(seen);
        accel_buffer_release(buffer);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(a_fill_touches_its_extent_and_nothing_else)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer_desc desc = accel_buffer_3d(4, 5, 6, 7);
    accel_buffer *buffer = buffer_new(test.device, &desc), *view = NULL;
    uint32_t zero = 0, one = 1, two = 2, seen[5][6][7];
    ok(accel_fill(queue, buffer, &zero, sizeof zero, NULL));
    ok(accel_fill(queue, buffer, &one, sizeof one, (size_t[]){2, 3, 4}));
    ok(accel_buffer_view(buffer, (size_t[]){3, 2, 1}, (size_t[]){2, 3, 5}, &view));
    ok(accel_fill(queue, view, &two, sizeof two, NULL));
    ok(accel_read(queue, seen, buffer));
    ok(accel_queue_wait(queue));
    for (size_t i = 0; i < 5; ++i)
        for (size_t j = 0; j < 6; ++j)
            for (size_t k = 0; k < 7; ++k) {
                bool in_one = i < 2 && j < 3 && k < 4, in_two = i >= 3 && j >= 2 && j < 5 && k >= 1 && k < 6;
                ck_assert_uint_eq(seen[i][j][k], in_one ? 1 : in_two ? 2 : 0);
            }
    accel_buffer_release(view);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(the_bytes_between_rows_stay)
{
    accel_queue *queue = queue_new(test.device, 0);
    unsigned char memory[4][32];
    accel_buffer_desc desc = accel_buffer_2d(1, 4, 20);
    accel_buffer *flat = bytes_new(test.device, sizeof memory), *buffer = NULL;
    desc.pitch[0] = 32;
    memset(memory, 9, sizeof memory);
    ok(accel_write(queue, flat, memory));
    ok_if_supported(accel_buffer_wrap(test.device, accel_buffer_ptr(flat), &desc, &buffer));
    for (size_t size = 1; size <= 20; ++size) {
        unsigned char pattern[20];
        if (20 % size != 0)
            continue;
        for (size_t i = 0; i < size; ++i)
            pattern[i] = (unsigned char)(100 + i);
        ok(accel_fill(queue, buffer, pattern, size, NULL));
        ok(accel_read(queue, memory, flat));
        ok(accel_queue_wait(queue));
        for (size_t i = 0; i < 4; ++i)
            for (size_t j = 0; j < 32; ++j)
                ck_assert_uint_eq(memory[i][j], j < 20 ? 100 + j % size : 9);
    }
    accel_buffer_release(buffer);
    accel_buffer_release(flat);
    accel_queue_release(queue);
}
END_TEST

START_TEST(the_queue_of_a_fill_belongs_to_the_buffers_device)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = bytes_new(test.host, 100);
    memset(accel_buffer_ptr(buffer), 9, 100);
    refused(ACCEL_INVALID, accel_fill(queue, buffer, "a", 1, NULL), "host", test.properties.name);
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(((unsigned char *)accel_buffer_ptr(buffer))[99], 9);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

Suite *fill_suite(void)
{
    Suite *suite = suite_create("fill");
    add(suite, m7_patterns_of_every_size_up_to_4096_bytes);
    add(suite, m7_each_row_repeats_the_pattern);
    add(suite, a_fill_touches_its_extent_and_nothing_else);
    add(suite, the_bytes_between_rows_stay);
    add(suite, the_queue_of_a_fill_belongs_to_the_buffers_device);
    return suite;
}
