/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/system.h"
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

typedef struct processor {
    char name[sizeof(((accel_device_properties *)NULL)->description)];
    uint32_t mhz; /* of the first CPU, now */
} processor;

static void read_processor(void *fact)
{
    processor *own = fact;
    char text[64];
    struct utsname system;
    memset(own, 0, sizeof(*own));
    if (!cpu_file_entry("/proc/cpuinfo", "model name", " \t:", own->name, sizeof(own->name)) &&
        !cpu_file_entry("/proc/cpuinfo", "Model", " \t:", own->name, sizeof(own->name)) && uname(&system) == 0)
        snprintf(own->name, sizeof(own->name), "%s CPU", system.machine);
    if (cpu_file_entry("/proc/cpuinfo", "cpu MHz", " \t:", text, sizeof(text)))
        own->mhz = (uint32_t)strtoul(text, NULL, 10);
}

void cpu_system_describe(unsigned cpu, accel_device_properties *properties)
{
    static cpu_recent recent;
    static processor fact;
    processor found;
    char path[CPU_PATH];
    cpu_recent_get(&recent, &fact, &found, sizeof(found), read_processor);
    memcpy(properties->description, found.name, sizeof(found.name));
    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpufreq/cpuinfo_max_freq", cpu);
    uint64_t khz = cpu_file_number(path, 0);
    properties->clock_mhz = khz != 0 ? (uint32_t)(khz / 1000) : found.mhz;
}

static uint64_t find_memory(const char *root, const char *name)
{
    char path[CPU_PATH], value[64];
    snprintf(path, sizeof(path), "%s/proc/meminfo", root);
    return cpu_file_entry(path, name, " :", value, sizeof(value)) ? strtoull(value, NULL, 10) * 1024 : 0;
}

void cpu_system_memory(const char *root, uint64_t *available, uint64_t *total)
{
    *total = find_memory(root, "MemTotal");
    *available = find_memory(root, "MemAvailable");
    cpu_group_memory(root, available, total);
}

static void read_total_memory(void *total)
{
    uint64_t available = 0; /* not asked for */
    *(uint64_t *)total = find_memory("", "MemTotal");
    cpu_group_memory("", &available, total);
}

uint64_t cpu_system_total_memory(void)
{
    static cpu_recent recent;
    static uint64_t fact;
    uint64_t total;
    cpu_recent_get(&recent, &fact, &total, sizeof(total), read_total_memory);
    return total;
}
