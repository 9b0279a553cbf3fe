/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of the GPU engine: cooperative ones, shared memory, the current context. */
#include "gpu_launching.h"

#include <string.h>

static accel_status launch_cooperative(accel_impl_queue *queue, uint32_t blocks)
{
    accel_work work = gpu_fake_work();
    work.flags = ACCEL_WORK_COOPERATIVE;
    work.blocks[0] = blocks;
    return gpu_queue_vtable.launch(queue, kernel, &work, &args);
}

START_TEST(a_launch_that_the_driver_refuses_says_so_and_changes_nothing)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    gpu_fake_launch_result = FAKE_REFUSED;
    FAILS(ACCEL_DRIVER, launch(queue));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "\"axpy\" (3x1x1 blocks of 64x1x1 threads"));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "FAKE_ERROR (1), something else"));
    gpu_fake_launch_result = 0;
    OK(launch(queue));
    OK(gpu_queue_vtable.wait(queue));
    ck_assert_uint_eq(gpu_fake_launches, 1);
    gpu_queue_vtable.destroy(queue);
    close_fake();
}
END_TEST

START_TEST(cooperative_launches_take_the_drivers_entry_for_them_and_others_do_not)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    gpu_fake_forget();
    OK(launch(queue));
    OK(launch_cooperative(queue, 32));
    ck_assert_str_eq(gpu_fake_log(), "launch 3 64;cooperative launch 32 64;");
    OK(gpu_queue_vtable.wait(queue));
    ck_assert_uint_eq(gpu_fake_launches, 2);
    gpu_queue_vtable.destroy(queue);
    close_fake();
}
END_TEST

START_TEST(k2_what_the_driver_refuses_as_too_large_is_told_with_the_limit)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    uint64_t blocks = 0;
    OK(gpu_module_vtable.resident_blocks(kernel, 64, 0, &blocks));
    ck_assert_uint_eq(blocks, 32);
    FAILS(ACCEL_LIMIT, launch_cooperative(queue, 33));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "cooperative launch of \"axpy\" (33x1x1 blocks of 64x1x1"));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "holds 32 "));
    OK(launch(queue)); /* nothing else changed */
    OK(gpu_queue_vtable.wait(queue));
    gpu_queue_vtable.destroy(queue);
    close_fake();
}
END_TEST

START_TEST(q7_one_that_was_held_back_and_is_too_large_fails_its_queue)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    accel_timeline *timeline = timeline_new();
    OK(gpu_queue_vtable.wait_timeline(queue, timeline, 1));
    OK(launch_cooperative(queue, 32));
    OK(launch_cooperative(queue, 33));
    OK(launch(queue));
    accel_services.timeline_signal(timeline, 1, ACCEL_OK);
    FAILS(ACCEL_LIMIT, gpu_queue_vtable.wait(queue));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "holds 32 "));
    ck_assert_uint_eq(gpu_fake_launches, 1); /* what stood before it */
    accel_services.timeline_release(timeline);
    gpu_queue_vtable.destroy(queue);
    close_fake();
}
END_TEST

START_TEST(the_callers_current_context_is_found_as_it_was_left)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    const gpu_driver *driver = fake.devices[0]->driver;
    gpu_context theirs = (gpu_context)(uintptr_t)2, current = NULL;
    for (int i = 0; i < 2; ++i) {
        OK(launch(queue));
        OK(gpu_queue_vtable.wait(queue));
        driver->context_get_current(&current);
        ck_assert_ptr_eq(current, i == 0 ? NULL : theirs);
        driver->context_set_current(theirs);
    }
    gpu_queue_vtable.destroy(queue);
    close_fake();
    driver->context_get_current(&current);
    ck_assert_ptr_eq(current, theirs);
    driver->context_set_current(NULL);
}
END_TEST

START_TEST(shared_memory_above_the_usual_limit_is_asked_for_once)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    accel_work work = gpu_fake_work();
    static const size_t wanted[] = {1000, 50000, 60000, 50000, 60000};
    gpu_fake_forget();
    for (int i = 0; i < 5; ++i) {
        work.shared_bytes = wanted[i];
        OK(gpu_queue_vtable.launch(queue, kernel, &work, &args));
    }
    ck_assert_str_eq(gpu_fake_log(),
                     "launch 3 64;shared 50000;launch 3 64;shared 60000;launch 3 64;launch 3 64;launch 3 64;");
    OK(gpu_queue_vtable.wait(queue));
    gpu_queue_vtable.destroy(queue);
    close_fake();
}
END_TEST

START_TEST(the_smallest_block_that_fills_a_unit_is_suggested)
{
    open_fake();
    accel_suggestion suggestion = {.struct_size = sizeof(suggestion)};
    OK(gpu_module_vtable.suggest(kernel, 0, &suggestion));
    ck_assert_uint_eq(suggestion.threads, 256);
    ck_assert_uint_eq(suggestion.blocks, 8); /* of one unit */
    close_fake();
}
END_TEST

/* A device may run kernels of warps that are not its own. */
START_TEST(the_width_of_warps_is_the_kernels_where_its_object_tells_it)
{
    static const uint32_t told[] = {64, 0};
    for (int i = 0; i < 2; ++i) {
        accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
        accel_impl_kernel *same = NULL;
        gpu_fake_warp_size = told[i];
        open_fake();
        OK(gpu_module_vtable.kernel(module, "axpy", &same, &properties));
        ck_assert_uint_eq(properties.warp_size, told[i] != 0 ? told[i] : 1); /* the fake device's */
        close_fake();
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("gpu_launch");
    add(suite, a_launch_that_the_driver_refuses_says_so_and_changes_nothing);
    add(suite, cooperative_launches_take_the_drivers_entry_for_them_and_others_do_not);
    add(suite, k2_what_the_driver_refuses_as_too_large_is_told_with_the_limit);
    add(suite, q7_one_that_was_held_back_and_is_too_large_fails_its_queue);
    add(suite, the_callers_current_context_is_found_as_it_was_left);
    add(suite, shared_memory_above_the_usual_limit_is_asked_for_once);
    add(suite, the_width_of_warps_is_the_kernels_where_its_object_tells_it);
    add(suite, the_smallest_block_that_fills_a_unit_is_suggested);
    return suite;
}
