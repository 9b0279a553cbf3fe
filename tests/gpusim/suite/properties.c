/* SPDX-License-Identifier: Apache-2.0 */
/* What a device and its kernels tell of themselves, against what the simulated devices are (engine/attribute.c). */
#include "../engine/limits.h"
#include "rig.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

static accel_device_properties info(const accel_device *device)
{
    accel_device_properties p = ACCEL_DEVICE_PROPERTIES_INIT;
    ok(accel_device_info(device, &p));
    return p;
}

START_TEST(a_device_tells_what_it_is)
{
    rig r = rig_begin();
    accel_device *const devices[] = {r.device, r.other};
    for (int i = 0; i < 2; ++i) {
        accel_device_properties p = info(devices[i]);
        char name[16];
        uint8_t uuid[16];
        snprintf(name, sizeof(name), "%s:%d", rig_backend(), i);
        memset(uuid, 0x5a, sizeof(uuid));
        memcpy(uuid, rig_backend(), 3);
        uuid[15] = (uint8_t)(i + 1);
        ck_assert_str_eq(p.name, name);
        ck_assert_str_eq(p.backend, rig_backend());
        ck_assert_uint_eq(p.kind, ACCEL_DEVICE_GPU);
        ck_assert_uint_eq(p.ordinal, (unsigned)i);
        ck_assert_str_eq(p.architecture, rig_is_cuda() ? "sm_80" : "gfx90a:sramecc+:xnack-");
        ck_assert_ptr_nonnull(strstr(p.description, rig_is_cuda() ? "Simulated GPU" : "Simulated Instinct"));
        ck_assert_int_eq(strstr(p.description, "the second") != NULL, i == 1);
        ck_assert_mem_eq(p.uuid, uuid, sizeof(uuid));
        ck_assert_int_eq(p.pci_domain, 1);
        ck_assert_int_eq(p.pci_bus, 0x20 + i);
        ck_assert_int_eq(p.pci_device, 2);
    }
    rig_end(&r);
}
END_TEST

START_TEST(a_device_tells_how_fast_and_large_it_is)
{
    setenv("GPUSIM_MEMORY", "640", 1);
    rig r = rig_begin();
    accel_device_properties p = info(r.device);
    ck_assert_uint_eq(p.compute_units, SIM_UNITS);
    ck_assert_uint_eq(p.clock_mhz, 1500);
    ck_assert_uint_eq(p.memory_clock_mhz, 2000);
    ck_assert_uint_eq(p.memory_bus_bits, 4096);
    ck_assert_uint_eq(p.cache_bytes[0], 0);
    ck_assert_uint_eq(p.cache_bytes[1], 8 << 20);
    ck_assert_uint_eq(p.cache_bytes[2], 0);
    ck_assert_uint_eq(p.memory_bytes, (uint64_t)640 << 20);
    ck_assert_uint_eq(p.max_allocation, (uint64_t)640 << 20);
    ck_assert_uint_ge(p.base_alignment, 256);
    rig_end(&r);
}
END_TEST

START_TEST(a_device_tells_its_limits)
{
    rig r = rig_begin();
    accel_device_properties p = info(r.device);
    size_t widest = rig_is_cuda() ? SIM_GRID_X : UINT32_MAX / SIM_BLOCK_THREADS; /* HIP counts threads */
    ck_assert_uint_eq(p.warp_size, rig_is_cuda() ? 32 : 64);
    ck_assert_uint_eq(p.max_block_threads, SIM_BLOCK_THREADS);
    ck_assert_uint_eq(p.max_unit_threads, SIM_UNIT_THREADS);
    ck_assert_uint_eq(p.max_threads[0], SIM_BLOCK_THREADS);
    ck_assert_uint_eq(p.max_threads[1], SIM_BLOCK_THREADS);
    ck_assert_uint_eq(p.max_threads[2], SIM_BLOCK_Z);
    ck_assert_uint_eq(p.max_blocks[0], widest);
    ck_assert_uint_eq(p.max_blocks[1], SIM_GRID_YZ);
    ck_assert_uint_eq(p.max_blocks[2], SIM_GRID_YZ);
    ck_assert_uint_eq(p.max_shared_bytes, rig_is_cuda() ? 227 * 1024 : 64 * 1024);
    rig_end(&r);
}
END_TEST

/* CUDA's driver API has no runtime. */
START_TEST(a_device_tells_the_versions)
{
    setenv("GPUSIM_VERSION", rig_is_cuda() ? "12040" : "60200000", 1);
    setenv("GPUSIM_RUNTIME_VERSION", "60400000", 1);
    rig r = rig_begin();
    accel_device_properties p = info(r.device);
    ck_assert_uint_eq(p.driver_version, rig_is_cuda() ? 12040 : 60200000);
    ck_assert_uint_eq(p.runtime_version, rig_is_cuda() ? 0 : 60400000);
    rig_end(&r);
}
END_TEST

/* Puts the directory where the kernel lists the machine's PCI devices, for this process alone. False without the right
 * to. */
static bool cover_pci(const char *directory)
{
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return false;
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount(directory, "/sys/bus/pci/devices", NULL, MS_BIND, NULL) == 0;
}

START_TEST(a_device_tells_the_numa_node_that_the_kernel_knows)
{
    char directory[96], path[160];
    accel_instance *instance = NULL;
    snprintf(directory, sizeof(directory), "%s", rig_scratch("pci"));
    ck_assert_int_eq(mkdir(directory, 0755), 0);
    snprintf(path, sizeof(path), "%s/0001:21:02.0", directory);
    ck_assert_int_eq(mkdir(path, 0755), 0);
    strcat(path, "/numa_node");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("3\n", file);
    fclose(file);
    bool covered = cover_pci(directory);
    ok(accel_instance_create(NULL, &instance));
    ck_assert_int_eq(info(accel_instance_device(instance, 0)).numa_node, -1); /* of which nothing is known */
    if (covered)
        ck_assert_int_eq(info(accel_instance_device(instance, 1)).numa_node, 3);
    accel_instance_release(instance);
}
END_TEST

/* Numbers that the simulator makes up (kernel/image.c). */
START_TEST(a_kernel_tells_what_it_needs)
{
    accel_kernel_properties p = ACCEL_KERNEL_PROPERTIES_INIT;
    rig r = rig_begin();
    ok(accel_kernel_info(r.add, &p));
    ck_assert_str_eq(p.name, "add");
    ck_assert_str_eq(p.target, rig_is_cuda() ? "sm_80" : "gfx90a");
    ck_assert_uint_eq(p.args_size, sizeof(words_args));
    ck_assert_uint_eq(p.args_align, _Alignof(words_args));
    ck_assert_uint_eq(p.registers, 32);
    ck_assert_uint_eq(p.local_bytes, 48);
    ck_assert_uint_eq(p.shared_bytes, 0);
    ck_assert_uint_eq(p.max_shared_bytes, rig_is_cuda() ? 227 * 1024 : 64 * 1024);
    ck_assert_uint_eq(p.max_threads, SIM_BLOCK_THREADS);
    ck_assert_uint_eq(p.warp_size, rig_is_cuda() ? 32 : 64);
    rig_end(&r);
}
END_TEST

TCase *properties_tests(void)
{
    TCase *tests = tcase_create("properties");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_device_tells_what_it_is);
    tcase_add_test(tests, a_device_tells_how_fast_and_large_it_is);
    tcase_add_test(tests, a_device_tells_its_limits);
    tcase_add_test(tests, a_device_tells_the_versions);
    tcase_add_test(tests, a_device_tells_the_numa_node_that_the_kernel_knows);
    tcase_add_test(tests, a_kernel_tells_what_it_needs);
    return tests;
}
