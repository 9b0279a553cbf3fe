/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel does wrong ends its grid, not the process. */
#include "grids.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const shape plane = {.grid = {4, 3}, .block = {40}, .shared = 256};

static gpusim_fault met(gpusim_image *image, uint32_t warp_size, uint8_t choice, size_t n, gpusim_grid_status expected)
{
    static uint64_t words[64];
    const words_args args = {.choice = choice, .n = n, .words = words};
    gpusim_fault fault;
    ck_assert_uint_eq(try_run(image, warp_size, "accel_kernel_fault", plane, &args, sizeof(args), &fault), expected);
    ck_assert_uint_eq(fault.status, expected);
    ck_assert_str_ne(fault.text, "");
    ck_assert_uint_eq(fault.block[0], 2);
    ck_assert_uint_eq(fault.block[1], 1);
    if (choice != FAULT_SHARED)
        ck_assert_uint_eq(fault.thread[0], 3);
    /* Further grids run. */
    const words_args again = {.choice = FAULT_NONE, .words = words};
    run(image, warp_size, "accel_kernel_fault", plane, &again, sizeof(again));
    return fault;
}

START_TEST(faults_tell_which_thread_met_them)
{
    for (int v = 0; v < VARIANTS; ++v) {
        const uint32_t size = variants[v].warp_size;
        gpusim_image *image = image_of(variants[v].file);
        gpusim_fault fault = met(image, size, FAULT_NULL, 16, GPUSIM_GRID_ILLEGAL_ADDRESS);
        ck_assert_uint_eq((uintptr_t)fault.address, 16);
        fault = met(image, size, FAULT_STACK, 0, GPUSIM_GRID_ILLEGAL_ADDRESS);
        ck_assert_ptr_nonnull(strstr(fault.text, "stack"));
        (void)met(image, size, FAULT_DIVISION, 0, GPUSIM_GRID_TRAP);
        fault = met(image, size, FAULT_SHARED, 256, GPUSIM_GRID_ILLEGAL_ADDRESS);
        ck_assert_ptr_nonnull(strstr(fault.text, "shared"));
        gpusim_image_unload(image);
    }
}
END_TEST

START_TEST(threads_that_wait_for_each_other_in_vain_are_told)
{
    uint64_t words[1] = {0};
    const words_args args = {.words = words};
    const shape form = {.block = {64}};
    gpusim_fault fault;
    gpusim_image *image = image_of("grid.sm_80.cubin");
    ck_assert_uint_eq(try_run(image, 32, "accel_kernel_stuck", form, &args, sizeof(args), &fault),
                      GPUSIM_GRID_DEADLOCK);
    ck_assert_str_ne(fault.text, "");
    gpusim_image_unload(image);
}
END_TEST

static void *cancel_later(void *user)
{
    usleep(50000);
    __atomic_store_n((uint32_t *)user, 1, __ATOMIC_RELAXED);
    return NULL;
}

/* As on hardware that runs warps in lockstep; and a grid that hangs can be ended. */
START_TEST(a_lock_that_lanes_of_a_warp_spin_for_hangs)
{
    for (int v = 0; v < VARIANTS; ++v) {
        uint64_t words[2] = {0};
        uint32_t cancel = 0;
        const words_args args = {.words = words};
        const shape form = {.block = {64}, .cancel = &cancel};
        pthread_t thread;
        gpusim_image *image = image_of(variants[v].file);
        ck_assert_int_eq(pthread_create(&thread, NULL, cancel_later, &cancel), 0);
        ck_assert_uint_eq(try_run(image, variants[v].warp_size, "accel_kernel_spin", form, &args, sizeof(args), NULL),
                          GPUSIM_GRID_CANCELLED);
        pthread_join(thread, NULL);
        gpusim_image_unload(image);
    }
}
END_TEST

START_TEST(a_fault_outside_kernels_is_a_crash_as_before)
{
    const accel_no_args none = {0};
    gpusim_image *image = image_of("grid.sm_80.cubin");
    run(image, 32, "accel_kernel_count", (shape){.block = {1}}, &none, sizeof(none));
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}
END_TEST

TCase *faults_tests(void)
{
    TCase *tests = tcase_create("faults");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, faults_tell_which_thread_met_them);
    tcase_add_test(tests, threads_that_wait_for_each_other_in_vain_are_told);
    tcase_add_test(tests, a_lock_that_lanes_of_a_warp_spin_for_hangs);
    tcase_add_test_raise_signal(tests, a_fault_outside_kernels_is_a_crash_as_before, SIGSEGV);
    return tests;
}
