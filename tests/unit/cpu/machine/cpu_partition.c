/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-devices of machines that are not there. */
#include "cpu_engine.h"
#include "machines.h"
#include "plugins/cpu/threads/threads.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

/* Two nodes with two caches each, whose CPUs do not follow one another. */
#define SCATTERED "pack:1 numa:2 l3:2 core:3 pu:1(indexes=0,1,2,6,12,13,3,4,5,7,8,9)"

/* Parts of a device on these CPUs, by each way. NULL ends a list. */
static const struct {
    const char *machine, *cpus;
    const char *numa[MOST], *caches[MOST];
    const char *shares[4]; /* of ACCEL_PARTITION_EQUAL, as many as there are */
} devices[] = {
    {MACHINE_ONE_CPU, "0", {"0"}, {"0"}, {"0"}},
    {MACHINE_SMT, "0-7", {"0-7"}, {"0-7"}, {"0,4,1", "5,2,6", "3,7"}}, /* siblings side by side */
    {MACHINE_CLUSTERS,
     "0-15",
     {"0-3", "4-7", "8-11", "12-15"},
     {"0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15"},
     {"0-5", "6-10", "11-15"}},
    {MACHINE_CLUSTERS, "1,4,6,14", {"1", "4,6", "14"}, {"1", "4", "6", "14"}, {"1,4", "6,14"}},
    {MACHINE_NODE_GAPS,
     "0-15",
     {"0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15"},
     {"0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15"},
     {"0-7", "8-15"}},
    {MACHINE_FAST_MEMORY, "0-7", {"0-3", "4-7"}, {"0-3", "4-7"}, {"0-3", "4-7"}},
    {MACHINE_SHARED_CACHE, "0-3", {"0-1", "2-3"}, {"0-1", "2-3"}, {"0-1", "2", "3"}},
    {MACHINE_128_CPUS,
     "0-127",
     {"0-15", "16-31", "32-47", "48-63", "64-79", "80-95", "96-111", "112-127"},
     {"0-7", "8-15", "16-23", "24-31", "32-39", "40-47", "48-55", "56-63", "64-71", "72-79", "80-87", "88-95", "96-103",
      "104-111", "112-119", "120-127"},
     {"0-31", "32-63", "64-95", "96-127"}},
    {MACHINE_HYBRID, "0-7", {"0-7"}, {"0-7"}, {"0-3", "4-7"}},
    {MACHINE_OFFLINE, "0-3,8-10", {"0-3", "8-10"}, {"0-3", "8-10"}, {"0-2", "3,8", "9-10"}},
    {MACHINE_FLAT, "0-7", {"0-7"}, {"0-7"}, {"0-3", "4-7"}},
    {SCATTERED,
     "0-9,12,13",
     {"0-2,6,12-13", "3-5,7-9"},
     {"0-2", "6,12,13", "3-5", "7-9"},
     {"0-2,6", "12,13,3,4", "5,7-9"}},
    {SCATTERED, "1,3,7,12", {"1,12", "3,7"}, {"1", "12", "3", "7"}, {"1,12", "3,7"}},
    {SCATTERED, "3,9,8", {"3,8,9"}, {"3", "8,9"}, {"3,8", "9"}},
};
enum { DEVICES = sizeof(devices) / sizeof(devices[0]) };

static cpu_topology *topology;
static cpu_engine engine;
static accel_impl_device *device;

static void open_device(const char *machine, const char *cpus)
{
    uint8_t mask[CPU_MASK_BYTES] = {0};

    topology = machine_load(machine);
    unsetenv("HWLOC_XMLFILE");
    unsetenv("HWLOC_SYNTHETIC");
    engine = cpu_engine_open(&cpu_executor_threads);
    cpu_mask_add_list(mask, cpus);
    ck_assert_uint_eq(cpu_device_make(engine.plugin.backend, mask, &device), ACCEL_OK);
}

static void close_device(void)
{
    cpu_device_release(device);
    cpu_engine_close(&engine);
    free(topology);
}

/* The parts have the CPUs of the lists, in that order. */
static void check_parts(uint32_t by, const char *const lists[], size_t most)
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    accel_impl_device *parts[MOST];
    size_t count = 0, expected = 0;

    while (expected < most && lists[expected] != NULL)
        expected++;
    desc.by = by;
    desc.share_count = (uint32_t)expected;
    ck_assert_uint_eq(cpu_device_partition_on(topology, device, &desc, parts, MOST, &count), ACCEL_OK);
    ck_assert_uint_eq(count, expected);
    for (size_t i = 0; i < count; ++i) {
        uint8_t mask[CPU_MASK_BYTES] = {0};
        cpu_mask_add_list(mask, lists[i]);
        ck_assert_mem_eq(parts[i]->mask, mask, CPU_MASK_BYTES);
        cpu_device_release(parts[i]);
    }
}

START_TEST(M8_there_is_a_part_for_each_numa_node_that_the_device_has)
{
    open_device(devices[_i].machine, devices[_i].cpus);
    check_parts(ACCEL_PARTITION_NUMA, devices[_i].numa, MOST);
    close_device();
}
END_TEST

START_TEST(M8_there_is_a_part_for_each_cache_of_each_node)
{
    open_device(devices[_i].machine, devices[_i].cpus);
    check_parts(ACCEL_PARTITION_CACHE, devices[_i].caches, MOST);
    close_device();
}
END_TEST

START_TEST(M8_equal_parts_are_of_neighbours)
{
    open_device(devices[_i].machine, devices[_i].cpus);
    check_parts(ACCEL_PARTITION_EQUAL, devices[_i].shares, 4);
    close_device();
}
END_TEST

START_TEST(M8_a_part_of_cores_has_those_that_are_named_and_no_others)
{
    static const uint32_t cores[] = {6, 1}, missing[] = {5, 20};
    static const char *const parts[] = {"1,6"};
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    accel_impl_device *part;
    uint8_t mask[CPU_MASK_BYTES] = {0};
    size_t count = 0;

    open_device(MACHINE_HYBRID, "0-7");
    desc.by = ACCEL_PARTITION_CORES;
    desc.cores = cores;
    desc.core_count = 2;
    ck_assert_uint_eq(cpu_device_partition_on(topology, device, &desc, &part, 1, &count), ACCEL_OK);
    ck_assert_uint_eq(count, 1);
    cpu_mask_add_list(mask, parts[0]);
    ck_assert_mem_eq(part->mask, mask, CPU_MASK_BYTES);
    cpu_device_release(part);
    desc.cores = missing;
    ck_assert_uint_eq(cpu_device_partition_on(topology, device, &desc, &part, 1, &count), ACCEL_INVALID);
    close_device();
}
END_TEST

START_TEST(M8_who_asks_for_fewer_devices_gets_the_first_and_hears_how_many_there_are)
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    accel_impl_device *parts[2] = {NULL, NULL};
    uint8_t first[CPU_MASK_BYTES] = {0};
    size_t count = 0;

    open_device(MACHINE_CLUSTERS, "0-15");
    cpu_mask_add_list(first, "0-3");
    desc.by = ACCEL_PARTITION_NUMA;
    ck_assert_uint_eq(cpu_device_partition_on(topology, device, &desc, parts, 1, &count), ACCEL_OK);
    ck_assert_uint_eq(count, 4);
    ck_assert_mem_eq(parts[0]->mask, first, CPU_MASK_BYTES);
    ck_assert_ptr_null(parts[1]);
    cpu_device_release(parts[0]);
    close_device();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_partition");
    TCase *machines = tcase_create("machines");

    tcase_add_loop_test(machines, M8_there_is_a_part_for_each_numa_node_that_the_device_has, 0, DEVICES);
    tcase_add_loop_test(machines, M8_there_is_a_part_for_each_cache_of_each_node, 0, DEVICES);
    tcase_add_loop_test(machines, M8_equal_parts_are_of_neighbours, 0, DEVICES);
    suite_add_tcase(suite, machines);
    add(suite, M8_a_part_of_cores_has_those_that_are_named_and_no_others);
    add(suite, M8_who_asks_for_fewer_devices_gets_the_first_and_hears_how_many_there_are);
    return suite;
}
