/* SPDX-License-Identifier: Apache-2.0 */
/* What the control groups above this process leave it, version 1 and 2: time of CPUs, and CPUs. */
#include "plugins/cpu/machine/placement.h"
#include "plugins/cpu/machine/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_PATH = 2 * CPU_PATH };

static uint32_t cpus_of(uint64_t quota, uint64_t period)
{
    if (quota == 0 || period == 0)
        return UINT32_MAX;
    uint64_t cpus = (quota + period - 1) / period;
    return cpus < UINT32_MAX ? (uint32_t)cpus : UINT32_MAX;
}

/* "max 100000" or "150000 100000". */
static uint32_t read_v2(const char *directory)
{
    char path[LONG_PATH + 32], line[128], *end;
    snprintf(path, sizeof(path), "%s/cpu.max", directory);
    cpu_file_line(path, line, sizeof(line));
    uint64_t quota = strtoull(line, &end, 10);
    return end != line ? cpus_of(quota, strtoull(end, NULL, 10)) : UINT32_MAX;
}

static uint32_t read_v1(const char *directory)
{
    char path[LONG_PATH + 32], line[64];
    snprintf(path, sizeof(path), "%s/cpu.cfs_quota_us", directory);
    cpu_file_line(path, line, sizeof(line));
    long long quota = strtoll(line, NULL, 10); /* -1: none */
    snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", directory);
    return quota > 0 ? cpus_of((uint64_t)quota, cpu_file_number(path, 0)) : UINT32_MAX;
}

/* The least of a group and all above it. Where the group's path is the host's and not visible here, its root is. */
static uint32_t least_above(const char *mount, const char *group, uint32_t (*read)(const char *directory))
{
    char directory[LONG_PATH];
    uint32_t least = UINT32_MAX;
    size_t mounted = strlen(mount);
    snprintf(directory, sizeof(directory), "%s%s", mount, group);
    for (;;) {
        uint32_t own = read(directory);
        least = own < least ? own : least;
        char *slash = strrchr(directory + mounted, '/');
        if (slash == NULL)
            return least;
        *slash = '\0';
    }
}

/* CPUs of a group; the own group's is the least. */
static uint32_t count_cpus(const char *directory, const char *file)
{
    char path[LONG_PATH + 32], list[CPU_LINE_TEXT];
    uint8_t mask[CPU_MASK_BYTES] = {0};
    snprintf(path, sizeof(path), "%s/%s", directory, file);
    cpu_mask_add_list(mask, cpu_file_line(path, list, sizeof(list)));
    uint32_t count = cpu_mask_count(mask);
    return count != 0 ? count : UINT32_MAX;
}

static uint32_t count_v2(const char *directory)
{
    return count_cpus(directory, "cpuset.cpus.effective");
}

static uint32_t count_v1(const char *directory)
{
    return count_cpus(directory, "cpuset.cpus");
}

static bool names(const char *controllers, const char *wanted)
{
    for (const char *at = controllers; *at != '\0' && *at != ':'; at += *at == ',') {
        size_t length = strcspn(at, ",:");
        if (length == strlen(wanted) && strncmp(at, wanted, length) == 0)
            return true;
        at += length;
    }
    return false;
}

/* A controller: its name in version 1, where that is mounted, and how its limit is read. */
typedef struct controller {
    const char *name, *mounts[2];
    uint32_t (*read_v1)(const char *directory), (*read_v2)(const char *directory);
} controller;

static uint32_t least_of_line(const controller *kind, const char *root, const char *line)
{
    static const char *const v2_mounts[] = {"", "/unified"};
    char mount[CPU_PATH];
    uint32_t least = UINT32_MAX;
    const char *controllers = strchr(line, ':');
    const char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (group == NULL)
        return least;
    bool v2 = strncmp(line, "0::", 3) == 0;
    if (!v2 && !names(controllers + 1, kind->name))
        return least;
    for (size_t i = 0; i < 2; ++i) {
        snprintf(mount, sizeof(mount), "%s/sys/fs/cgroup%s%s", root, v2 ? "" : "/",
                 v2 ? v2_mounts[i] : kind->mounts[i]);
        uint32_t own = least_above(mount, group + 1, v2 ? kind->read_v2 : kind->read_v1);
        least = own < least ? own : least;
    }
    return least;
}

static uint32_t least_of_all(const controller *kind, const char *root)
{
    char path[CPU_PATH], line[CPU_PATH];
    uint32_t least = UINT32_MAX;
    snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return least;
    while (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        uint32_t own = least_of_line(kind, root, line);
        least = own < least ? own : least;
    }
    fclose(file);
    return least;
}

uint32_t cpu_placement_quota(const char *root)
{
    static const controller time = {"cpu", {"cpu", "cpu,cpuacct"}, read_v1, read_v2};
    return least_of_all(&time, root);
}

uint32_t cpu_placement_group_cpus(const char *root)
{
    static const controller set = {"cpuset", {"cpuset", "cpuset"}, count_v1, count_v2};
    return least_of_all(&set, root);
}
