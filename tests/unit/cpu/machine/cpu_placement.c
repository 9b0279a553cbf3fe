/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads a device gets, and where. */
#include "machines.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/machine/placement.h"
#include "plugins/cpu/machine/ranks.h"
#include "run.h"
#include "core/plugins/services.h"
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

START_TEST(workers_stay_inside_the_mask_however_they_are_pinned)
{
    cpu_topology *topology = machine_load(MACHINE_CLUSTERS);
    uint8_t mask[CPU_MASK_BYTES] = {0}, masks[15][CPU_MASK_BYTES];
    cpu_settings settings = {0};
    cpu_placement place;

    cpu_mask_add_list(mask, "2-5");
    for (uint32_t pin = CPU_PIN_NONE; pin <= CPU_PIN_NODE; ++pin) {
        for (uint32_t units = 2; units <= 16; ++units) {
            settings.pin = pin;
            settings.threads = units;
            cpu_placement_find(&place, tree_root, mask, mask, &settings);
            place.topology = topology;
            ck_assert_uint_eq(place.units, units);
            cpu_placement_masks(&place, masks, NULL);
            for (uint32_t i = 0; i + 1 < units; ++i) {
                static const uint32_t cpus[] = {[CPU_PIN_NONE] = 4, [CPU_PIN_EACH] = 1, [CPU_PIN_NODE] = 2};
                ck_assert_uint_eq(cpu_mask_count(masks[i]), cpus[pin]);
                for (size_t byte = 0; byte < CPU_MASK_BYTES; ++byte)
                    ck_assert_uint_eq(masks[i][byte] & ~mask[byte], 0);
            }
        }
    }
    free(topology);
}
END_TEST

/* A worker's mask: its CPU where each has one, its node where each has a node. */
static const struct {
    const char *machine, *cpus;
    uint32_t pin, threads;
    const char *masks[4]; /* of the workers, beside the caller */
} workers[] = {
    {MACHINE_SMT, "0-7", CPU_PIN_EACH, 4, {"1", "2", "3"}},
    {MACHINE_SMT, "0-7", CPU_PIN_NODE, 4, {"0-7", "0-7", "0-7"}},
    {MACHINE_SMT, "0-7", CPU_PIN_EACH, 5, {"4", "1", "2", "3"}},
    {MACHINE_CLUSTERS, "2-5", CPU_PIN_EACH, 4, {"3", "4", "5"}},
    {MACHINE_CLUSTERS, "2-5", CPU_PIN_NODE, 4, {"2-3", "4-5", "4-5"}},
    {MACHINE_NODE_GAPS, "8-15", CPU_PIN_NODE, 5, {"8-9", "10-11", "10-11", "12-13"}},
    {MACHINE_FAST_MEMORY, "0-7", CPU_PIN_NODE, 5, {"0-3", "0-3", "0-3", "4-7"}},
    {MACHINE_HYBRID, "0-7", CPU_PIN_NODE, 2, {"4-7"}}, /* on the fast cores */
    {MACHINE_HYBRID, "0-7", CPU_PIN_NODE, 3, {"0-7", "0-7"}},
    {MACHINE_HYBRID, "0-7", CPU_PIN_EACH, 2, {"6"}},
    {MACHINE_HYBRID, "0-3", CPU_PIN_NODE, 4, {"0-3", "0-3", "0-3"}},
    {MACHINE_OFFLINE, "0-3,8-10", CPU_PIN_NODE, 5, {"0-3", "0-3", "0-3", "8-10"}},
    {MACHINE_FLAT, "1,3,5,7", CPU_PIN_EACH, 4, {"3", "5", "7"}},
    {MACHINE_FLAT, "1,3,5,7", CPU_PIN_NODE, 4, {"1,3,5,7", "1,3,5,7", "1,3,5,7"}},
};

START_TEST(workers_are_pinned_to_the_cpus_that_come_first_or_to_their_nodes)
{
    cpu_topology *topology = machine_load(workers[_i].machine);
    uint8_t mask[CPU_MASK_BYTES] = {0}, masks[8][CPU_MASK_BYTES];
    cpu_settings settings = {.pin = workers[_i].pin, .threads = workers[_i].threads};
    cpu_placement place;

    cpu_mask_add_list(mask, workers[_i].cpus);
    cpu_placement_find(&place, tree_root, mask, mask, &settings);
    place.topology = topology;
    cpu_placement_masks(&place, masks, NULL);
    for (uint32_t i = 0; i + 1 < workers[_i].threads; ++i) {
        uint8_t expected[CPU_MASK_BYTES] = {0};
        cpu_mask_add_list(expected, workers[_i].masks[i]);
        ck_assert_mem_eq(masks[i], expected, CPU_MASK_BYTES);
    }
    free(topology);
}
END_TEST

/* Asking hwloc takes a millisecond and more. */
static const struct {
    const char *nodes; /* with CPUs; NULL: the system knows none */
    const char *cpus;
    uint32_t pin, threads;
    bool asks;
} questions[] = {
    {"0", "0-1", CPU_PIN_NODE, 2, false},  {NULL, "0-7", CPU_PIN_NODE, 8, false}, {"1", "4-5", CPU_PIN_NODE, 4, false},
    {"0", "0-1", CPU_PIN_NONE, 2, false},  {"0-1", "0-1", CPU_PIN_NODE, 2, true}, {"0,8", "0-1", CPU_PIN_NODE, 2, true},
    {"0", "0-1", CPU_PIN_EACH, 2, true},   {"0", "0-3", CPU_PIN_NODE, 2, true}, /* the fast ones */
    {"0", "0-15", CPU_PIN_NODE, 16, true},                                      /* which share caches */
};

START_TEST(hwloc_is_asked_only_where_its_answer_matters)
{
    static const char *const imitations[] = {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT"};
    uint8_t mask[CPU_MASK_BYTES] = {0}, masks[16][CPU_MASK_BYTES];
    cpu_seat seats[16];
    cpu_settings settings = {.pin = questions[_i].pin, .threads = questions[_i].threads};
    cpu_placement place;

    for (size_t i = 0; i < sizeof(imitations) / sizeof(imitations[0]); ++i)
        unsetenv(imitations[i]);
    if (questions[_i].nodes != NULL)
        tree_put("/sys/devices/system/node/has_cpu", questions[_i].nodes);
    cpu_mask_add_list(mask, questions[_i].cpus);
    cpu_placement_find(&place, tree_root, mask, mask, &settings);
    cpu_placement_masks(&place, masks, seats);
    ck_assert_int_eq(cpu_topology_is_known(), questions[_i].asks);
    if (!questions[_i].asks)
        for (uint32_t i = 0; i + 1 < questions[_i].threads; ++i)
            ck_assert_mem_eq(masks[i], mask, CPU_MASK_BYTES);
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
    tcase_add_test(trees, workers_stay_inside_the_mask_however_they_are_pinned);
    tcase_add_loop_test(trees, workers_are_pinned_to_the_cpus_that_come_first_or_to_their_nodes, 0,
                        sizeof(workers) / sizeof(workers[0]));
    tcase_add_loop_test(trees, hwloc_is_asked_only_where_its_answer_matters, 0,
                        sizeof(questions) / sizeof(questions[0]));
    suite_add_tcase(suite, trees);
    return suite;
}
