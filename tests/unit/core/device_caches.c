/* SPDX-License-Identifier: Apache-2.0 */
/* Which results bypass the caches of a CPU. The device says nothing of them when it is made: its topology is asked for later. */
#include "fake_backend.h"
#include "run.h"

#include "core/base/error.h"

#include <string.h>

static struct {
    uint64_t second, third;
    uint32_t units, asked;
    accel_status status;
} machine;

static accel_status topology(accel_impl_device *device, accel_device_properties *properties)
{
    (void)device;
    machine.asked++;
    properties->cache_bytes[1] = machine.second;
    properties->cache_bytes[2] = machine.third;
    return machine.status == ACCEL_OK ? ACCEL_OK : accel_error_set(machine.status, "no memory");
}

static accel_device *device_with(uint64_t second, uint64_t third, uint32_t units)
{
    fake_backend *fake = fake_open(NULL);

    memset(&machine, 0, sizeof(machine));
    machine.second = second;
    machine.third = third;
    fake->device->properties.compute_units = units;
    fake->device->backend->device_vtable.topology = topology;
    return fake->device;
}

/* The largest result that does not bypass them, in MiB; 0: none does. */
static uint64_t kept(uint64_t second, uint64_t third, uint32_t units)
{
    accel_device *device = device_with(second, third, units);
    uint64_t most = 1;

    while (most < 1 << 20 && !accel_device_bypasses_caches(device, (most << 20) + 1))
        most++;
    if (most < 1 << 20)
        ck_assert(!accel_device_bypasses_caches(device, most << 20));
    fake_close();
    return most < 1 << 20 ? most : 0;
}

START_TEST(what_the_third_level_keeps_does_not)
{
    ck_assert_uint_eq(kept(1 << 20, 16 << 20, 64), 16);
    ck_assert_uint_eq(kept(0, 16 << 20, 64), 16);
}
END_TEST

/* As on a virtual machine that has two of a hundred cores. */
START_TEST(no_more_is_kept_than_some_for_each_core)
{
    ck_assert_uint_eq(kept(2 << 20, 480 << 20, 2), 32);
    ck_assert_uint_eq(kept(2 << 20, 480 << 20, 0), 16);
}
END_TEST

START_TEST(nothing_does_where_nothing_is_known)
{
    ck_assert_uint_eq(kept(2 << 20, 0, 2), 0);

    accel_device *device = device_with(1 << 20, 16 << 20, 2);
    device->backend->device_vtable.topology = NULL;
    ck_assert(!accel_device_bypasses_caches(device, UINT64_MAX));
    fake_close();
}
END_TEST

START_TEST(second_levels_are_those_of_all_cores)
{
    accel_device *device = device_with(1 << 20, 16 << 20, 2);

    for (int i = 0; i < 2; ++i)
        ck_assert_uint_eq(accel_device_second_bytes(device), 2 << 20);
    ck_assert(accel_device_bypasses_caches(device, 17 << 20));
    ck_assert_uint_eq(machine.asked, 1);
    fake_close();
    device = device_with(0, 16 << 20, 2);
    ck_assert_uint_eq(accel_device_second_bytes(device), 0);
    fake_close();
}
END_TEST

START_TEST(the_topology_is_read_once_and_for_large_results_only)
{
    accel_device *device = device_with(1 << 20, 16 << 20, 2);

    ck_assert(!accel_device_bypasses_caches(device, 1 << 20));
    ck_assert_uint_eq(machine.asked, 0);
    machine.status = ACCEL_OUT_OF_MEMORY;
    ck_assert(!accel_device_bypasses_caches(device, 17 << 20));
    machine.status = ACCEL_OK;
    for (int i = 0; i < 3; ++i)
        ck_assert(accel_device_bypasses_caches(device, 17 << 20));
    ck_assert_uint_eq(machine.asked, 2);
    device->properties.kind = ACCEL_DEVICE_GPU;
    ck_assert(!accel_device_bypasses_caches(device, 17 << 20));
    fake_close();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("device caches");

    add(suite, what_the_third_level_keeps_does_not);
    add(suite, no_more_is_kept_than_some_for_each_core);
    add(suite, second_levels_are_those_of_all_cores);
    add(suite, nothing_does_where_nothing_is_known);
    add(suite, the_topology_is_read_once_and_for_large_results_only);
    return suite;
}
