/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/topology.h"
#include "plugins/cpu/machine/cache_file.h"
#include "plugins/cpu/machine/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CPUS = CPU_MASK_BITS, PATH = 192 };

static void fill_caches(const char *root, unsigned cpu, accel_device_properties *properties)
{
    for (cpu_cache cache = {.index = -1}; cpu_cache_next(root, cpu, &cache);) {
        properties->cache_bytes[cache.level - 1] = cache.bytes;
        uint32_t line = cpu_cache_line(root, cpu, &cache);
        if (line != 0)
            properties->cache_line = line;
    }
}

/* A core is counted at its first CPU that the process may use, a socket at its first core. */
static void count_cores(const char *root, const uint8_t mask[CPU_MASK_BYTES], accel_device_properties *properties)
{
    typedef struct core {
        uint64_t package, id;
    } core;
    core *cores = calloc(CPUS, sizeof(*cores));
    if (cores == NULL)
        return;
    uint32_t count = 0, sockets = 0;
    for (unsigned cpu = 0; cpu < CPUS; ++cpu) {
        char path[PATH];
        if (!cpu_mask_has(mask, cpu))
            continue;
        snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%u/topology/physical_package_id", root, cpu);
        core own = {.package = cpu_file_number(path, 0)};
        snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%u/topology/core_id", root, cpu);
        own.id = cpu_file_number(path, cpu);
        bool new_core = true, new_socket = true;
        for (uint32_t i = 0; i < count; ++i) {
            new_socket = new_socket && cores[i].package != own.package;
            new_core = new_core && (cores[i].package != own.package || cores[i].id != own.id);
        }
        sockets += new_socket;
        if (new_core)
            cores[count++] = own;
    }
    free(cores);
    properties->cores = count;
    properties->sockets = sockets;
}

static bool list_meets(const char *list, const uint8_t mask[CPU_MASK_BYTES])
{
    uint8_t listed[CPU_MASK_BYTES] = {0};
    cpu_mask_add_list(listed, list);
    for (size_t i = 0; i < CPU_MASK_BYTES; ++i)
        if ((listed[i] & mask[i]) != 0)
            return true;
    return false;
}

static void count_nodes(const char *root, const uint8_t mask[CPU_MASK_BYTES], accel_device_properties *properties)
{
    enum { NODES = 1024, MISSING = 16 };
    properties->numa_node = -1;
    int missing = 0; /* in a row: numbers may have gaps */
    for (int node = 0; node < NODES && missing < MISSING; ++node) {
        char path[PATH], list[4096];
        snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%d", root, node);
        missing = access(path, F_OK) == 0 ? 0 : missing + 1;
        snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%d/cpulist", root, node);
        if (!list_meets(cpu_file_line(path, list, sizeof(list)), mask))
            continue;
        properties->numa_node = properties->numa_nodes == 0 ? node : -1;
        properties->numa_nodes++;
    }
}

void cpu_topology_fill(const char *root, const uint8_t mask[CPU_MASK_BYTES], accel_device_properties *properties)
{
    fill_caches(root, cpu_mask_first(mask), properties);
    count_cores(root, mask, properties);
    count_nodes(root, mask, properties);
}
