/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/system.h"
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

enum { NAME_SIZE = sizeof(((accel_device_properties *)NULL)->description) };

static void read_name(void *fact)
{
    char *name = fact;
    struct utsname system;
    name[0] = '\0';
    if (!cpu_file_entry("/proc/cpuinfo", "model name", " \t:", name, NAME_SIZE) &&
        !cpu_file_entry("/proc/cpuinfo", "Model", " \t:", name, NAME_SIZE) && uname(&system) == 0)
        snprintf(name, NAME_SIZE, "%s CPU", system.machine);
}

/* Of the first CPU, now: where the system does not tell the highest. */
static void read_mhz(void *fact)
{
    char text[64];
    bool known = cpu_file_entry("/proc/cpuinfo", "cpu MHz", " \t:", text, sizeof(text));
    *(uint32_t *)fact = known ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

void cpu_system_describe(unsigned cpu, accel_device_properties *properties)
{
    static cpu_recent name_recent, mhz_recent;
    static char name[NAME_SIZE];
    static uint32_t mhz;
    char path[CPU_PATH];
    cpu_recent_get(&name_recent, name, properties->description, NAME_SIZE, read_name);
    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpufreq/cpuinfo_max_freq", cpu);
    uint64_t khz = cpu_file_number(path, 0);
    if (khz != 0)
        properties->clock_mhz = (uint32_t)(khz / 1000);
    else
        cpu_recent_get(&mhz_recent, &mhz, &properties->clock_mhz, sizeof(mhz), read_mhz);
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
