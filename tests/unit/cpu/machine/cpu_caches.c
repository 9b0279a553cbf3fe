/* SPDX-License-Identifier: Apache-2.0 */
/* What a CPU has of the caches of machines that are not there. */
#include "plugins/cpu/machine/caches.h"
#include "machines.h"
#include "run.h"

#include <stdlib.h>

enum { KIB = 1 << 10 };

static cpu_caches caches_of(const char *machine, const char *cpus)
{
    cpu_topology *topology = machine_load(machine);
    uint8_t mask[CPU_MASK_BYTES] = {0};
    cpu_caches caches;

    cpu_mask_add_list(mask, cpus);
    cpu_caches_find(&caches, topology, mask);
    ck_assert(caches.first != 0 && caches.second != 0);
    free(topology);
    return caches;
}

START_TEST(a_cpu_has_its_own_caches)
{
    cpu_caches caches = caches_of(MACHINE_CLUSTERS, "0-15");

    ck_assert_uint_eq(caches.first, 32 * KIB);
    ck_assert_uint_eq(caches.second, 512 * KIB);
    ck_assert_uint_eq(caches_of(MACHINE_CLUSTERS, "5").second, 512 * KIB);
}
END_TEST

START_TEST(cpus_of_the_device_that_share_a_cache_have_a_part_each)
{
    ck_assert_uint_eq(caches_of(MACHINE_SMT, "0-7").first, 24 * KIB);
    ck_assert_uint_eq(caches_of(MACHINE_SMT, "0-7").second, 512 * KIB);
    ck_assert_uint_eq(caches_of(MACHINE_SMT, "0-3").second, 1024 * KIB); /* the siblings are somebody else's */
    ck_assert_uint_eq(caches_of(MACHINE_HYBRID, "0-3").second, 512 * KIB);
    ck_assert_uint_eq(caches_of(MACHINE_HYBRID, "1,3").second, 1024 * KIB);
}
END_TEST

START_TEST(the_third_level_is_divided_among_all_that_share_it)
{
    ck_assert_uint_eq(caches_of(MACHINE_CLUSTERS, "0-15").third, 4096 * KIB);
    ck_assert_uint_eq(caches_of(MACHINE_CLUSTERS, "0").third, 4096 * KIB);
    ck_assert_uint_eq(caches_of(MACHINE_OFFLINE, "8-10").third, 2048 * KIB); /* with one that is not allowed */
    ck_assert_uint_eq(caches_of(MACHINE_ONE_CPU, "0").third, 0);
}
END_TEST

START_TEST(of_unlike_cpus_the_least_counts)
{
    cpu_caches caches = caches_of(MACHINE_HYBRID, "0-7");

    ck_assert_uint_eq(caches.first, 24 * KIB);   /* half of a fast core's */
    ck_assert_uint_eq(caches.second, 512 * KIB); /* a quarter of the slow cores' */
    caches = caches_of(MACHINE_HYBRID, "0,4");
    ck_assert_uint_eq(caches.first, 32 * KIB);
    ck_assert_uint_eq(caches.second, 1280 * KIB);
}
END_TEST

START_TEST(where_caches_are_unknown_there_are_the_usual_ones)
{
    static const char *const machines[] = {MACHINE_FLAT, MACHINE_ONE_CPU};
    static const char *const cpus[] = {"0-7", "9000", ""};

    for (size_t i = 0; i < 2; ++i) {
        for (size_t j = 0; j < 3; ++j) {
            cpu_caches caches = caches_of(machines[i], cpus[j]);
            ck_assert_uint_ge(caches.first, 4 * KIB);
            ck_assert_uint_ge(caches.second, 64 * KIB);
            ck_assert_uint_eq(caches.third, 0);
        }
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_caches");

    add(suite, a_cpu_has_its_own_caches);
    add(suite, cpus_of_the_device_that_share_a_cache_have_a_part_each);
    add(suite, the_third_level_is_divided_among_all_that_share_it);
    add(suite, of_unlike_cpus_the_least_counts);
    add(suite, where_caches_are_unknown_there_are_the_usual_ones);
    return suite;
}
