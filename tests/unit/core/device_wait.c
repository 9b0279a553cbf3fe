/* SPDX-License-Identifier: Apache-2.0 */
/* accel_device_wait: whatever it returns, every queue was waited for. */
#include "fake_backend.h"
#include "run.h"

#include "core/base/error.h"

#include <string.h>

static size_t waits, failing;

static accel_status wait(accel_impl_queue *queue)
{
    (void)queue;
    return ++waits >= failing ? accel_error_set(ACCEL_IO, "failure %zu", waits) : ACCEL_OK;
}

static fake_backend *open_with(accel_queue *queues[], size_t count)
{
    fake_backend *fake = fake_open(NULL);

    fake->device->backend->queue_vtable.wait = wait;
    for (size_t i = 0; i < count; ++i)
        ck_assert_uint_eq(accel_queue_create(fake->device, NULL, &queues[i]), ACCEL_OK);
    waits = 0;
    return fake;
}

static void close_with(accel_queue *queues[], size_t count)
{
    for (size_t i = 0; i < count; ++i)
        accel_queue_release(queues[i]);
    fake_close();
}

START_TEST(q9_it_waits_for_all_queues_also_without_memory)
{
    accel_queue *queues[3];
    fake_backend *fake = open_with(queues, 3);

    failing = SIZE_MAX;
    run_fail_allocation(1);
    ck_assert_uint_eq(accel_device_wait(fake->device), ACCEL_OK);
    run_fail_allocation(0);
    ck_assert_uint_eq(waits, 4); /* the fake has one of its own */
    close_with(queues, 3);
}
END_TEST

START_TEST(q9_the_first_failure_is_reported_after_all_were_waited_for)
{
    accel_queue *queues[3];
    fake_backend *fake = open_with(queues, 3);

    failing = 2;
    run_fail_allocation(1);
    ck_assert_uint_eq(accel_device_wait(fake->device), ACCEL_IO);
    run_fail_allocation(0);
    ck_assert_uint_eq(waits, 4);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "failure 2"));
    close_with(queues, 3);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("device wait");

    add(suite, q9_it_waits_for_all_queues_also_without_memory);
    add(suite, q9_the_first_failure_is_reported_after_all_were_waited_for);
    return suite;
}
