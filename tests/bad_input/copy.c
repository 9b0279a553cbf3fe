/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills that do not fit. Nothing may have been written. */
#include "nouns.h"
#include "suite.h"

START_TEST(copies_between_unequal_buffers_are_refused)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *words = words_new(test.device, 12, 1), *fewer = words_new(test.device, 10, 2),
                 *bytes = bytes_new(test.device, 12);
    accel_buffer_desc desc = accel_buffer_2d(4, 3, 4);
    accel_buffer *plane = buffer_new(test.device, &desc);
    desc = accel_buffer_2d(4, 4, 3);
    accel_buffer *turned = buffer_new(test.device, &desc), *as_many = bytes_new(test.device, 48);
    refused(ACCEL_INVALID, accel_copy(queue, words, bytes, NULL), "element", "4", "1");
    refused(ACCEL_INVALID, accel_copy(queue, words, as_many, NULL), "element", "4", "1");
    refused(ACCEL_INVALID, accel_copy(queue, plane, turned, NULL), "3x4", "4x3", "extent");
    refused(ACCEL_INVALID, accel_copy(queue, words, bytes, (size_t[]){1}), "element", "4", "1");
    refused(ACCEL_INVALID, accel_copy(queue, words, plane, NULL), "dimensions", "2", "1");
    refused(ACCEL_INVALID, accel_copy(queue, words, fewer, NULL), "12", "10", "extent");
    refused(ACCEL_INVALID, accel_copy(queue, words, fewer, (size_t[]){11}), "extent[0]", "11", "src", "10");
    refused(ACCEL_INVALID, accel_copy(queue, fewer, words, (size_t[]){11}), "extent[0]", "11", "dst", "10");
    refused(ACCEL_INVALID, accel_copy(queue, fewer, words, (size_t[]){SIZE_MAX}), "extent[0]");
    words_are(queue, words, 1);
    words_are(queue, fewer, 2);
    accel_buffer_release(words);
    accel_buffer_release(fewer);
    accel_buffer_release(bytes);
    accel_buffer_release(plane);
    accel_buffer_release(turned);
    accel_buffer_release(as_many);
    accel_queue_release(queue);
}
END_TEST

START_TEST(m5_overlapping_copies_are_refused)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer_desc desc = accel_buffer_2d(4, 8, 8);
    accel_buffer *plane = buffer_new(test.device, &desc), *a = NULL, *b = NULL, *c = NULL;
    uint32_t before[64], after[64];
    for (uint32_t i = 0; i < 64; ++i)
        before[i] = i;
    ok(accel_write(queue, plane, before));
    ok(accel_queue_wait(queue));
    ok(accel_buffer_view(plane, NULL, (size_t[]){4, 4}, &a));
    ok(accel_buffer_view(plane, (size_t[]){3, 3}, (size_t[]){4, 4}, &b)); /* shares one element with a */
    ok(accel_buffer_view(plane, (size_t[]){4, 4}, (size_t[]){4, 4}, &c)); /* none */
    refused(ACCEL_INVALID, accel_copy(queue, plane, plane, NULL), "share");
    refused(ACCEL_INVALID, accel_copy(queue, b, a, NULL), "share");
    refused(ACCEL_INVALID, accel_copy(queue, a, b, NULL), "share");
    ok(accel_read(queue, after, plane));
    ok(accel_queue_wait(queue));
    ck_assert_int_eq(memcmp(before, after, sizeof before), 0);
    ok(accel_copy(queue, c, a, NULL));
    ok(accel_copy(queue, b, a, (size_t[]){3, 3})); /* of a, the part that b does not have */
    ok(accel_queue_wait(queue));
    accel_buffer_release(a);
    accel_buffer_release(b);
    accel_buffer_release(c);
    accel_buffer_release(plane);
    if (test.properties.features & ACCEL_FEATURE_HOST_MEMORY) { /* the host's view of the same memory */
        accel_buffer *buffer = words_new(test.device, 20, 4), *alias = NULL;
        accel_buffer_desc line = accel_buffer_1d(4, 10);
        uint32_t *memory = buffer_info(buffer).host_ptr;
        ok(accel_buffer_wrap(test.host, memory + 5, &line, &alias));
        refused(ACCEL_INVALID, accel_copy(queue, buffer, alias, (size_t[]){10}), "share");
        refused(ACCEL_INVALID, accel_read(queue, memory + 19, buffer), "share");
        refused(ACCEL_INVALID, accel_write(queue, buffer, memory + 1), "share");
        words_are(queue, buffer, 4);
        accel_buffer_release(alias);
        accel_buffer_release(buffer);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(fills_that_do_not_fit_are_refused)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 1);
    unsigned char *pattern = calloc(1, 5000);
    refused(ACCEL_INVALID, accel_fill(queue, buffer, pattern, 0, NULL), "pattern_size", "0", "4096");
    refused(ACCEL_INVALID, accel_fill(queue, buffer, pattern, 4097, NULL), "pattern_size", "4097", "4096");
    refused(ACCEL_INVALID, accel_fill(queue, buffer, pattern, SIZE_MAX, NULL), "pattern_size", "4096");
    refused(ACCEL_INVALID, accel_fill(queue, buffer, pattern, 3, NULL), "40", "3");
    refused(ACCEL_INVALID, accel_fill(queue, buffer, pattern, 8, (size_t[]){3}), "12", "8");
    refused(ACCEL_INVALID, accel_fill(queue, buffer, pattern, 4, (size_t[]){11}), "extent[0]", "11", "10");
    words_are(queue, buffer, 1);
    free(pattern);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

Suite *bad_copy_suite(void)
{
    Suite *suite = suite_create("copy and fill");
    add(suite, copies_between_unequal_buffers_are_refused);
    add(suite, m5_overlapping_copies_are_refused);
    add(suite, fills_that_do_not_fit_are_refused);
    return suite;
}
