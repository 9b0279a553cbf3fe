/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-devices of machines that are not there: nodes and caches come from trees of files such as the system shows them. */
#include "cpu_engine.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/threads/threads.h"
#include "tree.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 16 };

/* Two nodes with two caches each. Node 0 has CPUs 0-2 around one cache and 6 around the other, node 1 has 3-4 and 7-11. */
static void put_machine(void)
{
    static const char *const caches[] = {"0-2\n", "6\n", "3-4\n", "7-11\n"};
    static const uint32_t cache_of[] = {0, 0, 0, 2, 2, UINT32_MAX, 1, 3, 3, 3, 3, 3};

    for (int cpu = 0; cpu < 12; ++cpu) {
        if (cache_of[cpu] == UINT32_MAX)
            continue; /* there is no CPU 5 */
        char own[16];
        snprintf(own, sizeof(own), "%d\n", cpu);
        tree_put("/sys/devices/system/cpu/cpu%d/topology/physical_package_id", "0\n", cpu);
        tree_put("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", own, cpu);
        tree_put("/sys/devices/system/cpu/cpu%d/cache/index0/shared_cpu_list", own, cpu);
        tree_put("/sys/devices/system/cpu/cpu%d/cache/index1/shared_cpu_list", caches[cache_of[cpu]], cpu);
    }
    tree_put("/sys/devices/system/node/node0/cpulist", "0-2,6\n");
    tree_put("/sys/devices/system/node/node1/cpulist", "3-4,7-11\n");
}

/* The parts of a device on these CPUs have the CPUs of the lists, in that order; NULL ends them. */
static void check_parts(accel_impl_backend *backend, const char *cpus, uint32_t by, const char *const lists[])
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    accel_impl_device *device, *parts[MOST];
    uint8_t mask[CPU_MASK_BYTES] = {0};
    size_t count = 0, expected = 0;

    while (lists[expected] != NULL)
        expected++;
    cpu_mask_add_list(mask, cpus);
    ck_assert_uint_eq(cpu_device_make(backend, mask, &device), ACCEL_OK);
    desc.by = by;
    desc.share_count = (uint32_t)expected;
    ck_assert_uint_eq(cpu_device_partition_at(tree_root, device, &desc, parts, MOST, &count), ACCEL_OK);
    ck_assert_uint_eq(count, expected);
    for (size_t i = 0; i < count; ++i) {
        memset(mask, 0, sizeof(mask));
        cpu_mask_add_list(mask, lists[i]);
        ck_assert_mem_eq(parts[i]->mask, mask, CPU_MASK_BYTES);
        cpu_device_release(parts[i]);
    }
    cpu_device_release(device);
}

static void check_all(uint32_t by, const char *const whole[], const char *const some[], const char *const one_node[])
{
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads);

    put_machine();
    check_parts(engine.plugin.backend, "0-4,6-11", by, whole);
    check_parts(engine.plugin.backend, "1,4,6,9-10", by, some);
    check_parts(engine.plugin.backend, "3,8,11", by, one_node);
    cpu_engine_close(&engine);
}

START_TEST(M8_there_is_a_part_for_each_numa_node_that_the_device_has)
{
    static const char *const whole[] = {"0-2,6", "3-4,7-11", NULL}, *const some[] = {"1,6", "4,9-10", NULL},
                             *const one_node[] = {"3,8,11", NULL};

    check_all(ACCEL_PARTITION_NUMA, whole, some, one_node);
}
END_TEST

START_TEST(M8_there_is_a_part_for_each_cache_that_the_device_has)
{
    static const char *const whole[] = {"0-2", "6", "3-4", "7-11", NULL}, *const some[] = {"1", "6", "4", "9-10", NULL},
                             *const one_node[] = {"3", "8,11", NULL};

    check_all(ACCEL_PARTITION_CACHE, whole, some, one_node);
}
END_TEST

START_TEST(M8_equal_parts_are_of_neighbours)
{
    static const char *const whole[] = {"0-2,6", "3-4,7-8", "9-11", NULL}, *const some[] = {"1,6", "4,9", "10", NULL},
                             *const one_node[] = {"3,8", "11", NULL};

    check_all(ACCEL_PARTITION_EQUAL, whole, some, one_node);
}
END_TEST

/* As virtual machines are seen to have them. */
START_TEST(M8_nodes_that_share_a_cache_are_still_parts_of_their_own)
{
    static const char *const parts[] = {"0-1", "2-3", NULL};
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads);

    for (int cpu = 0; cpu < 4; ++cpu)
        tree_put("/sys/devices/system/cpu/cpu%d/cache/index0/shared_cpu_list", "0-3\n", cpu);
    tree_put("/sys/devices/system/node/node0/cpulist", "0-1\n");
    tree_put("/sys/devices/system/node/node1/cpulist", "2-3\n");
    check_parts(engine.plugin.backend, "0-3", ACCEL_PARTITION_NUMA, parts);
    check_parts(engine.plugin.backend, "0-3", ACCEL_PARTITION_CACHE, parts);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(M8_who_asks_for_fewer_devices_gets_the_first_and_hears_how_many_there_are)
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    accel_impl_device *device, *parts[2] = {NULL, NULL};
    uint8_t mask[CPU_MASK_BYTES] = {0}, first[CPU_MASK_BYTES] = {0};
    size_t count = 0;
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads);

    put_machine();
    cpu_mask_add_list(mask, "0-4,6-11");
    cpu_mask_add_list(first, "0-2");
    ck_assert_uint_eq(cpu_device_make(engine.plugin.backend, mask, &device), ACCEL_OK);
    desc.by = ACCEL_PARTITION_CACHE;
    ck_assert_uint_eq(cpu_device_partition_at(tree_root, device, &desc, parts, 1, &count), ACCEL_OK);
    ck_assert_uint_eq(count, 4);
    ck_assert_mem_eq(parts[0]->mask, first, CPU_MASK_BYTES);
    ck_assert_ptr_null(parts[1]);
    cpu_device_release(parts[0]);
    cpu_device_release(device);
    cpu_engine_close(&engine);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_partition");
    TCase *trees = tcase_create("trees");

    tcase_add_checked_fixture(trees, tree_make, tree_remove);
    tcase_add_test(trees, M8_there_is_a_part_for_each_numa_node_that_the_device_has);
    tcase_add_test(trees, M8_there_is_a_part_for_each_cache_that_the_device_has);
    tcase_add_test(trees, M8_equal_parts_are_of_neighbours);
    tcase_add_test(trees, M8_nodes_that_share_a_cache_are_still_parts_of_their_own);
    tcase_add_test(trees, M8_who_asks_for_fewer_devices_gets_the_first_and_hears_how_many_there_are);
    suite_add_tcase(suite, trees);
    return suite;
}
