/* SPDX-License-Identifier: Apache-2.0 */
/* How many elements a block likes to have, on machines that show themselves as trees of files. */
#include "plugins/cpu/dispatch/division.h"
#include "run.h"
#include "plugins/cpu/machine/mask.h"
#include "tree.h"

#include <stddef.h>
#include <stdio.h>

enum { KIB = 1024 };

/* A cache of a CPU as the system tells it. */
static void put_cache(int cpu, int index, const char *level, const char *type, const char *size, const char *sharers)
{
    tree_put("/sys/devices/system/cpu/cpu%d/cache/index%d/level", level, cpu, index);
    tree_put("/sys/devices/system/cpu/cpu%d/cache/index%d/type", type, cpu, index);
    tree_put("/sys/devices/system/cpu/cpu%d/cache/index%d/size", size, cpu, index);
    tree_put("/sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", sharers, cpu, index);
}

/* CPU with a first level of its own, and a second one that it has with those of the list. */
static void put_cpu(int cpu, const char *first, const char *second, const char *sharers)
{
    char own[16];

    snprintf(own, sizeof(own), "%d\n", cpu);
    put_cache(cpu, 0, "1\n", "Data\n", first, own);
    put_cache(cpu, 1, "1\n", "Instruction\n", "1K\n", own);
    put_cache(cpu, 2, "2\n", "Unified\n", second, sharers);
    put_cache(cpu, 3, "3\n", "Unified\n", "1K\n", "0-8191\n");
}

static cpu_caches caches_of(const char *cpus)
{
    uint8_t mask[CPU_MASK_BYTES] = {0};
    cpu_caches caches;

    cpu_mask_add_list(mask, cpus);
    cpu_caches_find(&caches, tree_root, mask);
    ck_assert(caches.first != 0 && caches.second != 0);
    return caches;
}

START_TEST(a_cpu_has_its_own_caches)
{
    put_cpu(0, "48K\n", "2048K\n", "0\n");
    put_cpu(1, "48K\n", "2048K\n", "1\n");
    cpu_caches caches = caches_of("0-1");
    ck_assert_uint_eq(caches.first, 48 * KIB);
    ck_assert_uint_eq(caches.second, 2048 * KIB);
    caches = caches_of("1");
    ck_assert_uint_eq(caches.second, 2048 * KIB);
}
END_TEST

START_TEST(cpus_of_the_device_that_share_a_cache_have_a_part_each)
{
    put_cpu(0, "32K\n", "1M\n", "0-3\n");
    put_cpu(3, "32K\n", "1M\n", "0-3\n");
    ck_assert_uint_eq(caches_of("0-3").second, 256 * KIB);
    ck_assert_uint_eq(caches_of("0,3").second, 512 * KIB);
    ck_assert_uint_eq(caches_of("3").second, 1024 * KIB); /* the others are somebody else's */
}
END_TEST

START_TEST(the_third_level_is_divided_among_all_that_share_it)
{
    put_cpu(0, "32K\n", "1M\n", "0\n");
    put_cache(0, 3, "3\n", "Unified\n", "32M\n", "0-7\n");
    ck_assert_uint_eq(caches_of("0").third, 4096 * KIB);
    ck_assert_uint_eq(caches_of("0-1").third, 4096 * KIB);
    ck_assert_uint_eq(caches_of("9").third, 0); /* unknown */
}
END_TEST

START_TEST(of_unlike_cpus_the_least_counts)
{
    put_cpu(0, "48K\n", "1280K\n", "0-1\n"); /* siblings of a fast core */
    put_cpu(19, "32K\n", "4M\n", "16-19\n"); /* one of four slow cores */
    cpu_caches caches = caches_of("0-19");
    ck_assert_uint_eq(caches.first, 32 * KIB);
    ck_assert_uint_eq(caches.second, 640 * KIB);
}
END_TEST

START_TEST(a_machine_that_tells_nothing_has_the_usual_caches)
{
    static const char *const nonsense[] = {"\n", "0\n", "x\n", "99999999999G\n"};
    cpu_caches caches = caches_of("0-7");

    ck_assert_uint_ge(caches.first, 4 * KIB);
    ck_assert_uint_ge(caches.second, 64 * KIB);
    for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); ++i) {
        accel_suggestion suggestion = {.struct_size = sizeof(suggestion)};
        put_cpu(0, nonsense[i], nonsense[i], nonsense[i]);
        caches = caches_of("0");
        cpu_division_suggest(&caches, 1, &suggestion);
        ck_assert_uint_ge(suggestion.chunk, 64);
        ck_assert_uint_ge(suggestion.cache_elems, suggestion.chunk);
        ck_assert_uint_le(suggestion.cache_elems, UINT32_MAX / 2);
    }
    caches = caches_of("");
    ck_assert_uint_ge(caches.first, 4 * KIB);
}
END_TEST

/* Ratios that every machine gets: no block is nothing, and none is more than what its cache holds, unless that is tiny. */
START_TEST(suggestions_follow_the_caches)
{
    static const struct {
        size_t first, second;
        uint32_t chunk, cache_elems;
    } machines[] = {{48 * KIB, 2048 * KIB, 512, 43648},
                    {32 * KIB, 256 * KIB, 320, 5440},
                    {64 * KIB, 512 * KIB, 640, 10880},
                    {128 * KIB, 4096 * KIB, 1344, 87360},
                    {1, 1, 64, 512},
                    {32 * KIB, 16 * KIB, 320, 2560},
                    {(size_t)1 << 34, (size_t)1 << 34, 178956928, 1431655424}};

    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); ++i) {
        const cpu_caches caches = {machines[i].first, machines[i].second, 0};
        for (uint32_t parts = 0; parts < 3; ++parts) {
            accel_suggestion suggestion = {.struct_size = sizeof(suggestion), .threads = 7};
            cpu_division_suggest(&caches, parts, &suggestion);
            ck_assert_uint_eq(suggestion.threads, 7);
            ck_assert_uint_eq(suggestion.blocks, parts != 0 ? parts : 1);
            ck_assert_uint_eq(suggestion.chunk, machines[i].chunk);
            ck_assert_uint_eq(suggestion.cache_elems, machines[i].cache_elems);
        }
    }
}
END_TEST

START_TEST(a_library_that_knows_no_caches_is_not_written_behind)
{
    const cpu_caches caches = {48 * KIB, 2048 * KIB, 0};
    accel_suggestion suggestion = {.struct_size = offsetof(accel_suggestion, cache_elems), .cache_elems = 0xabcdef};

    cpu_division_suggest(&caches, 8, &suggestion);
    ck_assert_uint_eq(suggestion.chunk, 512);
    ck_assert_uint_eq(suggestion.cache_elems, 0xabcdef);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_division");
    TCase *trees = tcase_create("trees");

    tcase_add_checked_fixture(trees, tree_make, tree_remove);
    tcase_add_test(trees, a_cpu_has_its_own_caches);
    tcase_add_test(trees, cpus_of_the_device_that_share_a_cache_have_a_part_each);
    tcase_add_test(trees, the_third_level_is_divided_among_all_that_share_it);
    tcase_add_test(trees, of_unlike_cpus_the_least_counts);
    tcase_add_test(trees, a_machine_that_tells_nothing_has_the_usual_caches);
    suite_add_tcase(suite, trees);
    add(suite, suggestions_follow_the_caches);
    add(suite, a_library_that_knows_no_caches_is_not_written_behind);
    return suite;
}
