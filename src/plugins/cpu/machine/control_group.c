/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/machine/system_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_PATH = PATH_MAX, FILE_PATH = GROUP_PATH + 32 };

/* A controller: its name in version 1, where that is mounted, and what to do with each group. */
typedef struct controller {
    const char *name, *mounts[2];
    void (*visit_v1)(const char *directory, void *user), (*visit_v2)(const char *directory, void *user);
} controller;

/* ----------------------------------------------------------------------------------- the way up -- */

/* Visits a group and all above it, up to the root of the mount. That is all there is inside a container, where the group's
 * own path is the host's. */
static void visit_upwards(const char *mount, const char *group, void (*visit)(const char *directory, void *user),
                          void *user)
{
    char directory[GROUP_PATH];
    size_t mounted = strlen(mount);
    snprintf(directory, sizeof(directory), "%s%s", mount, group);
    for (;;) {
        visit(directory, user);
        char *slash = strrchr(directory + mounted, '/');
        if (slash == NULL)
            return;
        *slash = '\0';
    }
}

static bool is_listed(const char *controllers, const char *wanted)
{
    for (const char *at = controllers; *at != '\0' && *at != ':'; at += *at == ',') {
        size_t length = strcspn(at, ",:");
        if (length == strlen(wanted) && strncmp(at, wanted, length) == 0)
            return true;
        at += length;
    }
    return false;
}

/* A line of /proc/self/cgroup: "4:cpu,cpuacct:/job" or, for version 2, "0::/job". */
static void visit_line(const controller *kind, const char *root, const char *line, void *user)
{
    static const char *const v2_mounts[] = {"", "/unified"};
    const char *controllers = strchr(line, ':');
    const char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (group == NULL)
        return;
    bool v2 = strncmp(line, "0::", 3) == 0;
    if (!v2 && !is_listed(controllers + 1, kind->name))
        return;
    for (size_t i = 0; i < 2; ++i) {
        char mount[CPU_PATH];
        if (!v2 && kind->mounts[i] == NULL)
            break;
        snprintf(mount, sizeof(mount), "%s/sys/fs/cgroup%s%s", root, v2 ? "" : "/",
                 v2 ? v2_mounts[i] : kind->mounts[i]);
        visit_upwards(mount, group + 1, v2 ? kind->visit_v2 : kind->visit_v1, user);
    }
}

static void visit_groups(const controller *kind, const char *root, void *user)
{
    char path[CPU_PATH], line[GROUP_PATH];
    snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    while (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        visit_line(kind, root, line, user);
    }
    fclose(file);
}

/* A file of a group. */
static const char *file_in(char path[FILE_PATH], const char *directory, const char *name)
{
    snprintf(path, FILE_PATH, "%s/%s", directory, name);
    return path;
}

/* ------------------------------------------------------------------------------------- CPU time -- */

static void keep_least(void *least, uint32_t found)
{
    if (found < *(uint32_t *)least)
        *(uint32_t *)least = found;
}

static void keep_quota(void *least, uint64_t quota, uint64_t period)
{
    uint64_t cpus = period != 0 ? (quota + period - 1) / period : 0;
    if (cpus != 0 && cpus < UINT32_MAX)
        keep_least(least, (uint32_t)cpus);
}

/* "max 100000" or "150000 100000". */
static void visit_quota_v2(const char *directory, void *least)
{
    char path[FILE_PATH], line[128], *end;
    cpu_file_line(file_in(path, directory, "cpu.max"), line, sizeof(line));
    uint64_t quota = strtoull(line, &end, 10);
    if (end != line)
        keep_quota(least, quota, strtoull(end, NULL, 10));
}

static void visit_quota_v1(const char *directory, void *least)
{
    char path[FILE_PATH], line[64];
    cpu_file_line(file_in(path, directory, "cpu.cfs_quota_us"), line, sizeof(line));
    long long quota = strtoll(line, NULL, 10); /* -1: none */
    if (quota > 0)
        keep_quota(least, (uint64_t)quota, cpu_file_number(file_in(path, directory, "cpu.cfs_period_us"), 0));
}

static uint32_t read_quota(const char *root)
{
    static const controller time = {"cpu", {"cpu", "cpu,cpuacct"}, visit_quota_v1, visit_quota_v2};
    uint32_t least = UINT32_MAX;
    visit_groups(&time, root, &least);
    return least;
}

static void read_own_quota(void *quota)
{
    *(uint32_t *)quota = read_quota("");
}

uint32_t cpu_group_quota(const char *root)
{
    static cpu_recent recent;
    static uint32_t fact;
    uint32_t quota;
    if (root[0] != '\0')
        return read_quota(root);
    cpu_recent_get(&recent, &fact, &quota, sizeof(quota), read_own_quota);
    return quota;
}

/* ----------------------------------------------------------------------------------------- CPUs -- */

/* A group's own cpuset is the smallest. */
static void visit_cpuset(const char *directory, const char *name, void *least)
{
    char path[FILE_PATH], list[CPU_LINE_TEXT];
    uint8_t mask[CPU_MASK_BYTES] = {0};
    cpu_mask_add_list(mask, cpu_file_line(file_in(path, directory, name), list, sizeof(list)));
    uint32_t count = cpu_mask_count(mask);
    if (count != 0)
        keep_least(least, count);
}

static void visit_cpuset_v2(const char *directory, void *least)
{
    visit_cpuset(directory, "cpuset.cpus.effective", least);
}

static void visit_cpuset_v1(const char *directory, void *least)
{
    visit_cpuset(directory, "cpuset.cpus", least);
}

uint32_t cpu_group_cpus(const char *root)
{
    static const controller set = {"cpuset", {"cpuset"}, visit_cpuset_v1, visit_cpuset_v2};
    uint32_t least = UINT32_MAX;
    visit_groups(&set, root, &least);
    return least;
}

/* --------------------------------------------------------------------------------------- memory -- */

typedef struct memory_left {
    uint64_t machine, available, total;
} memory_left;

static void visit_memory(const char *directory, const char *const names[3], memory_left *left)
{
    char path[FILE_PATH], value[64];
    uint64_t limit = cpu_file_number(file_in(path, directory, names[0]), UINT64_MAX);
    if (limit >= left->machine)
        return; /* "max", or a number greater than any memory */
    uint64_t used = cpu_file_number(file_in(path, directory, names[1]), 0), cached = 0;
    if (cpu_file_entry(file_in(path, directory, "memory.stat"), names[2], " ", value, sizeof(value)))
        cached = strtoull(value, NULL, 10);
    used -= cached < used ? cached : used;
    uint64_t available = used < limit ? limit - used : 0;
    left->total = limit < left->total ? limit : left->total;
    left->available = available < left->available ? available : left->available;
}

static void visit_memory_v2(const char *directory, void *left)
{
    static const char *const names[] = {"memory.max", "memory.current", "inactive_file"};
    visit_memory(directory, names, left);
}

static void visit_memory_v1(const char *directory, void *left)
{
    static const char *const names[] = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
    visit_memory(directory, names, left);
}

void cpu_group_memory(const char *root, uint64_t *available, uint64_t *total)
{
    static const controller memory = {"memory", {"memory"}, visit_memory_v1, visit_memory_v2};
    memory_left left = {*total, *available, *total};
    visit_groups(&memory, root, &left);
    *available = left.available;
    *total = left.total;
}
