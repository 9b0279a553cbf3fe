/* SPDX-License-Identifier: Apache-2.0 */
/* Cooperative launches, as the driver sees them. That the blocks wait for each other is a matter of the conformance suite. */
#include "rig.h"

#include <stdlib.h>

static const char *plain_entry(void)
{
    return rig_is_cuda() ? "cuLaunchKernel" : "hipModuleLaunchKernel";
}

static const char *cooperative_entry(void)
{
    return rig_is_cuda() ? "cuLaunchCooperativeKernel" : "hipModuleLaunchCooperativeKernel";
}

static accel_status launch_cooperative(const rig *r, size_t blocks)
{
    words_args args = {.words = accel_buffer_ptr(r->words), .n = RIG_WORDS, .value = 5};
    accel_work work = accel_work_1d(blocks, 1024, 1);
    work.flags = ACCEL_WORK_COOPERATIVE;
    return accel_launch(r->queue, r->add, &work, &args, sizeof(args));
}

static uint32_t features(const rig *r)
{
    accel_device_properties p = ACCEL_DEVICE_PROPERTIES_INIT;
    ok(accel_device_info(r->device, &p));
    return p.features;
}

START_TEST(cooperative_launches_and_others_take_their_own_entries)
{
    const char *trace = rig_scratch("trace");
    setenv("GPUSIM_TRACE", trace, 1);
    rig r = rig_begin();
    ck_assert_uint_ne(features(&r) & ACCEL_FEATURE_COOPERATIVE, 0);
    ok(rig_launch(&r, r.queue, r.add, NULL));
    ck_assert_uint_eq(rig_calls(trace, plain_entry()), 1);
    ck_assert_uint_eq(rig_calls(trace, cooperative_entry()), 0);
    ok(launch_cooperative(&r, 2));
    ok(accel_queue_wait(r.queue));
    ck_assert_uint_eq(rig_calls(trace, plain_entry()), 1);
    ck_assert_uint_eq(rig_calls(trace, cooperative_entry()), 1);
    rig_end(&r);
}
END_TEST

/* The simulated device has 8 units, which hold 2 blocks of 1024 threads each. */
START_TEST(k2_the_drivers_own_limit_is_told)
{
    rig r = rig_begin();
    refused(ACCEL_LIMIT, launch_cooperative(&r, 17), "17x1x1 blocks of 1024x1x1 threads", "holds 16 ");
    ok(launch_cooperative(&r, 16));
    ok(accel_queue_wait(r.queue));
    rig_end(&r);
}
END_TEST

static void is_without(const char *trace)
{
    rig r = rig_begin();
    ck_assert_uint_eq(features(&r) & ACCEL_FEATURE_COOPERATIVE, 0);
    refused(ACCEL_UNSUPPORTED, launch_cooperative(&r, 2), "ACCEL_FEATURE_COOPERATIVE");
    ck_assert_uint_eq(rig_calls(trace, cooperative_entry()), 0);
    ok(rig_launch(&r, r.queue, r.add, NULL));
    ok(accel_queue_wait(r.queue));
    rig_end(&r);
}

START_TEST(a_device_that_cannot_is_never_asked)
{
    const char *trace = rig_scratch("trace");
    setenv("GPUSIM_TRACE", trace, 1);
    setenv("GPUSIM_COOPERATIVE", "0", 1);
    is_without(trace);
}
END_TEST

/* HIP 5.2 has no such function. CUDA's drivers have had it for longer than libaccel needs them. */
START_TEST(a_library_without_the_entry_has_no_such_feature)
{
    const char *trace = rig_scratch("trace");
    setenv("GPUSIM_TRACE", trace, 1);
    setenv("GPUSIM_MISSING", cooperative_entry(), 1);
    is_without(trace);
}
END_TEST

TCase *cooperative_tests(void)
{
    TCase *tests = tcase_create("cooperative launches");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, cooperative_launches_and_others_take_their_own_entries);
    tcase_add_test(tests, k2_the_drivers_own_limit_is_told);
    tcase_add_test(tests, a_device_that_cannot_is_never_asked);
    if (!rig_is_cuda())
        tcase_add_test(tests, a_library_without_the_entry_has_no_such_feature);
    return tests;
}
