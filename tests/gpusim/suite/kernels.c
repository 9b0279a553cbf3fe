/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver is told and asked of a kernel. */
#include "rig.h"

#include <stdlib.h>

/* HIP has no such limit. */
START_TEST(shared_memory_above_the_usual_limit_is_asked_for_once)
{
    static const size_t wanted[] = {1000, 50000, 60000, 50000, 60000};
    static const unsigned calls[] = {0, 1, 2, 2, 2};
    const char *trace = rig_scratch("trace");
    setenv("GPUSIM_TRACE", trace, 1);
    rig r = rig_begin();
    words_args args = {.words = accel_buffer_ptr(r.words), .n = RIG_WORDS, .value = 5};
    accel_work work = accel_work_1d(3, 64, 1);
    unsigned before = rig_calls(trace, "cuFuncSetAttribute");
    for (int i = 0; i < 5; ++i) {
        work.shared_bytes = wanted[i];
        ok(accel_launch(r.queue, r.add, &work, &args, sizeof(args)));
        ck_assert_uint_eq(rig_calls(trace, "cuFuncSetAttribute") - before, calls[i]);
    }
    ok(accel_queue_wait(r.queue));
    rig_end(&r);
}
END_TEST

/* The simulated driver suggests the largest block, of 1024 threads; 8 of 256 fill a unit as well. */
START_TEST(the_smallest_block_that_fills_a_unit_is_suggested)
{
    accel_work work = ACCEL_WORK_INIT;
    rig r = rig_begin();
    ok(accel_work_divide(r.add, 1, (const size_t[]){1 << 24}, NULL, &work));
    ck_assert_uint_eq(work.threads[0], 256);
    rig_end(&r);
}
END_TEST

/* A device may run kernels of warps that are not its own. The device here has 64 lanes. */
START_TEST(the_width_of_warps_is_the_kernels_where_its_object_tells_it)
{
    accel_kernel_properties p = ACCEL_KERNEL_PROPERTIES_INIT;
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    rig r = rig_begin();
    ok(accel_kernel_info(r.add, &p));
    ck_assert_uint_eq(p.warp_size, 64);
    ok(accel_module_load(r.device, "lanes", &module));
    ok(accel_module_kernel(module, "of_32_lanes", &kernel));
    ok(accel_kernel_info(kernel, &p));
    ck_assert_uint_eq(p.warp_size, 32);
    accel_module_release(module);
    rig_end(&r);
}
END_TEST

TCase *kernels_tests(void)
{
    TCase *tests = tcase_create("kernels");
    tcase_set_timeout(tests, 60);
    if (rig_is_cuda())
        tcase_add_test(tests, shared_memory_above_the_usual_limit_is_asked_for_once);
    else
        tcase_add_test(tests, the_width_of_warps_is_the_kernels_where_its_object_tells_it);
    tcase_add_test(tests, the_smallest_block_that_fills_a_unit_is_suggested);
    return tests;
}
