/* SPDX-License-Identifier: Apache-2.0 */
/* What device properties say of the topology. */
#include "plugins/cpu/machine/topology.h"

#include <stdio.h>
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

/* A core counts where its first CPU is. What is slower than the last kind that has a place is counted there. */
static void count_kinds(const cpu_location *locations, uint32_t count, accel_device_properties *properties)
{
    uint32_t kinds[ACCEL_CORE_KINDS] = {0}, found = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (locations[i].sibling == 0)
            kinds[locations[i].slow < ACCEL_CORE_KINDS ? locations[i].slow : ACCEL_CORE_KINDS - 1]++;
    for (uint32_t kind = 0; kind < ACCEL_CORE_KINDS; ++kind)
        if (kinds[kind] != 0)
            properties->core_kinds[found++] = kinds[kind];
}

void cpu_topology_fill(const cpu_topology *topology, const uint8_t mask[CPU_MASK_BYTES],
                       accel_device_properties *properties)
{
    uint32_t count;
    cpu_location *locations = topology->count != 0 ? cpu_locations(topology, mask, &count) : NULL;
    uint32_t *numbers = locations != NULL ? malloc(count * sizeof(*numbers)) : NULL;
    properties->numa_node = -1;
    snprintf(properties->topology, sizeof(properties->topology), "%s", topology->source);
    if (numbers == NULL)
        goto done;
    fill_caches(&locations[0], properties);
    for (uint32_t i = 0; i < count; ++i)
        numbers[i] = locations[i].core;
    properties->cores = count_different(numbers, count);
    count_kinds(locations, count, properties);
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
