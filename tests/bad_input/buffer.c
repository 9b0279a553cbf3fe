/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes that cannot be, and views that lie outside. */
#include "nouns.h"
#include "suite.h"

static void not_created(const accel_buffer_desc *desc, accel_status status, const char *piece, const char *second)
{
    static uint32_t memory[64];
    accel_buffer *buffer = NULL;
    accel_queue *queue = queue_new(test.device, 0);
    refused(status, accel_buffer_create(test.device, desc, &buffer), piece, second);
    refused(status, accel_buffer_create(test.host, desc, &buffer), piece, second);
    refused(status, accel_buffer_create_async(queue, desc, &buffer), piece, second);
    if (desc->flags == 0)
        refused(status, accel_buffer_wrap(test.host, memory, desc, &buffer), piece, second);
    ck_assert_ptr_null(buffer);
    accel_queue_release(queue);
}

START_TEST(m3_zero_dimensions_and_element_sizes_are_errors)
{
    accel_buffer_desc desc = accel_buffer_1d(0, 10);
    not_created(&desc, ACCEL_INVALID, "element_size", "0");
    desc = accel_buffer_1d(4, 10);
    desc.dims = 0;
    not_created(&desc, ACCEL_INVALID, "dims", "1 to 6");
    desc.dims = 7;
    not_created(&desc, ACCEL_INVALID, "dims", "7");
    desc.dims = UINT32_MAX;
    not_created(&desc, ACCEL_INVALID, "dims", "1 to 6");
}
END_TEST

START_TEST(m3_products_that_overflow_are_refused)
{
    accel_buffer_desc desc = accel_buffer_1d(8, SIZE_MAX / 4);
    not_created(&desc, ACCEL_LIMIT, "element", "8");
    desc = accel_buffer_1d(SIZE_MAX, 2);
    not_created(&desc, ACCEL_LIMIT, "element", "2");
    desc = accel_buffer_3d(4, (size_t)1 << 32, (size_t)1 << 32, (size_t)1 << 32);
    not_created(&desc, ACCEL_LIMIT, "element", "4");
    desc = accel_buffer_2d(1, (size_t)1 << 63, 2);
    not_created(&desc, ACCEL_LIMIT, "element", "2");
    desc = accel_buffer_2d(4, 1000, 10);
    desc.pitch[0] = (SIZE_MAX / 1000 / 4 + 5) * 4;
    not_created(&desc, ACCEL_LIMIT, "pitch[0]", "1000");
    desc = accel_buffer_3d(4, 0, SIZE_MAX, SIZE_MAX); /* a zero extent heals no overflow, or makes the buffer empty */
    accel_buffer *buffer = NULL;
    accel_status status = accel_buffer_create(test.device, &desc, &buffer);
    ck_assert(status == ACCEL_OK || status == ACCEL_LIMIT);
    accel_buffer_release(buffer);
}
END_TEST

START_TEST(pitches_that_are_too_small_or_no_multiple_are_refused)
{
    accel_buffer_desc desc = accel_buffer_2d(4, 3, 5);
    desc.pitch[0] = 21;
    not_created(&desc, ACCEL_INVALID, "pitch[0]", "21");
    desc.pitch[0] = 16;
    not_created(&desc, ACCEL_INVALID, "pitch[0]", "20");
    desc.pitch[0] = 0;
    desc.pitch[1] = 8;
    not_created(&desc, ACCEL_INVALID, "pitch[1]", "8");
    desc = accel_buffer_3d(4, 3, 5, 7);
    desc.pitch[0] = 100;
    not_created(&desc, ACCEL_INVALID, "pitch[0]", "100");
}
END_TEST

START_TEST(unknown_and_contradicting_flags_are_refused)
{
    accel_buffer_desc desc = accel_buffer_1d(4, 10);
    desc.flags = 0x100;
    not_created(&desc, ACCEL_INVALID, "flags", "0x100");
    desc.flags = ACCEL_BUFFER_PINNED | ACCEL_BUFFER_MANAGED;
    not_created(&desc, ACCEL_INVALID, "flags", "");
}
END_TEST

START_TEST(views_outside_of_their_buffer_are_refused)
{
    accel_buffer_desc desc = accel_buffer_2d(4, 6, 8);
    accel_buffer *buffer = buffer_new(test.device, &desc), *inner = NULL, *view = NULL;
    refused(ACCEL_INVALID, accel_buffer_view(buffer, (size_t[]){7, 0}, NULL, &view), "offset[0]", "7", "6x8",
            "smaller");
    refused(ACCEL_INVALID, accel_buffer_view(buffer, (size_t[]){0, 9}, NULL, &view), "offset[1]", "9", "6x8");
    refused(ACCEL_INVALID, accel_buffer_view(buffer, NULL, (size_t[]){6, 9}, &view), "extent[1]", "9", "6x8",
            "smaller");
    refused(ACCEL_INVALID, accel_buffer_view(buffer, (size_t[]){3, 0}, (size_t[]){4, 1}, &view), "offset[0]", "3",
            "extent[0]", "4");
    refused(ACCEL_INVALID, accel_buffer_view(buffer, (size_t[]){SIZE_MAX, 0}, (size_t[]){2, 1}, &view), "offset[0]");
    refused(ACCEL_INVALID, accel_buffer_view(buffer, (size_t[]){2, 0}, (size_t[]){SIZE_MAX, 1}, &view), "extent[0]");
    ok(accel_buffer_view(buffer, (size_t[]){1, 2}, (size_t[]){3, 4}, &inner));
    refused(ACCEL_INVALID, accel_buffer_view(inner, NULL, (size_t[]){4, 4}, &view), "extent[0]", "4", "3x4");
    refused(ACCEL_INVALID, accel_buffer_view(inner, (size_t[]){0, 5}, NULL, &view), "offset[1]", "5", "3x4");
    ck_assert_ptr_null(view);
    accel_buffer_release(inner);
    accel_buffer_release(buffer);
}
END_TEST

START_TEST(memory_that_reaches_beyond_the_address_space_is_not_wrapped)
{
    accel_buffer_desc desc = accel_buffer_1d(8, 100);
    void *last = (void *)(uintptr_t)(UINTPTR_MAX - 15); /* NOLINT(performance-no-int-to-ptr): never followed */
    accel_buffer *buffer = NULL;
    refused(ACCEL_LIMIT, accel_buffer_wrap(test.host, last, &desc, &buffer), "800 bytes", "fff0", "address space");
    refused(ACCEL_LIMIT, accel_buffer_wrap(test.device, last, &desc, &buffer), "800 bytes", "fff0", "extents");
    ck_assert_ptr_null(buffer);
    desc = accel_buffer_1d(5, 3); /* the last byte that has an end */
    ok(accel_buffer_wrap(test.host, last, &desc, &buffer));
    accel_buffer_release(buffer);
}
END_TEST

Suite *bad_buffer_suite(void)
{
    Suite *suite = suite_create("buffer");
    add(suite, m3_zero_dimensions_and_element_sizes_are_errors);
    add(suite, m3_products_that_overflow_are_refused);
    add(suite, pitches_that_are_too_small_or_no_multiple_are_refused);
    add(suite, unknown_and_contradicting_flags_are_refused);
    add(suite, views_outside_of_their_buffer_are_refused);
    add(suite, memory_that_reaches_beyond_the_address_space_is_not_wrapped);
    return suite;
}
