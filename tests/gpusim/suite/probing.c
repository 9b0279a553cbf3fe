/* SPDX-License-Identifier: Apache-2.0 */
/* What a program costs that only starts: counted in calls of the driver. */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *init_entry(void)
{
    return rig_is_cuda() ? "cuInit" : "hipInit";
}

/* Whatever makes a context, or needs one. */
static void nothing_was_made(const char *trace)
{
    static const char *const cuda[] = {"cuDevicePrimaryCtxRetain",
                                       "cuCtxCreate",
                                       "cuCtxSetCurrent",
                                       "cuCtxPushCurrent_v2",
                                       "cuMemAlloc",
                                       "cuMemHostAlloc",
                                       "cuStreamCreate",
                                       "cuStreamCreateWithPriority",
                                       "cuEventCreate",
                                       "cuModuleLoadDataEx",
                                       NULL};
    static const char *const hip[] = {"hipSetDevice",
                                      "hipMalloc",
                                      "hipHostMalloc",
                                      "hipStreamCreateWithPriority",
                                      "hipFree",
                                      "hipEventCreateWithFlags",
                                      "hipModuleLoadDataEx",
                                      NULL};
    for (const char *const *name = rig_is_cuda() ? cuda : hip; *name != NULL; ++name)
        ck_assert_msg(rig_calls(trace, *name) == 0, "%s was called %u times", *name, rig_calls(trace, *name));
}

START_TEST(starting_a_program_makes_no_context_and_initialises_once)
{
    const char *trace = rig_scratch("trace");
    accel_instance *instances[2];
    setenv("GPUSIM_TRACE", trace, 1);
    for (int i = 0; i < 2; ++i) {
        accel_device_properties p = ACCEL_DEVICE_PROPERTIES_INIT;
        ok(accel_instance_create(NULL, &instances[i]));
        ck_assert_uint_eq(accel_instance_device_count(instances[i]), 2);
        ok(accel_device_info(accel_instance_device(instances[i], 1), &p)); /* all that accel-info tells */
    }
    for (int i = 0; i < 2; ++i)
        accel_instance_release(instances[i]);
    ck_assert_uint_eq(rig_calls(trace, init_entry()), 1);
    nothing_was_made(trace);
}
END_TEST

START_TEST(a_context_is_made_for_the_device_that_is_used_alone)
{
    const char *trace = rig_scratch("trace");
    const char *entry = rig_is_cuda() ? "cuDevicePrimaryCtxRetain" : "hipStreamCreateWithPriority";
    setenv("GPUSIM_TRACE", trace, 1);
    accel_instance *instance = NULL;
    ok(accel_instance_create(NULL, &instance));
    ck_assert_uint_eq(rig_calls(trace, entry), 0);
    ok(rig_use(accel_instance_device(instance, 0)));
    unsigned once = rig_calls(trace, entry);
    ck_assert_uint_ge(once, 1);
    if (rig_is_cuda())
        ck_assert_uint_eq(once, 1);
    ok(rig_use(accel_instance_device(instance, 0)));
    if (rig_is_cuda())
        ck_assert_uint_eq(rig_calls(trace, entry), 1);
    ok(rig_use(accel_instance_device(instance, 1)));
    if (rig_is_cuda())
        ck_assert_uint_eq(rig_calls(trace, entry), 2);
    accel_instance_release(instance);
}
END_TEST

START_TEST(c1_a_backend_that_is_not_listed_costs_no_call)
{
    const char *trace = rig_scratch("trace");
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;
    setenv("GPUSIM_TRACE", trace, 1);
    desc.backends = "cpu-serial";
    ok(accel_instance_create(&desc, &instance));
    accel_instance_release(instance);
    ck_assert_int_ne(access(trace, F_OK), 0);
}
END_TEST

START_TEST(a_driver_that_is_too_old_is_not_initialised)
{
    const char *trace = rig_scratch("trace");
    accel_instance *instance = NULL;
    setenv("GPUSIM_TRACE", trace, 1);
    setenv("GPUSIM_VERSION", rig_is_cuda() ? "9020" : "40200000", 1);
    refused(ACCEL_UNAVAILABLE, accel_instance_create(NULL, &instance), "too old");
    ck_assert_uint_eq(rig_calls(trace, rig_is_cuda() ? "cuDriverGetVersion" : "hipDriverGetVersion"), 1);
    ck_assert_uint_eq(rig_calls(trace, init_entry()), 0);
    nothing_was_made(trace);
}
END_TEST

START_TEST(a_driver_that_does_not_tell_its_version_is_named_by_that_call)
{
    const char *call = rig_is_cuda() ? "cuDriverGetVersion" : "hipRuntimeGetVersion";
    char failing[64], said[96];
    accel_instance *instance = NULL;
    snprintf(failing, sizeof failing, "%s@1=999", call);
    snprintf(said, sizeof said, "%s of ", call);
    setenv("GPUSIM_FAIL", failing, 1);
    refused(ACCEL_UNAVAILABLE, accel_instance_create(NULL, &instance), said, "(999");
}
END_TEST

START_TEST(a_driver_without_devices_is_asked_once)
{
    const char *trace = rig_scratch("trace");
    accel_instance *instance = NULL;
    setenv("GPUSIM_TRACE", trace, 1);
    setenv("GPUSIM_DEVICES", "0", 1);
    for (int i = 0; i < 2; ++i)
        refused(ACCEL_UNAVAILABLE, accel_instance_create(NULL, &instance), "no device");
    ck_assert_uint_eq(rig_calls(trace, init_entry()), 1);
    nothing_was_made(trace);
}
END_TEST

TCase *probing_tests(void)
{
    TCase *tests = tcase_create("probing");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, starting_a_program_makes_no_context_and_initialises_once);
    tcase_add_test(tests, a_context_is_made_for_the_device_that_is_used_alone);
    tcase_add_test(tests, c1_a_backend_that_is_not_listed_costs_no_call);
    tcase_add_test(tests, a_driver_that_is_too_old_is_not_initialised);
    tcase_add_test(tests, a_driver_that_does_not_tell_its_version_is_named_by_that_call);
    tcase_add_test(tests, a_driver_without_devices_is_asked_once);
    return tests;
}
