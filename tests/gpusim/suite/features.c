/* SPDX-License-Identifier: Apache-2.0 */
/* Features that a device has or lacks, as the driver tells, and the kinds of memory behind them. */
#include "rig.h"

#include <stdlib.h>

static const struct {
    const char *setting;
    uint32_t feature, flag; /* of buffers; 0: none */
} kinds[] = {
    {"GPUSIM_MAPPED", ACCEL_FEATURE_MAPPED, ACCEL_BUFFER_MAPPED},
    {"GPUSIM_MANAGED", ACCEL_FEATURE_MANAGED, ACCEL_BUFFER_MANAGED},
    {"GPUSIM_POOLS", ACCEL_FEATURE_ASYNC_ALLOC, 0},
    {"GPUSIM_COOPERATIVE", ACCEL_FEATURE_COOPERATIVE, 0},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const uint32_t all_features = ACCEL_FEATURE_PINNED | ACCEL_FEATURE_MAPPED | ACCEL_FEATURE_MANAGED |
                                     ACCEL_FEATURE_ASYNC_ALLOC | ACCEL_FEATURE_COOPERATIVE;

static void has_features(const rig *r, uint32_t expected)
{
    accel_device *const devices[] = {r->device, r->other};
    for (int i = 0; i < 2; ++i) {
        accel_device_properties p = ACCEL_DEVICE_PROPERTIES_INIT;
        ok(accel_device_info(devices[i], &p));
        ck_assert_msg(p.features == expected, "%s has the features %#x, not %#x", p.name, p.features, expected);
    }
}

START_TEST(a_device_has_the_features_that_its_driver_tells)
{
    for (int i = 0; i < KINDS; ++i)
        setenv(kinds[i].setting, "1", 1);
    rig r = rig_begin();
    has_features(&r, all_features);
    rig_end(&r);
}
END_TEST

START_TEST(a_device_lacks_the_feature_that_its_driver_denies)
{
    accel_buffer_desc desc = accel_buffer_1d(4, 100);
    accel_buffer *buffer = NULL;
    setenv(kinds[_i].setting, "0", 1);
    rig r = rig_begin();
    has_features(&r, all_features & ~kinds[_i].feature);
    if (kinds[_i].flag != 0) {
        desc.flags = kinds[_i].flag;
        refused(ACCEL_UNSUPPORTED, accel_buffer_create(r.device, &desc, &buffer), rig_backend(),
                _i == 0 ? "no ACCEL_BUFFER_MAPPED" : "no ACCEL_BUFFER_MANAGED");
    }
    rig_end(&r);
}
END_TEST

/* Both are optional; one without the other is of no use. */
START_TEST(a_library_without_ordered_memory_has_no_such_feature)
{
    setenv("GPUSIM_MISSING", rig_is_cuda() ? "cuMemFreeAsync" : "hipFreeAsync", 1);
    rig r = rig_begin();
    has_features(&r, all_features & ~(uint32_t)ACCEL_FEATURE_ASYNC_ALLOC);
    rig_end(&r);
}
END_TEST

static accel_buffer *host_buffer(const rig *r, uint32_t flags, uint32_t **words)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), RIG_WORDS);
    accel_buffer_properties p = ACCEL_BUFFER_PROPERTIES_INIT;
    accel_buffer *buffer = NULL;
    desc.flags = flags;
    ok(accel_buffer_create(r->device, &desc, &buffer));
    ok(accel_buffer_info(buffer, &p));
    ck_assert_ptr_nonnull(p.host_ptr);
    *words = p.host_ptr;
    return buffer;
}

START_TEST(kernels_and_the_host_share_mapped_and_managed_memory)
{
    static const uint32_t flags[] = {ACCEL_BUFFER_MAPPED, ACCEL_BUFFER_MANAGED};
    const char *trace = rig_scratch("trace");
    uint32_t *words = NULL;
    setenv("GPUSIM_TRACE", trace, 1);
    rig r = rig_begin();
    accel_buffer *buffer = host_buffer(&r, flags[_i], &words);
    if (flags[_i] == ACCEL_BUFFER_MANAGED)
        ck_assert_uint_eq(rig_calls(trace, rig_is_cuda() ? "cuMemAllocManaged" : "hipMallocManaged"), 1);
    else
        ck_assert_uint_eq(rig_calls(trace, rig_is_cuda() ? "cuMemHostGetDevicePointer_v2" : "hipHostGetDevicePointer"),
                          1);
    for (uint32_t i = 0; i < RIG_WORDS; ++i)
        words[i] = i;
    for (int i = 0; i < 2; ++i)
        ok(rig_launch(&r, r.queue, r.add, accel_buffer_ptr(buffer))); /* adds 5 */
    ok(accel_queue_wait(r.queue));
    for (uint32_t i = 0; i < RIG_WORDS; ++i)
        ck_assert_uint_eq(words[i], i + 10);
    accel_buffer_release(buffer);
    rig_end(&r);
}
END_TEST

/* The simulator refuses pinned memory that is another context's alone. */
START_TEST(pinned_memory_is_locked_for_every_device)
{
    uint32_t *words = NULL;
    accel_queue *queue = NULL;
    accel_buffer *there = NULL;
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), RIG_WORDS);
    rig r = rig_begin();
    accel_buffer *pinned = host_buffer(&r, ACCEL_BUFFER_PINNED, &words);
    ok(accel_queue_create(r.other, NULL, &queue));
    ok(accel_buffer_create(r.other, &desc, &there));
    for (uint32_t i = 0; i < RIG_WORDS; ++i)
        words[i] = i;
    ok(accel_copy(queue, there, pinned, NULL));
    ok(accel_queue_wait(queue));
    words[7] = 1000;
    ok(accel_copy(queue, pinned, there, NULL));
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(words[7], 7);
    accel_buffer_release(there);
    accel_queue_release(queue);
    accel_buffer_release(pinned);
    rig_end(&r);
}
END_TEST

/* _i: with memory pools, or without, where it is allocated as any other. */
START_TEST(async_buffers_are_the_drivers_where_it_has_pools)
{
    const char *trace = rig_scratch("trace");
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), RIG_WORDS);
    accel_buffer *buffer = NULL;
    uint32_t seven = 7, words[RIG_WORDS];
    setenv("GPUSIM_TRACE", trace, 1);
    setenv("GPUSIM_POOLS", _i == 0 ? "0" : "1", 1);
    rig r = rig_begin();
    ok(accel_buffer_create_async(r.queue, &desc, &buffer));
    ok(accel_fill(r.queue, buffer, &seven, sizeof(seven), NULL));
    ok(rig_launch(&r, r.queue, r.add, accel_buffer_ptr(buffer)));
    ok(accel_read(r.queue, words, buffer));
    accel_buffer_release(buffer);
    ok(accel_queue_wait(r.queue));
    ck_assert_uint_eq(words[RIG_WORDS - 1], 12);
    unsigned calls = _i == 0 ? 0 : 1;
    ck_assert_uint_eq(rig_calls(trace, rig_is_cuda() ? "cuMemAllocAsync" : "hipMallocAsync"), calls);
    ck_assert_uint_eq(rig_calls(trace, rig_is_cuda() ? "cuMemFreeAsync" : "hipFreeAsync"), calls);
    rig_end(&r);
}
END_TEST

TCase *features_tests(void)
{
    TCase *tests = tcase_create("features");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_device_has_the_features_that_its_driver_tells);
    tcase_add_loop_test(tests, a_device_lacks_the_feature_that_its_driver_denies, 0, KINDS);
    tcase_add_test(tests, a_library_without_ordered_memory_has_no_such_feature);
    tcase_add_loop_test(tests, kernels_and_the_host_share_mapped_and_managed_memory, 0, 2);
    tcase_add_test(tests, pinned_memory_is_locked_for_every_device);
    tcase_add_loop_test(tests, async_buffers_are_the_drivers_where_it_has_pools, 0, 2);
    return tests;
}
