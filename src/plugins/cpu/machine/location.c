/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/topology.h"

#include <stdlib.h>

static int order(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *left, const void *right)
{
    const cpu_location *a = left, *b = right;
    int result = order(a->node, b->node);
    result = result != 0 ? result : order(a->package, b->package);
    result = result != 0 ? result : order(a->cache, b->cache);
    result = result != 0 ? result : order(a->core, b->core);
    return result != 0 ? result : order(a->cpu, b->cpu);
}

static int by_worth(const void *left, const void *right)
{
    const cpu_location *a = left, *b = right;
    int result = order(a->sibling, b->sibling);
    result = result != 0 ? result : order(a->slow, b->slow);
    return result != 0 ? result : by_place(a, b);
}

cpu_location *cpu_locations(const cpu_topology *topology, const uint8_t mask[CPU_MASK_BYTES], uint32_t *count)
{
    uint32_t cpus = cpu_mask_count(mask), found = 0, known = 0;
    cpu_location *locations = calloc(cpus != 0 ? cpus : 1, sizeof(*locations));
    if (locations == NULL)
        return NULL;
    for (uint32_t cpu = 0; cpu < CPU_MASK_BITS && found < cpus; ++cpu) {
        if (!cpu_mask_has(mask, cpu))
            continue;
        while (known < topology->count && topology->cpus[known].cpu < cpu)
            known++;
        if (known < topology->count && topology->cpus[known].cpu == cpu)
            locations[found++] = topology->cpus[known];
        else
            locations[found++] = (cpu_location){.cpu = cpu, .core = cpu, .node = CPU_NO_NODE};
    }
    *count = found != 0 ? found : 1;
    qsort(locations, found, sizeof(*locations), by_place);
    for (uint32_t i = 1; i < found; ++i)
        if (locations[i].core == locations[i - 1].core)
            locations[i].sibling = locations[i - 1].sibling + 1;
    return locations;
}

void cpu_locations_choose(cpu_location *locations, uint32_t count, uint32_t wanted)
{
    qsort(locations, count, sizeof(*locations), by_worth);
    qsort(locations, wanted < count ? wanted : count, sizeof(*locations), by_place);
}
