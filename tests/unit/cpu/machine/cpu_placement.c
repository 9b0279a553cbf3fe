/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads a device gets and where, from trees of files such as the system shows them. */
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/machine/placement.h"
#include "plugins/cpu/machine/ranks.h"
#include "run.h"
#include "core/plugins/services.h"
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/topology.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(a_device_has_the_least_of_cpus_and_quota_unless_told_otherwise)
{
    uint8_t mask[CPU_MASK_BYTES] = {0}, half[CPU_MASK_BYTES] = {0};
    cpu_settings settings = {.pin = CPU_PIN_NONE};
    cpu_placement place;

    cpu_mask_add_list(mask, "0-3,8-11");
    cpu_mask_add_list(half, "0-3");
    ck_assert_uint_eq(cpu_mask_count(mask), 8);
    cpu_placement_find(&place, tree_root, mask, mask, &settings);
    ck_assert_uint_eq(place.units, 8);
    tree_put("/proc/self/cgroup", "0::/\n");
    tree_put("/sys/fs/cgroup/cpu.max", "300000 100000\n");
    cpu_placement_find(&place, tree_root, mask, mask, &settings);
    ck_assert_uint_eq(place.units, 3);
    settings.threads = 24;
    cpu_placement_find(&place, tree_root, mask, mask, &settings);
    ck_assert_uint_eq(place.units, 24);
    cpu_placement_find(&place, tree_root, mask, half, &settings);
    ck_assert_uint_eq(place.units, 12);
}
END_TEST

static void clear_ranks(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE",
                                        "MVP_COMM_WORLD_LOCAL_SIZE",  "PMI_LOCAL_SIZE",  "PALS_LOCAL_SIZE",
                                        "SLURM_STEP_TASKS_PER_NODE",  "SLURM_NODEID",    "SLURM_LOCALID"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
        unsetenv(names[i]);
}

START_TEST(launchers_tell_how_many_ranks_a_node_has)
{
    static const struct {
        const char *name, *value;
        uint32_t ranks;
    } told[] = {{"OMPI_COMM_WORLD_LOCAL_SIZE", "4", 4},
                {"MPI_LOCALNRANKS", "16", 16},
                {"PMI_LOCAL_SIZE", "2", 2},
                {"PALS_LOCAL_SIZE", "", 1},
                {"MV2_COMM_WORLD_LOCAL_SIZE", "many", 1}};
    static const struct {
        const char *list, *node;
        uint32_t ranks;
    } slurm[] = {{"4(x2),3", "0", 4}, {"4(x2),3", "1", 4}, {"4(x2),3", "2", 3}, {"4(x2),3", "3", 1},
                 {"7", "0", 7},       {"7", NULL, 7},      {"x", "0", 1},       {"", "0", 1},
                 {"2(x", "0", 1},     {"2,8(x3)", "3", 8}};

    clear_ranks();
    ck_assert_uint_eq(cpu_ranks(), 1);
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); ++i) {
        setenv(told[i].name, told[i].value, 1);
        ck_assert_uint_eq(cpu_ranks(), told[i].ranks);
        unsetenv(told[i].name);
    }
    for (size_t i = 0; i < sizeof(slurm) / sizeof(slurm[0]); ++i) {
        setenv("SLURM_STEP_TASKS_PER_NODE", slurm[i].list, 1);
        unsetenv("SLURM_NODEID");
        if (slurm[i].node != NULL)
            setenv("SLURM_NODEID", slurm[i].node, 1);
        unsetenv("SLURM_LOCALID");
        ck_assert_uint_eq(cpu_ranks(), 1); /* a batch script */
        setenv("SLURM_LOCALID", "0", 1);
        ck_assert_uint_eq(cpu_ranks(), slurm[i].ranks);
    }
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "5", 1);
    ck_assert_uint_eq(cpu_ranks(), 5);
    clear_ranks();
}
END_TEST

START_TEST(workers_are_not_pinned_where_ranks_share_cpus_unless_asked)
{
    uint8_t all[CPU_MASK_BYTES] = {0}, quarter[CPU_MASK_BYTES] = {0};
    cpu_settings settings = {.pin = CPU_PIN_AUTO};
    cpu_placement place;

    clear_ranks();
    tree_put("/sys/devices/system/cpu/online", "0-15\n");
    cpu_mask_add_list(all, "0-15");
    cpu_mask_add_list(quarter, "4-7");
    cpu_placement_find(&place, tree_root, all, all, &settings);
    ck_assert_uint_eq(place.pin, CPU_PIN_NODE); /* alone */
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
    cpu_placement_find(&place, tree_root, all, all, &settings);
    ck_assert_uint_eq(place.pin, CPU_PIN_NONE); /* unbound ranks */
    cpu_placement_find(&place, tree_root, quarter, quarter, &settings);
    ck_assert_uint_eq(place.pin, CPU_PIN_NODE); /* each has CPUs of its own */
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "8", 1);
    cpu_placement_find(&place, tree_root, quarter, quarter, &settings);
    ck_assert_uint_eq(place.pin, CPU_PIN_NONE); /* two on each socket */
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
    tree_put("/proc/self/cgroup", "0::/\n");
    tree_put("/sys/fs/cgroup/cpuset.cpus.effective", "4-7\n");
    cpu_placement_find(&place, tree_root, quarter, quarter, &settings);
    ck_assert_uint_eq(place.pin, CPU_PIN_NONE); /* all that the job has */
    settings.pin = CPU_PIN_EACH;
    cpu_placement_find(&place, tree_root, quarter, quarter, &settings);
    ck_assert_uint_eq(place.pin, CPU_PIN_EACH);
    clear_ranks();
}
END_TEST

/* Two nodes of two cores with two siblings each; CPU 1 is the sibling of CPU 0. */
static void two_nodes(void)
{
    for (int cpu = 0; cpu < 8; ++cpu) {
        char list[16];
        tree_put("/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu < 4 ? "0\n" : "1\n", cpu);
        snprintf(list, sizeof(list), "%d-%d\n", cpu / 2 * 2, cpu / 2 * 2 + 1);
        tree_put("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", list, cpu);
        tree_put("/sys/devices/system/cpu/cpu%d/cache/index0/shared_cpu_list", list, cpu);
        tree_put("/sys/devices/system/cpu/cpu%d/cache/index1/shared_cpu_list", cpu < 4 ? "0-3\n" : "4-7\n", cpu);
    }
    tree_put("/sys/devices/system/node/node0/cpulist", "0-3\n");
    tree_put("/sys/devices/system/node/node1/cpulist", "\n"); /* memory alone */
    tree_put("/sys/devices/system/node/node2/cpulist", "4-7\n");
}

START_TEST(siblings_come_after_whole_cores)
{
    static const uint32_t best[] = {0, 2, 4, 6};
    uint8_t mask[CPU_MASK_BYTES] = {0};
    uint32_t count;

    two_nodes();
    cpu_mask_add_list(mask, "0-7");
    cpu_location *locations = cpu_locations(tree_root, mask, &count);
    ck_assert_uint_eq(count, 8);
    for (uint32_t i = 0; i < 8; ++i) {
        ck_assert_uint_eq(locations[i].cpu, i);
        ck_assert_uint_eq(locations[i].sibling, i % 2);
        ck_assert_uint_eq(locations[i].node, i < 4 ? 0 : 2);
        ck_assert_uint_eq(locations[i].cache, i < 4 ? 0 : 4);
    }
    cpu_locations_choose(locations, count, 4);
    for (int i = 0; i < 4; ++i)
        ck_assert_uint_eq(locations[i].cpu, best[i]);
    free(locations);
}
END_TEST

/* As those of high-bandwidth memory are, beside the node that has the CPUs. */
START_TEST(a_node_of_memory_alone_is_not_counted)
{
    static const struct {
        const char *cpus;
        uint32_t nodes;
        int32_t node;
    } parts[] = {{"0-7", 2, -1}, {"0-3", 1, 0}, {"5", 1, 2}};

    two_nodes();
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        uint8_t mask[CPU_MASK_BYTES] = {0};
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        cpu_mask_add_list(mask, parts[i].cpus);
        cpu_topology_fill(tree_root, mask, &properties);
        ck_assert_uint_eq(properties.numa_nodes, parts[i].nodes);
        ck_assert_int_eq(properties.numa_node, parts[i].node);
    }
}
END_TEST

START_TEST(efficient_cores_come_last)
{
    uint8_t mask[CPU_MASK_BYTES] = {0};
    uint32_t count;

    two_nodes();
    tree_put("/sys/devices/cpu_atom/cpus", "0-3\n");
    cpu_mask_add_list(mask, "0-7");
    cpu_location *locations = cpu_locations(tree_root, mask, &count);
    cpu_locations_choose(locations, count, 3);
    ck_assert_uint_eq(locations[0].cpu, 4);
    ck_assert_uint_eq(locations[1].cpu, 5); /* a sibling of a fast core is still before a slow core */
    ck_assert_uint_eq(locations[2].cpu, 6);
    free(locations);
}
END_TEST

START_TEST(big_cores_are_known_by_their_capacity)
{
    uint8_t mask[CPU_MASK_BYTES] = {0};
    uint32_t count;

    for (int cpu = 0; cpu < 4; ++cpu)
        tree_put("/sys/devices/system/cpu/cpu%d/cpu_capacity", cpu < 2 ? "446\n" : "1024\n", cpu);
    cpu_mask_add_list(mask, "0-3");
    cpu_location *locations = cpu_locations(tree_root, mask, &count);
    cpu_locations_choose(locations, count, 2);
    ck_assert_uint_eq(locations[0].cpu, 2);
    ck_assert_uint_eq(locations[1].cpu, 3);
    free(locations);
}
END_TEST

START_TEST(workers_stay_inside_the_mask_however_they_are_pinned)
{
    uint8_t mask[CPU_MASK_BYTES] = {0}, masks[15][CPU_MASK_BYTES];
    cpu_settings settings = {0};
    cpu_placement place;

    two_nodes();
    cpu_mask_add_list(mask, "2-5");
    for (uint32_t pin = CPU_PIN_NONE; pin <= CPU_PIN_NODE; ++pin) {
        for (uint32_t units = 2; units <= 16; ++units) {
            settings.pin = pin;
            settings.threads = units;
            cpu_placement_find(&place, tree_root, mask, mask, &settings);
            ck_assert_uint_eq(place.units, units);
            cpu_placement_masks(&place, masks);
            for (uint32_t i = 0; i + 1 < units; ++i) {
                static const uint32_t cpus[] = {[CPU_PIN_NONE] = 4, [CPU_PIN_EACH] = 1, [CPU_PIN_NODE] = 2};
                ck_assert_uint_eq(cpu_mask_count(masks[i]), cpus[pin]);
                for (size_t byte = 0; byte < CPU_MASK_BYTES; ++byte)
                    ck_assert_uint_eq(masks[i][byte] & ~mask[byte], 0);
            }
        }
    }
}
END_TEST

START_TEST(workers_use_slow_cores_only_if_there_are_more_of_them_than_fast_ones)
{
    uint8_t mask[CPU_MASK_BYTES] = {0}, fast[CPU_MASK_BYTES] = {0}, masks[8][CPU_MASK_BYTES];
    cpu_settings settings = {.pin = CPU_PIN_NODE};
    cpu_placement place;

    tree_put("/sys/devices/cpu_atom/cpus", "4-11\n");
    cpu_mask_add_list(mask, "0-11");
    cpu_mask_add_list(fast, "0-3");
    for (uint32_t units = 2; units <= 8; ++units) {
        settings.threads = units;
        cpu_placement_find(&place, tree_root, mask, mask, &settings);
        cpu_placement_masks(&place, masks);
        for (uint32_t i = 0; i + 1 < units; ++i)
            ck_assert_int_eq(memcmp(masks[i], units <= 4 ? fast : mask, CPU_MASK_BYTES), 0);
    }
}
END_TEST

START_TEST(a_machine_that_tells_nothing_still_has_its_cpus)
{
    uint8_t mask[CPU_MASK_BYTES] = {0}, masks[3][CPU_MASK_BYTES];
    cpu_settings settings = {.pin = CPU_PIN_EACH};
    cpu_placement place;

    cpu_mask_add_list(mask, "1,3,5,7");
    cpu_placement_find(&place, tree_root, mask, mask, &settings);
    ck_assert_uint_eq(place.units, 4);
    cpu_placement_masks(&place, masks);
    for (size_t i = 0; i < 3; ++i) {
        ck_assert_uint_eq(cpu_mask_count(masks[i]), 1);
        ck_assert(cpu_mask_has(masks[i], 2 * i + 3));
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_placement");

    atomic_store(&cpu_host_services, &accel_services);
    TCase *trees = tcase_create("trees");

    tcase_add_checked_fixture(trees, tree_make, tree_remove);
    tcase_add_test(trees, a_device_has_the_least_of_cpus_and_quota_unless_told_otherwise);
    tcase_add_test(trees, launchers_tell_how_many_ranks_a_node_has);
    tcase_add_test(trees, workers_are_not_pinned_where_ranks_share_cpus_unless_asked);
    tcase_add_test(trees, siblings_come_after_whole_cores);
    tcase_add_test(trees, a_node_of_memory_alone_is_not_counted);
    tcase_add_test(trees, efficient_cores_come_last);
    tcase_add_test(trees, big_cores_are_known_by_their_capacity);
    tcase_add_test(trees, workers_stay_inside_the_mask_however_they_are_pinned);
    tcase_add_test(trees, workers_use_slow_cores_only_if_there_are_more_of_them_than_fast_ones);
    tcase_add_test(trees, a_machine_that_tells_nothing_still_has_its_cpus);
    suite_add_tcase(suite, trees);
    return suite;
}
