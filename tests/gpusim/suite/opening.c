/* SPDX-License-Identifier: Apache-2.0 */
/* Drivers that cannot be opened, that lack something, or that go before the program does. */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The backend cannot be used and says so; a program that has another goes on. */
static void unusable(uint32_t state, const char *piece)
{
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    char both[64];
    bool found = false;
    refused(ACCEL_UNAVAILABLE, accel_instance_create(NULL, &instance), rig_backend(), piece);
    snprintf(both, sizeof(both), "%s,cpu-serial", rig_backend());
    desc.backends = both;
    ok(accel_instance_create(&desc, &instance));
    for (size_t i = 0; i < accel_instance_backend_count(instance); ++i) {
        accel_backend_properties p = ACCEL_BACKEND_PROPERTIES_INIT;
        ok(accel_instance_backend_info(instance, i, &p));
        if (strcmp(p.name, rig_backend()) != 0)
            continue;
        found = true;
        ck_assert_msg(p.state == state, "state %u, not %u: %s", p.state, state, p.reason);
        ck_assert_msg(strstr(p.reason, piece) != NULL, "\"%s\" is missing in \"%s\"", piece, p.reason);
    }
    ck_assert(found);
    accel_instance_release(instance);
}

START_TEST(a_driver_that_is_too_old_says_what_was_found_and_what_is_needed)
{
    setenv("GPUSIM_VERSION", rig_is_cuda() ? "9020" : "40200000", 1);
    unusable(ACCEL_BACKEND_DRIVER_TOO_OLD, rig_is_cuda() ? "9.2" : "4.2");
}
END_TEST

START_TEST(a_driver_without_devices_says_so)
{
    setenv("GPUSIM_DEVICES", "0", 1);
    unusable(ACCEL_BACKEND_NO_DEVICE, "device");
}
END_TEST

START_TEST(a_driver_that_does_not_start_is_broken)
{
    setenv("GPUSIM_INIT", "999", 1);
    unusable(ACCEL_BACKEND_BROKEN, rig_is_cuda() ? "cuInit" : "hipInit");
}
END_TEST

START_TEST(a_symbol_that_is_missing_is_named)
{
    const char *missing = rig_is_cuda() ? "cuStreamCreateWithPriority" : "hipStreamCreateWithPriority";
    setenv("GPUSIM_MISSING", missing, 1);
    accel_instance *instance = NULL;
    refused(ACCEL_UNAVAILABLE, accel_instance_create(NULL, &instance), rig_backend(), missing);
}
END_TEST

/* What newer drivers brought has a fallback. */
static int use_without_optional(int cuda)
{
    accel_instance *instance = NULL;
    setenv("GPUSIM_MISSING",
           cuda != 0 ? "cuMemAllocAsync,cuMemFreeAsync,cuFuncLoad"
                     : "hipLaunchHostFunc,hipMallocAsync,hipFreeAsync,hipMemsetD2D16Async,hipMemsetD2D32Async,"
                       "hipModuleLaunchCooperativeKernel,hipDeviceGetUuid",
           1);
    if (accel_instance_create(NULL, &instance) != ACCEL_OK || rig_use(accel_instance_device(instance, 0)) != ACCEL_OK) {
        fprintf(stderr, "%s\n", accel_error_message());
        return 1;
    }
    accel_instance_release(instance);
    return 0;
}

START_TEST(optional_symbols_may_be_missing)
{
    ck_assert_int_eq(rig_status_of(use_without_optional, rig_is_cuda()), 0);
}
END_TEST

static rig late;

static void end_late(void)
{
    rig_end(&late);
}

/* What is released in an exit handler, when the driver has gone already. */
static int release_at_exit(int argument)
{
    (void)argument;
    setenv("GPUSIM_EXIT", "deinitialized", 1);
    setenv("GPUSIM_ALLOW", "leak", 1); /* looked for before what is released here */
    atexit(end_late);
    late = rig_begin();
    if (rig_use(late.device) != ACCEL_OK)
        return 1;
    return 0;
}

START_TEST(releases_at_exit_succeed_when_the_driver_has_gone)
{
    ck_assert_int_eq(rig_status_of(release_at_exit, 0), 0);
}
END_TEST

/* A kernel that never ends holds up its queue, and not the end of the program. */
static int end_while_hanging(int argument)
{
    bool idle = true;
    (void)argument;
    setenv("GPUSIM_FAULT", "hang@1/0", 1);
    rig b = rig_begin();
    if (rig_launch(&b, b.queue, b.set, NULL) != ACCEL_OK)
        return 1;
    if (accel_queue_is_idle(b.queue, &idle) != ACCEL_OK || idle)
        return 2;
    if (rig_use(b.other) != ACCEL_OK)
        return 3;
    if (accel_queue_is_idle(b.queue, &idle) != ACCEL_OK || idle)
        return 4;
    rig_end(&b); /* O3: waits for nothing */
    return 0;
}

START_TEST(o5_a_program_ends_while_a_kernel_hangs)
{
    ck_assert_int_eq(rig_status_of(end_while_hanging, 0), 0);
}
END_TEST

TCase *opening_tests(void)
{
    TCase *tests = tcase_create("opening and ending");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_driver_that_is_too_old_says_what_was_found_and_what_is_needed);
    tcase_add_test(tests, a_driver_without_devices_says_so);
    tcase_add_test(tests, a_driver_that_does_not_start_is_broken);
    tcase_add_test(tests, a_symbol_that_is_missing_is_named);
    tcase_add_test(tests, optional_symbols_may_be_missing);
    tcase_add_test(tests, releases_at_exit_succeed_when_the_driver_has_gone);
    tcase_add_test(tests, o5_a_program_ends_while_a_kernel_hangs);
    return tests;
}
