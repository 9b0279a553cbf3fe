/* SPDX-License-Identifier: Apache-2.0 */
/* What is HIP's own in opening its library: the names, the versions, the two layouts of its properties, and what older
 * majors lack. */
#include "run.h"

#include "plugins/gpu/driver/hip/hip.h"
#include "opened.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(usable_driver_is_opened_without_a_context)
{
    count_calls();
    setenv("GPUSIM_VERSION", "70100000", 1);
    opened result = open_simulated(&hip_family);

    ck_assert_msg(result.status == ACCEL_OK, "%s", result.text);
    ck_assert_ptr_eq(result.driver, &hip_driver);
    ck_assert_str_eq(result.driver->name, "hip");
    ck_assert_int_eq(result.driver->driver_version, 70100000);
    ck_assert_int_eq(result.driver->runtime_version, 60300000);
    ck_assert_uint_eq(calls_of("hipInit"), 1);
    ck_assert_uint_eq(calls_of("hipSetDevice"), 0);
    ck_assert(result.driver->fill_2d_16 != NULL && result.driver->fill_2d_32 != NULL);
    ck_assert(result.driver->launch_cooperative != NULL && result.driver->allocate_async != NULL);
}
END_TEST

START_TEST(first_name_that_is_there_is_taken)
{
    const char *names[] = {"libaccel-no-such-hip.so.7", simulated_path(&hip_family), broken_path("needy"), NULL};

    opened result = open_names(&hip_family, names, "");
    ck_assert_msg(result.status == ACCEL_OK, "%s", result.text);
}
END_TEST

START_TEST(no_library_tells_all_names_tried)
{
    const char *names[] = {"libaccel-no-such-hip.so.7", "libaccel-no-such-hip.so.6", "libaccel-no-such-hip.so.5", NULL};
    opened result = open_names(&hip_family, names, "");

    ck_assert_refused(&result, ACCEL_BACKEND_NO_DRIVER, "hip: no driver library", names[0], names[1], names[2], "ROCm",
                      NULL);
}
END_TEST

START_TEST(old_driver_tells_what_was_found_and_what_is_needed)
{
    count_calls();
    setenv("GPUSIM_VERSION", "40421401", 1);
    opened result = open_simulated(&hip_family);

    ck_assert_refused(&result, ACCEL_BACKEND_DRIVER_TOO_OLD, "found HIP 4.4", "needed HIP 5.2", NULL);
    ck_assert_uint_eq(calls_of("hipInit"), 0);
}
END_TEST

START_TEST(missing_function_is_named)
{
    count_calls();
    setenv("GPUSIM_MISSING", "hipModuleUnload", 1);
    opened result = open_simulated(&hip_family);

    ck_assert_refused(&result, ACCEL_BACKEND_BROKEN, "lacks the function hipModuleUnload", NULL);
    ck_assert_uint_eq(calls_of("hipInit"), 0);
}
END_TEST

/* HIP 5.2 answers so where the kernel has no driver. */
START_TEST(invalid_device_in_init_is_no_device)
{
    setenv("GPUSIM_INIT", "101", 1);
    opened result = open_simulated(&hip_family);

    ck_assert_refused(&result, ACCEL_BACKEND_NO_DEVICE, "hipInit", "hipErrorInvalidDevice (101, ",
                      "/dev/kfd: No such file or directory", NULL);
}
END_TEST

START_TEST(kernel_driver_that_is_too_old_is_told)
{
    setenv("GPUSIM_INIT", "35", 1);
    opened result = open_simulated(&hip_family);

    ck_assert_refused(&result, ACCEL_BACKEND_DRIVER_TOO_OLD, "amdgpu", NULL);
}
END_TEST

static void hip_5(void)
{
    setenv("GPUSIM_VERSION", "50221153", 1);
    setenv("GPUSIM_RUNTIME_VERSION", "50221153", 1);
}

static void call(void *user)
{
    ++*(int *)user;
}

START_TEST(hip_5_has_stated_fallbacks)
{
    int calls = 0;
    gpu_context context = NULL;
    gpu_stream stream = NULL;

    hip_5();
    opened result = open_simulated(&hip_family);
    ck_assert_msg(result.status == ACCEL_OK, "%s", result.text);
    ck_assert(result.driver->fill_2d_8 != NULL);
    ck_assert(result.driver->fill_2d_16 == NULL && result.driver->fill_2d_32 == NULL);
    ck_assert(result.driver->launch_cooperative == NULL);
    ck_assert_int_eq(result.driver->context_retain(&context, 0), 0);
    ck_assert_int_eq(result.driver->context_set_current(context), 0);
    ck_assert_int_eq(result.driver->stream_create(&stream, GPU_STREAM_NON_BLOCKING, 0), 0);
    ck_assert_int_eq(result.driver->stream_call(stream, call, &calls), 0);
    ck_assert_int_eq(result.driver->stream_synchronize(stream), 0);
    ck_assert_int_eq(calls, 1);
    ck_assert_int_eq(result.driver->stream_destroy(stream), 0);
    ck_assert_int_eq(result.driver->context_release(NULL, 0), 0);
}
END_TEST

START_TEST(architecture_is_read_from_the_layout_of_the_major)
{
    gpu_description description;
    if (_i == 1)
        hip_5();
    opened result = open_simulated(&hip_family);

    ck_assert_uint_eq(result.status, ACCEL_OK);
    ck_assert_int_eq(result.driver->device_describe(&description, 1), 0);
    ck_assert_str_eq(description.architecture, "gfx90a:sramecc+:xnack-");
    ck_assert_str_eq(description.targets, "gfx90a:sramecc+:xnack- gfx90a:xnack- gfx90a:sramecc+ gfx90a");
    ck_assert_mem_eq(description.uuid, "hipZZZZZZZZZZZZ\2", 16); /* the simulator's second */
    ck_assert_uint_ge(description.max_parameter_bytes, ACCEL_MAX_ARGS_SIZE + sizeof(accel_grid));
}
END_TEST

START_TEST(every_attribute_of_the_engine_has_a_number_or_none)
{
    opened result = open_simulated(&hip_family);
    int value = 0;

    ck_assert_uint_eq(result.status, ACCEL_OK);
    for (int i = 0; i < GPU_ATTRIBUTE_COUNT; ++i)
        ck_assert_msg(result.driver->attribute_numbers[i] != 0, "attribute %d", i);
    ck_assert_int_eq(result.driver->attribute_numbers[GPU_ATTRIBUTE_MAX_SHARED_OPTIN], GPU_ATTRIBUTE_NONE);
    ck_assert_int_eq(
        result.driver->device_attribute(&value, result.driver->attribute_numbers[GPU_ATTRIBUTE_UNIFIED_ADDRESS], 0), 0);
    ck_assert_int_eq(value, 1);
}
END_TEST

/* A dimension has up to UINT32_MAX threads, whatever the library says of blocks. */
START_TEST(grids_are_limited_by_their_threads)
{
    opened result = open_simulated(&hip_family);
    int value = 0;

    ck_assert_uint_eq(result.status, ACCEL_OK); /* the simulator says 2147483647 blocks along x, 65535 along z */
    ck_assert_int_eq(result.driver->device_attribute(&value, HIP_ATTRIBUTE_MAX_BLOCKS_X, 0), 0);
    ck_assert_uint_le((uint64_t)value * ACCEL_MAX_BLOCK_THREADS, UINT32_MAX);
    ck_assert_uint_gt(((uint64_t)value + 1) * ACCEL_MAX_BLOCK_THREADS, UINT32_MAX - ACCEL_MAX_BLOCK_THREADS);
    ck_assert_int_eq(result.driver->device_attribute(&value, HIP_ATTRIBUTE_MAX_BLOCKS_Z, 0), 0);
    ck_assert_int_eq(value, 65535);
}
END_TEST

START_TEST(current_device_is_the_context)
{
    gpu_context context = NULL;
    count_calls();
    setenv("GPUSIM_DEVICES", "4", 1);
    opened result = open_simulated(&hip_family);

    ck_assert_uint_eq(result.status, ACCEL_OK);
    ck_assert_int_eq(result.driver->context_get_current(&context), 0);
    ck_assert_uint_eq((uintptr_t)context, 1); /* the first device is current from the start */
    ck_assert_int_eq(result.driver->context_retain(&context, 3), 0);
    ck_assert_uint_eq((uintptr_t)context, 4);
    ck_assert_int_eq(result.driver->context_set_current(NULL), 0);
    ck_assert_uint_eq(calls_of("hipSetDevice"), 0);
    ck_assert_int_eq(result.driver->context_set_current(context), 0);
    ck_assert_uint_eq(calls_of("hipSetDevice"), 1);
    ck_assert_int_eq(result.driver->context_get_current(&context), 0);
    ck_assert_uint_eq((uintptr_t)context, 4);
    ck_assert_int_eq(result.driver->context_release(NULL, 3), 0);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("hip_opening");
    TCase *loops = tcase_create("loops");

    add(suite, usable_driver_is_opened_without_a_context);
    add(suite, first_name_that_is_there_is_taken);
    add(suite, no_library_tells_all_names_tried);
    add(suite, old_driver_tells_what_was_found_and_what_is_needed);
    add(suite, missing_function_is_named);
    add(suite, invalid_device_in_init_is_no_device);
    add(suite, kernel_driver_that_is_too_old_is_told);
    add(suite, hip_5_has_stated_fallbacks);
    add(suite, every_attribute_of_the_engine_has_a_number_or_none);
    add(suite, grids_are_limited_by_their_threads);
    add(suite, current_device_is_the_context);
    tcase_add_loop_test(loops, architecture_is_read_from_the_layout_of_the_major, 0, 2);
    suite_add_tcase(suite, loops);
    return suite;
}
