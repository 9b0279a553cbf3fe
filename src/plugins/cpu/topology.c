/* SPDX-License-Identifier: Apache-2.0 */
#include "topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { CPUS = CPU_MASK_BYTES * 8, PATH = 192, LEVELS = 3 };

static bool in_mask(const uint8_t mask[CPU_MASK_BYTES], unsigned cpu)
{
    return cpu < CPUS && (mask[cpu / 8] >> (cpu % 8) & 1) != 0;
}

/* The first line of a file, without its end; "" if it cannot be read. */
static const char *read_line(const char *path, char *line, size_t size)
{
    line[0] = '\0';
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        if (fgets(line, (int)size, file) == NULL)
            line[0] = '\0';
        fclose(file);
    }
    line[strcspn(line, "\n")] = '\0';
    return line;
}

/* A number with an optional K, M or G behind it; `missing` if there is none. */
static uint64_t read_number(const char *path, uint64_t missing)
{
    char line[64], *end;
    read_line(path, line, sizeof(line));
    unsigned long long number = strtoull(line, &end, 10);
    if (end == line)
        return missing;
    switch (*end) {
    case 'G':
        number <<= 10; /* fall through */
    case 'M':
        number <<= 10; /* fall through */
    case 'K':
        number <<= 10;
        break;
    default:
        break;
    }
    return number;
}

/* "name : value" in a file of such lines, from the first line whose name begins so. */
static bool read_entry(const char *path, const char *name, char *value, size_t size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    char line[512];
    bool found = false;
    while (!found && fgets(line, sizeof(line), file) != NULL) {
        char *colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, name, strlen(name)) != 0)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, size, "%s", colon);
        found = true;
    }
    fclose(file);
    return found;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The limits of the control group, version 2 or 1; inside a container the own group is at the root. */
static uint64_t group_limit(void)
{
    uint64_t limit = read_number("/sys/fs/cgroup/memory.max", UINT64_MAX);
    return least(limit, read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", UINT64_MAX));
}

static uint64_t group_usage(void)
{
    uint64_t usage = read_number("/sys/fs/cgroup/memory.current", 0);
    return usage != 0 ? usage : read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes", 0);
}

static uint64_t meminfo(const char *name)
{
    char value[64];
    return read_entry("/proc/meminfo", name, value, sizeof(value)) ? strtoull(value, NULL, 10) * 1024 : 0;
}

void cpu_topology_memory(uint64_t *available, uint64_t *total)
{
    uint64_t limit = group_limit();
    *total = meminfo("MemTotal");
    *available = meminfo("MemAvailable");
    if (limit < *total) {
        uint64_t usage = group_usage();
        *total = limit;
        *available = least(*available, usage < limit ? limit - usage : 0);
    }
}

static void fill_caches(unsigned cpu, accel_device_properties *properties)
{
    for (int index = 0; index < 8; ++index) {
        char path[PATH], type[32];
        snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cache/index%d/type", cpu, index);
        read_line(path, type, sizeof(type));
        if (type[0] == '\0')
            return;
        if (strcmp(type, "Instruction") == 0)
            continue;
        snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cache/index%d/level", cpu, index);
        uint64_t level = read_number(path, 0);
        if (level < 1 || level > LEVELS)
            continue;
        snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cache/index%d/size", cpu, index);
        properties->cache_bytes[level - 1] = read_number(path, 0);
        snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cache/index%d/coherency_line_size", cpu, index);
        uint64_t line = read_number(path, 0);
        if (line != 0)
            properties->cache_line = (uint32_t)line;
    }
}

/* A core is counted at its first CPU that the process may use, a socket at its first core. */
static void count_cores(const uint8_t mask[CPU_MASK_BYTES], accel_device_properties *properties)
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
        if (!in_mask(mask, cpu))
            continue;
        snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
        core own = {.package = read_number(path, 0)};
        snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/core_id", cpu);
        own.id = read_number(path, cpu);
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

/* A list such as "0-3,8": does it name a CPU of the mask? */
static bool list_meets(const char *list, const uint8_t mask[CPU_MASK_BYTES])
{
    while (*list != '\0') {
        char *end;
        unsigned long first = strtoul(list, &end, 10), last = first;
        if (end == list)
            return false;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (unsigned long cpu = first; cpu <= last && cpu < CPUS; ++cpu)
            if (in_mask(mask, (unsigned)cpu))
                return true;
        list = *end == ',' ? end + 1 : end;
        if (*list != '\0' && (*list < '0' || *list > '9'))
            return false;
    }
    return false;
}

static void count_nodes(const uint8_t mask[CPU_MASK_BYTES], accel_device_properties *properties)
{
    enum { NODES = 1024, MISSING = 16 };
    properties->numa_node = -1;
    int missing = 0; /* in a row: numbers may have gaps */
    for (int node = 0; node < NODES && missing < MISSING; ++node) {
        char path[PATH], list[4096];
        snprintf(path, sizeof(path), "/sys/devices/system/node/node%d", node);
        missing = access(path, F_OK) == 0 ? 0 : missing + 1;
        snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpulist", node);
        if (!list_meets(read_line(path, list, sizeof(list)), mask))
            continue;
        properties->numa_node = properties->numa_nodes == 0 ? node : -1;
        properties->numa_nodes++;
    }
}

static void describe(accel_device_properties *properties)
{
    struct utsname system;
    if (!read_entry("/proc/cpuinfo", "model name", properties->description, sizeof(properties->description)) &&
        !read_entry("/proc/cpuinfo", "Model", properties->description, sizeof(properties->description)) &&
        uname(&system) == 0)
        snprintf(properties->description, sizeof(properties->description), "%s CPU", system.machine);
}

static void fill_clock(unsigned cpu, accel_device_properties *properties)
{
    char path[PATH], text[64];
    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpufreq/cpuinfo_max_freq", cpu);
    uint64_t khz = read_number(path, 0);
    if (khz != 0)
        properties->clock_mhz = (uint32_t)(khz / 1000);
    else if (read_entry("/proc/cpuinfo", "cpu MHz", text, sizeof(text)))
        properties->clock_mhz = (uint32_t)strtoul(text, NULL, 10);
}

void cpu_topology_fill(const cpu_process *process, accel_device_properties *properties)
{
    uint64_t available, total;
    cpu_topology_memory(&available, &total);
    properties->memory_bytes = total;
    properties->max_allocation = total;
    describe(properties);
    unsigned first = 0;
    while (first < CPUS - 1 && !in_mask(process->mask, first))
        ++first;
    fill_clock(first, properties);
    fill_caches(first, properties);
    count_cores(process->mask, properties);
    count_nodes(process->mask, properties);
}
