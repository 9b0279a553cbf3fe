/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine makes of machines that are not there: what it counts, and which CPUs it takes first. */
#include "core/plugins/services.h"
#include "machines.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/engine/process.h"
#include "run.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

enum { MIB = 1 << 20, KIB = 1 << 10 };

static const struct {
    const char *machine, *cpus;
    uint32_t sockets, cores, nodes;
    int32_t node;
    uint64_t caches[3];
    const char *first[3]; /* of 1, 2 and 4 threads */
} machines[] = {
    {MACHINE_ONE_CPU, "0", 1, 1, 1, 0, {0}, {"0", "0", "0"}},
    {MACHINE_SMT, "0-7", 1, 4, 1, 0, {48 * KIB, MIB, 16 * MIB}, {"0", "0,1", "0,1,2,3"}},
    {MACHINE_SMT, "1,3,5,7", 1, 2, 1, 0, {48 * KIB, MIB, 16 * MIB}, {"1", "1,3", "1,5,3,7"}},
    {MACHINE_CLUSTERS, "0-15", 2, 16, 4, -1, {32 * KIB, 512 * KIB, 8 * MIB}, {"0", "0,1", "0,1,2,3"}},
    {MACHINE_CLUSTERS, "12-15", 1, 4, 1, 3, {32 * KIB, 512 * KIB, 8 * MIB}, {"12", "12,13", "12,13,14,15"}},
    {MACHINE_NODE_GAPS, "0-15", 4, 16, 8, -1, {0, 0, 16 * MIB}, {"0", "0,1", "0,1,2,3"}},
    {MACHINE_NODE_GAPS, "14-15", 1, 2, 1, 900, {0, 0, 16 * MIB}, {"14", "14,15", "14,15"}},
    {MACHINE_FAST_MEMORY, "0-7", 2, 8, 2, -1, {0}, {"0", "0,1", "0,1,2,3"}},
    {MACHINE_FAST_MEMORY, "4-7", 1, 4, 1, 2, {0}, {"4", "4,5", "4,5,6,7"}},
    {MACHINE_SHARED_CACHE, "0-3", 1, 4, 2, -1, {0, 0, 16 * MIB}, {"0", "0,1", "0,1,2,3"}},
    {MACHINE_128_CPUS, "0-127", 2, 64, 8, -1, {0, 4 * MIB, 16 * MIB}, {"0", "0,2", "0,2,4,6"}},
    {MACHINE_HYBRID, "0-7", 1, 6, 1, 0, {32 * KIB, 2 * MIB, 12 * MIB}, {"4", "4,6", "0,1,4,6"}},
    {MACHINE_HYBRID, "0-3", 1, 4, 1, 0, {32 * KIB, 2 * MIB, 12 * MIB}, {"0", "0,1", "0,1,2,3"}},
    {MACHINE_OFFLINE, "0-3,8-10", 2, 7, 2, -1, {32 * KIB, MIB, 8 * MIB}, {"0", "0,1", "0,1,2,3"}},
    {MACHINE_FLAT, "0-7", 0, 0, 0, -1, {0}, {"0", "0,1", "0,1,2,3"}},
};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

START_TEST(packages_cores_nodes_and_caches_are_the_machine_s)
{
    cpu_topology *topology = machine_load(machines[_i].machine);
    uint8_t mask[CPU_MASK_BYTES] = {0};
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;

    cpu_mask_add_list(mask, machines[_i].cpus);
    cpu_topology_fill(topology, mask, &properties);
    ck_assert_uint_eq(properties.sockets, machines[_i].sockets);
    ck_assert_uint_eq(properties.cores, machines[_i].cores);
    ck_assert_uint_eq(properties.numa_nodes, machines[_i].nodes);
    ck_assert_int_eq(properties.numa_node, machines[_i].node);
    for (int level = 0; level < 3; ++level)
        ck_assert_uint_eq(properties.cache_bytes[level], machines[_i].caches[level]);
    free(topology);
}
END_TEST

/* The first `wanted` CPUs as a list. */
static const char *first_of(const cpu_topology *topology, const uint8_t mask[CPU_MASK_BYTES], uint32_t wanted,
                            char list[64])
{
    uint32_t count;
    cpu_location *locations = cpu_locations(topology, mask, &count);
    size_t length = 0;

    ck_assert_ptr_nonnull(locations);
    ck_assert_uint_eq(count, cpu_mask_count(mask));
    cpu_locations_choose(locations, count, wanted);
    for (uint32_t i = 0; i < wanted && i < count; ++i)
        length += (size_t)snprintf(list + length, 64 - length, "%s%u", i != 0 ? "," : "", locations[i].cpu);
    free(locations);
    return list;
}

START_TEST(cores_come_before_siblings_and_fast_ones_before_slow_ones)
{
    cpu_topology *topology = machine_load(machines[_i].machine);
    uint8_t mask[CPU_MASK_BYTES] = {0};
    char list[64];

    cpu_mask_add_list(mask, machines[_i].cpus);
    for (uint32_t i = 0; i < 3; ++i)
        ck_assert_str_eq(first_of(topology, mask, 1u << i, list), machines[_i].first[i]);
    free(topology);
}
END_TEST

START_TEST(all_cpus_are_taken_once_whatever_their_order)
{
    cpu_topology *topology = machine_load(machines[_i].machine);
    uint8_t mask[CPU_MASK_BYTES] = {0}, taken[CPU_MASK_BYTES] = {0};
    uint32_t count;

    cpu_mask_add_list(mask, machines[_i].cpus);
    cpu_location *locations = cpu_locations(topology, mask, &count);
    cpu_locations_choose(locations, count, count);
    for (uint32_t i = 0; i < count; ++i)
        cpu_mask_add(taken, locations[i].cpu);
    ck_assert_mem_eq(taken, mask, CPU_MASK_BYTES);
    for (uint32_t i = 1; i < count; ++i)
        ck_assert_uint_ge(locations[i].node, locations[i - 1].node);
    free(locations);
    free(topology);
}
END_TEST

START_TEST(siblings_of_fast_cores_come_after_slow_cores)
{
    cpu_topology *topology = machine_load(MACHINE_HYBRID);
    uint8_t mask[CPU_MASK_BYTES] = {0};
    char list[64];

    cpu_mask_add_list(mask, "0-7");
    ck_assert_str_eq(first_of(topology, mask, 6, list), "0,1,2,3,4,6");
    ck_assert_str_eq(first_of(topology, mask, 7, list), "0,1,2,3,4,5,6");
    free(topology);
}
END_TEST

START_TEST(cores_are_counted_by_kind_the_fastest_first)
{
    static const struct {
        const char *machine, *cpus;
        uint32_t kinds[3];
    } counts[] = {{MACHINE_HYBRID, "0-7", {2, 4}},
                  {MACHINE_HYBRID, "1-4,6", {2, 3}},
                  {MACHINE_HYBRID, "0-3", {4}},
                  {MACHINE_SMT, "0-7", {4}},
                  {MACHINE_FLAT, "0-7", {0}}};

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); ++i) {
        cpu_topology *topology = machine_load(counts[i].machine);
        uint8_t mask[CPU_MASK_BYTES] = {0};
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        cpu_mask_add_list(mask, counts[i].cpus);
        cpu_topology_fill(topology, mask, &properties);
        for (int kind = 0; kind < 3; ++kind)
            ck_assert_uint_eq(properties.core_kinds[kind], counts[i].kinds[kind]);
        free(topology);
    }
}
END_TEST

START_TEST(only_what_is_online_and_allowed_is_used)
{
    cpu_topology *topology = machine_load(MACHINE_OFFLINE);
    uint8_t mask[CPU_MASK_BYTES] = {0};

    cpu_mask_add_list(mask, "0-3,8-10");
    ck_assert_mem_eq(topology->allowed, mask, CPU_MASK_BYTES);
    ck_assert_uint_eq(topology->count, 8); /* CPU 11 is there: its cache is shared */
    free(topology);
}
END_TEST

/* As when CPUs came after the topology was read. */
START_TEST(cpus_that_the_topology_does_not_know_are_cores_of_their_own_at_the_end)
{
    cpu_topology *topology = machine_load(MACHINE_SMT);
    uint8_t mask[CPU_MASK_BYTES] = {0};
    uint32_t count;

    cpu_mask_add_list(mask, "0,4,500-501");
    cpu_location *locations = cpu_locations(topology, mask, &count);
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(locations[1].sibling, 1);
    ck_assert_uint_eq(locations[2].cpu, 500);
    ck_assert_uint_eq(locations[3].sibling, 0);
    free(locations);
    free(topology);
}
END_TEST

static const char *library; /* ACCEL_HWLOC_LIBRARY */

static const char *tell_library(const char *name)
{
    return strcmp(name, "ACCEL_HWLOC_LIBRARY") == 0 ? library : NULL;
}

static void check_flat(const char *file, const char *source)
{
    accel_host_services services = accel_services;

    machine_imitate(MACHINE_128_CPUS);
    library = file;
    services.config = tell_library;
    atomic_store(&cpu_host_services, &services);
    cpu_topology *topology = cpu_topology_load();
    ck_assert_str_eq(topology->source, source);
    ck_assert_uint_eq(topology->count, 0);
    ck_assert(!topology->imitated);
    free(topology);
}

START_TEST(without_the_library_the_topology_is_flat_and_says_so)
{
    check_flat("/nonexistent/libhwloc.so.15",
               "flat, ACCEL_HWLOC_LIBRARY names /nonexistent/libhwloc.so.15, which cannot be opened");
}
END_TEST

START_TEST(a_library_that_is_no_hwloc_is_not_used)
{
    check_flat("libc.so.6", "flat, libc.so.6 has no hwloc_get_api_version; hwloc 2.4 or later is needed");
}
END_TEST

START_TEST(the_library_may_be_named)
{
    accel_host_services services = accel_services;

    machine_imitate(MACHINE_SMT);
    library = "libhwloc.so.15";
    services.config = tell_library;
    atomic_store(&cpu_host_services, &services);
    cpu_topology *topology = cpu_topology_load();
    ck_assert_uint_eq(topology->count, 8);
    free(topology);
}
END_TEST

START_TEST(the_process_s_topology_is_read_once)
{
    machine_imitate(MACHINE_128_CPUS);
    const cpu_topology *topology = cpu_topology_get();

    ck_assert_uint_eq(topology->count, 128);
    machine_imitate(MACHINE_ONE_CPU);
    ck_assert_ptr_eq(cpu_topology_get(), topology);
}
END_TEST

START_TEST(the_process_s_cpus_are_those_of_the_imitated_machine)
{
    uint8_t mask[CPU_MASK_BYTES], expected[CPU_MASK_BYTES] = {0};
    uint32_t generation;

    machine_imitate(MACHINE_OFFLINE);
    cpu_mask_add_list(expected, "0-3,8-10");
    cpu_process_open(mask, &generation);
    ck_assert_mem_eq(mask, expected, CPU_MASK_BYTES);
    cpu_process_close(generation);
    cpu_process_cpus(mask);
    ck_assert_mem_eq(mask, expected, CPU_MASK_BYTES);
}
END_TEST

/* As clusters do it that read the topology of each node once, into a file. */
START_TEST(a_file_that_is_said_to_describe_this_system_narrows_nothing)
{
    uint8_t mask[CPU_MASK_BYTES];
    cpu_set_t own;
    uint32_t generation;

    machine_imitate(MACHINE_128_CPUS);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    cpu_process_open(mask, &generation);
    ck_assert_int_eq(sched_getaffinity(0, sizeof(own), &own), 0);
    ck_assert_uint_eq(cpu_mask_count(mask), (uint32_t)CPU_COUNT(&own));
    ck_assert_uint_eq(cpu_topology_get()->count, 128);
    cpu_process_close(generation);
}
END_TEST

/* Run by cpu_topology_setuid.sh. */
START_TEST(a_set_uid_program_obeys_no_variable_of_hwloc)
{
    machine_imitate(MACHINE_128_CPUS);
    cpu_topology *topology = cpu_topology_load();
    ck_assert_str_eq(topology->source, "flat, a set-uid program does not open hwloc while HWLOC_ variables are set");
    free(topology);
    ck_assert(!cpu_topology_may_be_imitated());
    unsetenv("HWLOC_SYNTHETIC");
    topology = cpu_topology_load();
    ck_assert(topology->count != 0);
    free(topology);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_topology");
    TCase *all = tcase_create("machines");

    tcase_add_loop_test(all, packages_cores_nodes_and_caches_are_the_machine_s, 0, MACHINES);
    tcase_add_loop_test(all, cores_come_before_siblings_and_fast_ones_before_slow_ones, 0, MACHINES);
    tcase_add_loop_test(all, all_cpus_are_taken_once_whatever_their_order, 0, MACHINES);
    suite_add_tcase(suite, all);
    add(suite, siblings_of_fast_cores_come_after_slow_cores);
    add(suite, cores_are_counted_by_kind_the_fastest_first);
    add(suite, only_what_is_online_and_allowed_is_used);
    add(suite, cpus_that_the_topology_does_not_know_are_cores_of_their_own_at_the_end);
    add(suite, without_the_library_the_topology_is_flat_and_says_so);
    add(suite, a_library_that_is_no_hwloc_is_not_used);
    add(suite, the_library_may_be_named);
    if (getauxval(AT_SECURE) != 0)
        add(suite, a_set_uid_program_obeys_no_variable_of_hwloc);
    add(suite, the_process_s_topology_is_read_once);
    add(suite, the_process_s_cpus_are_those_of_the_imitated_machine);
    add(suite, a_file_that_is_said_to_describe_this_system_narrows_nothing);
    return suite;
}
