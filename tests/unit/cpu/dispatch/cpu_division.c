/* SPDX-License-Identifier: Apache-2.0 */
/* Preferred elements per block. */
#include "plugins/cpu/dispatch/division.h"
#include "run.h"

#include <stddef.h>

enum { KIB = 1024 };

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
        const cpu_caches caches = {.first = machines[i].first, .second = machines[i].second};
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

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_division");

    add(suite, suggestions_follow_the_caches);
    return suite;
}
