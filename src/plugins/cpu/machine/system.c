/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/system.h"
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

static bool find_processor(const char *root, const char *name, char *value, size_t size)
{
    char path[CPU_PATH];
    snprintf(path, sizeof(path), "%s/proc/cpuinfo", root);
    return cpu_file_entry(path, name, " \t:", value, size);
}

static uint64_t find_memory(const char *root, const char *name)
{
    char path[CPU_PATH], value[64];
    snprintf(path, sizeof(path), "%s/proc/meminfo", root);
    return cpu_file_entry(path, name, " :", value, sizeof(value)) ? strtoull(value, NULL, 10) * 1024 : 0;
}

void cpu_system_describe(const char *root, unsigned cpu, accel_device_properties *properties)
{
    char path[CPU_PATH], text[64];
    struct utsname system;
    if (!find_processor(root, "model name", properties->description, sizeof(properties->description)) &&
        !find_processor(root, "Model", properties->description, sizeof(properties->description)) && uname(&system) == 0)
        snprintf(properties->description, sizeof(properties->description), "%s CPU", system.machine);
    snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%u/cpufreq/cpuinfo_max_freq", root, cpu);
    uint64_t khz = cpu_file_number(path, 0);
    if (khz != 0)
        properties->clock_mhz = (uint32_t)(khz / 1000);
    else if (find_processor(root, "cpu MHz", text, sizeof(text)))
        properties->clock_mhz = (uint32_t)strtoul(text, NULL, 10);
}

void cpu_system_memory(const char *root, uint64_t *available, uint64_t *total)
{
    *total = find_memory(root, "MemTotal");
    *available = find_memory(root, "MemAvailable");
    cpu_group_memory(root, available, total);
}
