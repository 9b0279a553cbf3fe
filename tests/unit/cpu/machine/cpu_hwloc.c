/* SPDX-License-Identifier: Apache-2.0 */
/* hwloc, where it is installed, sees the same machine: the CPUs that may be used, and how they lie together. */
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/machine/placement.h"
#include "run.h"
#include "core/plugins/services.h"
#include "plugins/cpu/machine/mask.h"

#include <hwloc.h>
#include <stdlib.h>

static hwloc_topology_t topology;
static uint8_t mask[CPU_MASK_BYTES];

static void load(void)
{
    atomic_store(&cpu_host_services, &accel_services);
    cpu_process_cpus(mask);
    ck_assert_int_eq(hwloc_topology_init(&topology), 0);
    ck_assert_int_eq(hwloc_topology_load(topology), 0);
}

static void unload(void)
{
    hwloc_topology_destroy(topology);
}

START_TEST(the_cpus_of_the_process_are_those_that_hwloc_allows_and_the_system_binds_it_to)
{
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();

    ck_assert_int_eq(hwloc_get_cpubind(topology, bound, HWLOC_CPUBIND_PROCESS), 0);
    hwloc_bitmap_and(bound, bound, hwloc_topology_get_allowed_cpuset(topology));
    for (unsigned cpu = 0; cpu < CPU_MASK_BITS; ++cpu)
        ck_assert_msg(cpu_mask_has(mask, cpu) == (hwloc_bitmap_isset(bound, cpu) != 0), "CPU %u", cpu);
    hwloc_bitmap_free(bound);
}
END_TEST

/* The object of a kind that holds a CPU. */
static hwloc_obj_t holder(hwloc_obj_type_t type, unsigned cpu)
{
    hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology, cpu);

    ck_assert_ptr_nonnull(pu);
    return hwloc_get_ancestor_obj_by_type(topology, type, pu);
}

START_TEST(cpus_share_cores_packages_and_nodes_as_hwloc_says)
{
    uint32_t count;
    cpu_location *locations = cpu_locations("", mask, &count);

    ck_assert_ptr_nonnull(locations);
    ck_assert_uint_eq(count, cpu_mask_count(mask));
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t j = 0; j < i; ++j) {
            const cpu_location *a = &locations[i], *b = &locations[j];
            hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology, a->cpu);
            hwloc_obj_t other = hwloc_get_pu_obj_by_os_index(topology, b->cpu);
            ck_assert_int_eq(a->core == b->core, holder(HWLOC_OBJ_CORE, a->cpu) == holder(HWLOC_OBJ_CORE, b->cpu));
            ck_assert_int_eq(a->package == b->package,
                             holder(HWLOC_OBJ_PACKAGE, a->cpu) == holder(HWLOC_OBJ_PACKAGE, b->cpu));
            ck_assert_int_eq(a->node == b->node, hwloc_bitmap_isequal(pu->nodeset, other->nodeset));
        }
    }
    free(locations);
}
END_TEST

START_TEST(fast_cores_come_first_as_hwloc_ranks_them)
{
    uint32_t count;
    cpu_location *locations = cpu_locations("", mask, &count);
    int kinds = hwloc_cpukinds_get_nr(topology, 0);

    ck_assert_ptr_nonnull(locations);
    cpu_locations_choose(locations, count, 1);
    for (uint32_t i = 1; i < count && kinds > 1; ++i) {
        hwloc_obj_t best = hwloc_get_pu_obj_by_os_index(topology, locations[0].cpu);
        hwloc_obj_t other = hwloc_get_pu_obj_by_os_index(topology, locations[i].cpu);
        ck_assert_int_ge(hwloc_cpukinds_get_by_cpuset(topology, best->cpuset, 0),
                         hwloc_cpukinds_get_by_cpuset(topology, other->cpuset, 0));
    }
    free(locations);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_hwloc");
    TCase *machine = tcase_create("machine");

    tcase_add_checked_fixture(machine, load, unload);
    tcase_add_test(machine, the_cpus_of_the_process_are_those_that_hwloc_allows_and_the_system_binds_it_to);
    tcase_add_test(machine, cpus_share_cores_packages_and_nodes_as_hwloc_says);
    tcase_add_test(machine, fast_cores_come_first_as_hwloc_ranks_them);
    suite_add_tcase(suite, machine);
    return suite;
}
