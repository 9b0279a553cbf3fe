/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/caches.h"
#include "plugins/cpu/engine/isa.h"

#include <stdlib.h>
#include <unistd.h>

enum { FIRST = 32 << 10, SECOND = 1 << 20 };
/* So that numbers of elements fit 32 bits, whatever the system says. */
#define MOST_BYTES ((size_t)1 << 34)

static void keep_least(size_t *bytes, uint64_t found)
{
    if (found != 0 && (*bytes == 0 || found < *bytes))
        *bytes = found < MOST_BYTES ? (size_t)found : MOST_BYTES;
}

/* One level: what each CPU has of it. `users` counts, for a cache of the level, the CPUs of the device. */
static size_t find_level(const cpu_location *locations, uint32_t count, int level, uint32_t users[CPU_MASK_BITS])
{
    size_t least = 0;
    for (uint32_t i = 0; i < count; ++i)
        users[locations[i].caches[level].first] = 0;
    for (uint32_t i = 0; i < count; ++i)
        users[locations[i].caches[level].first]++;
    for (uint32_t i = 0; i < count; ++i) {
        const cpu_cache *cache = &locations[i].caches[level];
        if (cache->sharers != 0)
            keep_least(&least, cache->bytes / (level == 2 ? cache->sharers : users[cache->first]));
    }
    return least;
}

static size_t usual(int name, size_t otherwise)
{
    long bytes = sysconf(name);
    return bytes > 0 && (size_t)bytes <= MOST_BYTES ? (size_t)bytes : otherwise;
}

void cpu_caches_find(cpu_caches *caches, const cpu_topology *topology, const uint8_t mask[CPU_MASK_BYTES])
{
    uint32_t count = 0;
    cpu_location *locations = topology->count != 0 ? cpu_locations(topology, mask, &count) : NULL;
    uint32_t *users = locations != NULL ? malloc(CPU_MASK_BITS * sizeof(*users)) : NULL;
    *caches = (cpu_caches){.third_is_victim = cpu_isa_native()->is_amd};
    if (users != NULL) {
        caches->first = find_level(locations, count, 0, users);
        caches->second = find_level(locations, count, 1, users);
        caches->third = find_level(locations, count, 2, users);
    }
    if (caches->first == 0)
        caches->first = usual(_SC_LEVEL1_DCACHE_SIZE, FIRST);
    if (caches->second == 0)
        caches->second = usual(_SC_LEVEL2_CACHE_SIZE, SECOND);
    free(users);
    free(locations);
}
