/* SPDX-License-Identifier: Apache-2.0 */
/* How the threads of a pool are parted into groups. */
#include "machines.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/threads/group.h"
#include "core/plugins/services.h"
#include "run.h"

#include <stdlib.h>

/* Threads of each node, in caches of so many. */
static const struct {
    uint32_t nodes, caches, threads; /* nodes; caches of one; threads of a cache */
    uint32_t groups, largest;
} shapes[] = {
    {1, 1, 2, 1, 2},      {1, 1, 8, 1, 8},   {1, 1, 9, 2, 5},   {1, 2, 4, 1, 8},     {2, 1, 2, 2, 2},
    {1, 4, 3, 2, 6},      {1, 8, 8, 8, 8},   {2, 1, 64, 16, 8}, {1, 1, 64, 8, 8},    {2, 16, 8, 32, 8},
    {1, 1, 1024, 32, 32}, {40, 1, 2, 10, 8}, {20, 1, 9, 20, 9}, {1, 1, 257, 17, 16}, {33, 1, 31, 17, 62},
};

START_TEST(groups_are_small_and_keep_to_caches_and_nodes)
{
    uint32_t nodes = shapes[_i].nodes, caches = shapes[_i].caches, each = shapes[_i].threads;
    uint32_t threads = nodes * caches * each, firsts[CPU_GROUPS + 1], largest = 0;
    cpu_seat *seats = calloc(threads, sizeof(*seats));

    for (uint32_t i = 0; i < threads; ++i)
        seats[i] = (cpu_seat){.cpu = i, .node = i / (caches * each), .cache = i / each};
    uint32_t groups = cpu_groups_part(seats, threads, firsts);
    ck_assert_uint_eq(groups, shapes[_i].groups);
    ck_assert_uint_eq(firsts[0], 0);
    ck_assert_uint_eq(firsts[groups], threads);
    for (uint32_t i = 0; i < groups; ++i) {
        ck_assert_uint_lt(firsts[i], firsts[i + 1]);
        largest = firsts[i + 1] - firsts[i] > largest ? firsts[i + 1] - firsts[i] : largest;
        if (groups >= nodes)
            ck_assert_uint_eq(seats[firsts[i]].node, seats[firsts[i + 1] - 1].node);
    }
    ck_assert_uint_eq(largest, shapes[_i].largest);
    free(seats);
}
END_TEST

START_TEST(threads_of_which_nothing_is_known_are_one_group)
{
    uint32_t firsts[CPU_GROUPS + 1];

    ck_assert_uint_eq(cpu_groups_part(NULL, 100, firsts), 1);
    ck_assert_uint_eq(firsts[0], 0);
    ck_assert_uint_eq(firsts[1], 100);
}
END_TEST

/* Eight nodes of two caches, each with eight CPUs. */
START_TEST(a_machine_of_128_cpus_has_a_group_for_each_cache)
{
    cpu_topology *topology = machine_load(MACHINE_128_CPUS);
    uint8_t mask[CPU_MASK_BYTES] = {0}, (*masks)[CPU_MASK_BYTES] = calloc(128, CPU_MASK_BYTES);
    cpu_placement place = {.units = 128, .pin = CPU_PIN_NODE, .root = "", .topology = topology};
    uint32_t firsts[CPU_GROUPS + 1];
    cpu_seat seats[128];

    cpu_mask_add_list(mask, "0-127");
    memcpy(place.mask, mask, CPU_MASK_BYTES);
    cpu_placement_masks(&place, masks, seats);
    ck_assert_uint_eq(cpu_groups_part(seats, 128, firsts), 16);
    for (uint32_t i = 0; i < 16; ++i) {
        ck_assert_uint_eq(firsts[i], 8 * i);
        for (uint32_t j = 1; j < 8; ++j)
            ck_assert_uint_eq(seats[8 * i + j].cache, seats[8 * i].cache);
    }
    free(masks);
    free(topology);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_group");
    TCase *parts = tcase_create("parts");

    atomic_store(&cpu_host_services, &accel_services);
    tcase_add_loop_test(parts, groups_are_small_and_keep_to_caches_and_nodes, 0, sizeof(shapes) / sizeof(shapes[0]));
    suite_add_tcase(suite, parts);
    add(suite, threads_of_which_nothing_is_known_are_one_group);
    add(suite, a_machine_of_128_cpus_has_a_group_for_each_cache);
    return suite;
}
