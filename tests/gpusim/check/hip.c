/* SPDX-License-Identifier: Apache-2.0 */
/* What HIP has otherwise. The engine is the same. */
#include "kernel.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *device_of_thread(void *device)
{
    hip_ok(hip.device_get(device));
    return NULL;
}

START_TEST(hip_threads_have_a_current_device)
{
    int device = -1;
    pthread_t thread;
    hip_open();
    hip_ok(hip.device_set(1));
    hip_ok(hip.device_get(&device));
    ck_assert_int_eq(device, 1);
    ck_assert_int_eq(hip.device_set(2), HIP_RESULT_INVALID_DEVICE);
    pthread_create(&thread, NULL, device_of_thread, &device);
    pthread_join(thread, NULL);
    ck_assert_int_eq(device, 0);
}
END_TEST

static hip_module hip_load(const char *target)
{
    hip_module module = NULL;
    void *bytes = object_bytes(target);
    hip_ok(hip.module_load(&module, bytes));
    free(bytes);
    return module;
}

static void hip_run(hip_module module, const char *symbol, uint32_t *words, size_t n, uint32_t value)
{
    hip_function function = NULL;
    words_args args = {words, n, value};
    accel_grid grid = grid_of(2, 64);
    void *parameters[] = {&args, &grid};
    hip_ok(hip.module_function(&function, module, symbol));
    hip_ok(hip.launch(function, 2, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL));
}

/* The lanes of a warp, and a sum, as kernels on a device of the architecture have them. */
static void runs_on(const char *architecture, const char *target, uint32_t lanes)
{
    enum { N = 1000 };
    uint32_t host[N], *words = NULL;
    int value = 0;
    setenv("GPUSIM_ARCHITECTURE", architecture, 1);
    hip_open();
    hip_ok(hip.device_attribute(&value, HIP_ATTRIBUTE_WARP_SIZE, 0));
    ck_assert_int_eq(value, (int)lanes);
    hip_ok(hip.memory_allocate((void **)&words, sizeof host));
    for (uint32_t i = 0; i < N; ++i)
        host[i] = i;
    hip_ok(hip.copy(words, host, sizeof host, HIP_COPY_HOST_TO_DEVICE, NULL));
    hip_module module = hip_load(target);
    hip_run(module, "accel_kernel_add", words, N, 3);
    hip_ok(hip.copy(host, words, sizeof host, HIP_COPY_DEVICE_TO_HOST, NULL));
    hip_run(module, "accel_kernel_width", words, 0, 0);
    hip_ok(hip.copy(&value, words, 4, HIP_COPY_DEFAULT, NULL));
    hip_ok(hip.stream_synchronize(NULL));
    ck_assert_int_eq(value, (int)lanes);
    for (uint32_t i = 0; i < N; ++i)
        ck_assert_uint_eq(host[i], i + 3);
    hip_ok(hip.module_unload(module));
    hip_ok(hip.memory_free(words));
}

START_TEST(hip_runs_warps_of_64_lanes)
{
    runs_on("gfx90a:sramecc+:xnack-", "gfx90a.hsaco", 64);
}
END_TEST

START_TEST(hip_runs_warps_of_32_lanes)
{
    runs_on("gfx1030", "gfx1030.hsaco", 32);
}
END_TEST

START_TEST(hip_refuses_objects_of_other_processors)
{
    hip_module module = NULL;
    void *bytes = object_bytes("gfx1030.hsaco"), *ptx = object_bytes("compute_75.ptx");
    hip_open();
    ck_assert_int_eq(hip.module_load(&module, bytes), HIP_RESULT_NO_BINARY_FOR_GPU);
    ck_assert_int_eq(hip.module_load(&module, ptx), HIP_RESULT_INVALID_IMAGE);
    free(bytes);
    free(ptx);
}
END_TEST

START_TEST(hip_says_its_architecture_in_both_layouts)
{
    hip_properties_r0600 *new_layout = calloc(1, sizeof *new_layout);
    hip_properties_r0000 *old_layout = calloc(1, sizeof *old_layout);
    hip_open();
    hip_ok(hip.device_properties_r0600(new_layout, 0));
    hip_ok(hip.device_properties_r0000(old_layout, 1));
    ck_assert_str_eq(new_layout->architecture, "gfx90a:sramecc+:xnack-");
    ck_assert_str_eq(old_layout->architecture, "gfx90a:sramecc+:xnack-");
    free(new_layout);
    free(old_layout);
}
END_TEST

static void note_status(hip_stream stream, hip_result status, void *user)
{
    (void)stream;
    *(int *)user = (int)status;
}

START_TEST(hip_callbacks_come_also_after_a_fault)
{
    int status = -1, second = -1;
    gate door = {0};
    hip_stream stream = NULL;
    setenv("GPUSIM_FAULT", "illegal-address@1", 1);
    hip_open();
    hip_ok(hip.stream_create(&stream, 1, 0));
    hip_module module = hip_load("gfx90a.hsaco");
    hip_function function = NULL;
    words_args args = {NULL, 0, 0};
    accel_grid grid = grid_of(1, 64);
    void *parameters[] = {&args, &grid};
    hip_ok(hip.module_function(&function, module, "accel_kernel_add"));
    hip_ok(hip.stream_call(stream, pass, &door));
    hip_ok(hip.stream_add_callback(stream, note_status, &second, 0));
    hip_ok(hip.launch(function, 1, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
    hip_ok(hip.stream_add_callback(stream, note_status, &status, 0));
    open_gate(&door);
    ck_assert_int_eq(hip.stream_synchronize(stream), HIP_RESULT_ILLEGAL_ADDRESS);
    ck_assert_int_eq(second, HIP_RESULT_SUCCESS);
    ck_assert_int_eq(status, HIP_RESULT_ILLEGAL_ADDRESS);
}
END_TEST

START_TEST(an_old_hip_lacks_what_came_later)
{
    setenv("GPUSIM_VERSION_HIP", "50200000", 1);
    hip_open();
    ck_assert(hip.stream_call == NULL && hip.device_properties_r0600 == NULL && hip.memory_allocate_async != NULL);
}
END_TEST

static void hip_leaks(void)
{
    void *words = NULL;
    hip_open();
    hip_ok(hip.memory_allocate(&words, 100));
}

START_TEST(hip_leaks_are_reported_without_the_drivers_own_context)
{
    violates(hip_leaks, "hip: leak: 100 bytes of device memory of device 0");
}
END_TEST

START_TEST(both_drivers_work_in_one_program)
{
    void *words = NULL;
    cuda_device_pointer others = 0;
    hip_open();
    cuda_start();
    hip_ok(hip.memory_allocate(&words, 100));
    cuda_ok(cu.memory_allocate(&others, 100));
    ck_assert_uint_ne((uintptr_t)words, others);
    hip_ok(hip.memory_free(words));
    cuda_ok(cu.memory_free(others));
    cuda_stop();
}
END_TEST

Suite *hip_suite(void)
{
    Suite *suite = suite_create("hip");
    add_test(suite, hip_threads_have_a_current_device);
    add_test(suite, hip_runs_warps_of_64_lanes);
    add_test(suite, hip_runs_warps_of_32_lanes);
    add_test(suite, hip_refuses_objects_of_other_processors);
    add_test(suite, hip_says_its_architecture_in_both_layouts);
    add_test(suite, hip_callbacks_come_also_after_a_fault);
    add_test(suite, an_old_hip_lacks_what_came_later);
    add_test(suite, hip_leaks_are_reported_without_the_drivers_own_context);
    add_test(suite, both_drivers_work_in_one_program);
    return suite;
}
