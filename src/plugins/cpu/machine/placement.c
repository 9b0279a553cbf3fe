/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/placement.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/ranks.h"
#include "plugins/cpu/machine/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    place->topology = NULL;
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

/* On a node a thread may use all CPUs, not only the chosen ones: other processes with the same quota would choose the same.
 * But none that is slower than all that were chosen: fast cores come before slow ones. */
static bool may_use(const cpu_placement *place, const cpu_location *locations, uint32_t at, uint32_t i,
                    uint32_t slowest)
{
    if (place->pin == CPU_PIN_EACH)
        return i == at;
    return locations[i].node == locations[at].node && locations[i].slow <= slowest;
}

/* More threads than CPUs: neighbours still come together. */
static uint32_t location_of(const cpu_placement *place, uint32_t thread, uint32_t count)
{
    return place->units <= count ? thread : (uint32_t)((uint64_t)thread * count / place->units);
}

static void take_seats(const cpu_placement *place, const cpu_location *locations, uint32_t count, cpu_seat *seats)
{
    for (uint32_t thread = 0; thread < place->units; ++thread) {
        const cpu_location *at = &locations[location_of(place, thread, count)];
        seats[thread] = (cpu_seat){at->cpu, at->node, at->cache};
    }
}

/* Whether more than one NUMA node of the machine has CPUs. A system that knows no nodes has no such file. */
static bool has_nodes(const char *root)
{
    char path[CPU_PATH], line[CPU_LINE_TEXT];
    snprintf(path, sizeof(path), "%s/sys/devices/system/node/has_cpu", root);
    return strpbrk(cpu_file_line(path, line, sizeof(line)), ",-") != NULL;
}

/* Whether the topology changes nothing: few threads that have all CPUs of the device, on one node. Then hwloc is not asked, which
 * is a third of the time until a small program's first launch ends. */
static bool is_one_place(const cpu_placement *place)
{
    return place->topology == NULL && place->pin == CPU_PIN_NODE && place->units <= CPU_PLACE_FEW &&
           place->units >= cpu_mask_count(place->mask) && !cpu_topology_may_be_imitated() && !has_nodes(place->root);
}

void cpu_placement_masks(const cpu_placement *place, uint8_t (*masks)[CPU_MASK_BYTES], cpu_seat *seats)
{
    uint32_t count = 0, slowest = 0;
    cpu_location *locations = NULL;
    if (place->pin != CPU_PIN_NONE && !is_one_place(place))
        locations = cpu_locations(place->topology != NULL ? place->topology : cpu_topology_get(), place->mask, &count);
    if (locations != NULL)
        cpu_locations_choose(locations, count, place->units);
    for (uint32_t i = 0; locations != NULL && i < count && i < place->units; ++i)
        slowest = locations[i].slow > slowest ? locations[i].slow : slowest;
    for (uint32_t thread = 1; thread < place->units; ++thread) {
        uint8_t *mask = masks[thread - 1];
        memset(mask, 0, CPU_MASK_BYTES);
        for (uint32_t i = 0; i < count; ++i)
            if (may_use(place, locations, location_of(place, thread, count), i, slowest))
                cpu_mask_add(mask, locations[i].cpu);
        if (locations == NULL)
            memcpy(mask, place->mask, CPU_MASK_BYTES);
    }
    if (seats != NULL && locations != NULL)
        take_seats(place, locations, count, seats);
    else if (seats != NULL)
        memset(seats, 0, place->units * sizeof(*seats));
    free(locations);
}
