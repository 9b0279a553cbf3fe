/* SPDX-License-Identifier: Apache-2.0 */
/* Too little memory: of the device. Core's own allocations: out_of_memory.c. */
#include "nouns.h"
#include "suite.h"

START_TEST(more_memory_than_there_is_is_refused)
{
    accel_buffer *buffer = NULL;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer_desc desc = accel_buffer_1d(1, (size_t)1 << 46);
    accel_status status = accel_buffer_create(test.device, &desc, &buffer);
    ck_assert_msg(status == ACCEL_OUT_OF_MEMORY || status == ACCEL_LIMIT, "%s", accel_status_name(status));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "70368744177664"));
    status = accel_buffer_create_async(queue, &desc, &buffer);
    ck_assert_msg(status == ACCEL_OUT_OF_MEMORY || status == ACCEL_LIMIT, "%s", accel_status_name(status));
    status = accel_buffer_create(test.host, &desc, &buffer);
    ck_assert_msg(status == ACCEL_OUT_OF_MEMORY || status == ACCEL_LIMIT, "%s", accel_status_name(status));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "70368744177664"));
    ck_assert_ptr_null(buffer);
    accel_buffer *small = words_new(test.device, 10, 4); /* it goes on with less */
    words_are(queue, small, 4);
    accel_buffer_release(small);
    accel_queue_release(queue);
}
END_TEST

START_TEST(an_allocation_that_fails_leaves_nothing_behind)
{
    accel_device *partner = need_partner();
    faulty_device_control *control = device_control(partner);
    accel_queue *queue = queue_new(partner, 0);
    accel_buffer_desc desc = accel_buffer_1d(4, 1000);
    for (uint64_t n = 0; n < 4; ++n) {
        accel_buffer *buffers[5] = {NULL};
        faulty_counts before, after;
        control->counts(control, &before);
        control->fail_allocation(control, n);
        for (uint64_t i = 0; i < 5; ++i) {
            if (i == n)
                refused(ACCEL_OUT_OF_MEMORY, accel_buffer_create(partner, &desc, &buffers[i]), "4000 bytes");
            else
                ok(accel_buffer_create(partner, &desc, &buffers[i]));
        }
        ck_assert_ptr_null(buffers[n]);
        control->fail_allocation(control, 0);
        refused(ACCEL_OUT_OF_MEMORY, accel_buffer_create_async(queue, &desc, &buffers[n]), "4000 bytes");
        ck_assert_ptr_null(buffers[n]);
        for (int i = 0; i < 5; ++i)
            accel_buffer_release(buffers[i]);
        control->counts(control, &after);
        ck_assert_uint_eq(after.allocated, before.allocated);
    }
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
}
END_TEST

Suite *memory_suite(void)
{
    Suite *suite = suite_create("memory");
    add(suite, more_memory_than_there_is_is_refused);
    add(suite, an_allocation_that_fails_leaves_nothing_behind);
    return suite;
}
