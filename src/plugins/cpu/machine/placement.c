/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/placement.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/ranks.h"
#include "plugins/cpu/machine/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 1024, NODE_GAP = 16 };

static uint32_t choose_pin(const char *root, const uint8_t whole[CPU_MASK_BYTES], uint32_t pin)
{
    if (pin != CPU_PIN_AUTO)
        return pin;
    uint32_t ranks = cpu_ranks();
    if (!cpu_ranks_share(root, ranks, whole))
        return CPU_PIN_NODE;
    cpu_host()->log(ACCEL_LOG_INFO,
                    "workers are not pinned: %u processes of the job share %u CPUs; ACCEL_CPU_PIN pins them, "
                    "ACCEL_CPU_THREADS gives each fewer",
                    ranks, cpu_mask_count(whole));
    return CPU_PIN_NONE;
}

void cpu_placement_find(cpu_placement *place, const char *root, const uint8_t whole[CPU_MASK_BYTES],
                        const uint8_t mask[CPU_MASK_BYTES], const cpu_settings *settings)
{
    uint32_t cpus = cpu_mask_count(mask), all = cpu_mask_count(whole);
    memcpy(place->mask, mask, CPU_MASK_BYTES);
    memcpy(place->whole, whole, CPU_MASK_BYTES);
    place->root = root;
    place->pin = choose_pin(root, whole, settings->pin);
    if (settings->threads != 0) {
        /* A part of the CPUs has its part of the threads. */
        place->units = all != 0 ? (uint32_t)(((uint64_t)settings->threads * cpus + all - 1) / all) : settings->threads;
    } else {
        uint32_t quota = cpu_group_quota(root);
        place->units = cpus < quota ? cpus : quota;
    }
    if (place->units == 0)
        place->units = 1;
}

static uint64_t cpu_number(const char *root, uint32_t cpu, const char *name, uint64_t missing)
{
    char path[CPU_PATH];
    snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%u/%s", root, cpu, name);
    return cpu_file_number(path, missing);
}

/* The first CPU of a list, which names the thing that those of the list share. */
static uint32_t first_of(const char *root, uint32_t cpu, const char *name, uint32_t missing)
{
    return (uint32_t)cpu_number(root, cpu, name, missing);
}

static void read_nodes(const char *root, cpu_location *locations, uint32_t count)
{
    int missing = 0; /* in a row: numbers may have gaps */
    for (uint32_t node = 0; node < NODES && missing < NODE_GAP; ++node) {
        char path[CPU_PATH], list[CPU_LINE_TEXT];
        uint8_t mask[CPU_MASK_BYTES] = {0};
        snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%u/cpulist", root, node);
        cpu_file_line(path, list, sizeof(list)); /* empty also for memory without CPUs */
        missing = list[0] != '\0' ? 0 : missing + 1;
        cpu_mask_add_list(mask, list);
        for (uint32_t i = 0; i < count; ++i)
            if (cpu_mask_has(mask, locations[i].cpu))
                locations[i].node = node;
    }
}

static void read_location(const char *root, cpu_location *location)
{
    uint32_t cpu = location->cpu;
    location->package = (uint32_t)cpu_number(root, cpu, "topology/physical_package_id", 0);
    location->core = first_of(root, cpu, "topology/thread_siblings_list", cpu);
    location->cache = location->package;
    for (int index = 0; index < 8; ++index) { /* the last one is the largest */
        char name[64];
        snprintf(name, sizeof(name), "cache/index%d/shared_cpu_list", index);
        uint32_t first = first_of(root, cpu, name, UINT32_MAX);
        if (first == UINT32_MAX)
            break;
        location->cache = first;
    }
}

/* The system's word for it: a capacity on ARM and new kernels, lists of kinds on hybrid Intel processors. */
static void read_speed(const char *root, cpu_location *locations, uint32_t count)
{
    char path[CPU_PATH], list[CPU_LINE_TEXT];
    uint8_t efficient[CPU_MASK_BYTES] = {0};
    uint64_t best = 0;
    snprintf(path, sizeof(path), "%s/sys/devices/cpu_atom/cpus", root);
    cpu_mask_add_list(efficient, cpu_file_line(path, list, sizeof(list)));
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t capacity = cpu_number(root, locations[i].cpu, "cpu_capacity", 0);
        best = capacity > best ? capacity : best;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t capacity = cpu_number(root, locations[i].cpu, "cpu_capacity", 0);
        locations[i].slow = (uint32_t)(best - capacity) + (cpu_mask_has(efficient, locations[i].cpu) ? 1u << 16 : 0);
    }
}

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
    int result = order(a->slow, b->slow);
    result = result != 0 ? result : order(a->sibling, b->sibling);
    return result != 0 ? result : by_place(a, b);
}

cpu_location *cpu_locations(const char *root, const uint8_t mask[CPU_MASK_BYTES], uint32_t *count)
{
    uint32_t cpus = cpu_mask_count(mask), found = 0;
    cpu_location *locations = calloc(cpus != 0 ? cpus : 1, sizeof(*locations));
    if (locations == NULL)
        return NULL;
    for (uint32_t cpu = 0; cpu < CPU_MASK_BITS; ++cpu)
        if (cpu_mask_has(mask, cpu))
            locations[found++].cpu = cpu;
    *count = found != 0 ? found : 1;
    for (uint32_t i = 0; i < found; ++i)
        read_location(root, &locations[i]);
    read_nodes(root, locations, found);
    read_speed(root, locations, found);
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

/* On a node a thread may use all CPUs, not only the chosen ones: other processes with the same quota would choose the same.
 * But none that is slower than all that were chosen: fast cores come before slow ones. */
static bool may_use(const cpu_placement *place, const cpu_location *locations, uint32_t at, uint32_t i,
                    uint32_t slowest)
{
    if (place->pin == CPU_PIN_EACH)
        return i == at;
    return locations[i].node == locations[at].node && locations[i].slow <= slowest;
}

void cpu_placement_masks(const cpu_placement *place, uint8_t (*masks)[CPU_MASK_BYTES])
{
    uint32_t count = 0, slowest = 0;
    cpu_location *locations = NULL;
    if (place->pin != CPU_PIN_NONE)
        locations = cpu_locations(place->root, place->mask, &count);
    if (locations != NULL)
        cpu_locations_choose(locations, count, place->units);
    for (uint32_t i = 0; locations != NULL && i < count && i < place->units; ++i)
        slowest = locations[i].slow > slowest ? locations[i].slow : slowest;
    for (uint32_t thread = 1; thread < place->units; ++thread) {
        uint8_t *mask = masks[thread - 1];
        /* More threads than CPUs: neighbours still come together. */
        uint32_t at = place->units <= count ? thread : (uint32_t)((uint64_t)thread * count / place->units);
        memset(mask, 0, CPU_MASK_BYTES);
        for (uint32_t i = 0; i < count; ++i)
            if (may_use(place, locations, at, i, slowest))
                cpu_mask_add(mask, locations[i].cpu);
        if (locations == NULL)
            memcpy(mask, place->mask, CPU_MASK_BYTES);
    }
    free(locations);
}
