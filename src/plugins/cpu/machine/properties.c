/* SPDX-License-Identifier: Apache-2.0 */
/* What device properties say of the topology. */
#include "plugins/cpu/machine/topology.h"

#include <stdlib.h>

static int order(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* How many different numbers there are; sorts them. */
static uint32_t count_different(uint32_t *numbers, uint32_t count)
{
    uint32_t different = 0;
    qsort(numbers, count, sizeof(*numbers), order);
    for (uint32_t i = 0; i < count; ++i)
        different += i == 0 || numbers[i] != numbers[i - 1];
    return different;
}

static void fill_caches(const cpu_location *location, accel_device_properties *properties)
{
    for (int level = 0; level < CPU_CACHE_LEVELS; ++level) {
        const cpu_cache *cache = &location->caches[level];
        properties->cache_bytes[level] = cache->bytes;
        if (cache->line != 0)
            properties->cache_line = cache->line;
    }
}

void cpu_topology_fill(const cpu_topology *topology, const uint8_t mask[CPU_MASK_BYTES],
                       accel_device_properties *properties)
{
    uint32_t count;
    cpu_location *locations = topology->count != 0 ? cpu_locations(topology, mask, &count) : NULL;
    uint32_t *numbers = locations != NULL ? malloc(count * sizeof(*numbers)) : NULL;
    properties->numa_node = -1;
    if (numbers == NULL)
        goto done;
    fill_caches(&locations[0], properties);
    for (uint32_t i = 0; i < count; ++i)
        numbers[i] = locations[i].core;
    properties->cores = count_different(numbers, count);
    for (uint32_t i = 0; i < count; ++i)
        numbers[i] = locations[i].package;
    properties->sockets = count_different(numbers, count);
    for (uint32_t i = 0; i < count; ++i)
        numbers[i] = locations[i].node;
    properties->numa_nodes = count_different(numbers, count);
    if (properties->numa_nodes == 1 && locations[0].node != CPU_NO_NODE)
        properties->numa_node = (int32_t)locations[0].node;
done:
    free(numbers);
    free(locations);
}
