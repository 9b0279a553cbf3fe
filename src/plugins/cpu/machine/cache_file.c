/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/cache_file.h"
#include "plugins/cpu/machine/system_file.h"

#include <stdio.h>
#include <string.h>

enum { INDICES = 8 };

static const char *file_of(char path[CPU_PATH], const char *root, unsigned cpu, int index, const char *name)
{
    snprintf(path, CPU_PATH, "%s/sys/devices/system/cpu/cpu%u/cache/index%d/%s", root, cpu, index, name);
    return path;
}

bool cpu_cache_next(const char *root, unsigned cpu, cpu_cache *cache)
{
    char path[CPU_PATH], type[32];
    while (++cache->index < INDICES) {
        if (cpu_file_line(file_of(path, root, cpu, cache->index, "type"), type, sizeof(type))[0] == '\0')
            return false;
        if (strcmp(type, "Instruction") == 0)
            continue;
        cache->level = (uint32_t)cpu_file_number(file_of(path, root, cpu, cache->index, "level"), 0);
        if (cache->level < 1 || cache->level > CPU_CACHE_LEVELS)
            continue;
        cache->bytes = cpu_file_number(file_of(path, root, cpu, cache->index, "size"), 0);
        return true;
    }
    return false;
}

uint32_t cpu_cache_line(const char *root, unsigned cpu, const cpu_cache *cache)
{
    char path[CPU_PATH];
    return (uint32_t)cpu_file_number(file_of(path, root, cpu, cache->index, "coherency_line_size"), 0);
}

uint32_t cpu_cache_sharers(const char *root, unsigned cpu, const cpu_cache *cache, const uint8_t *mask)
{
    char path[CPU_PATH], list[CPU_LINE_TEXT];
    uint8_t shared[CPU_MASK_BYTES] = {0};
    cpu_mask_add_list(shared,
                      cpu_file_line(file_of(path, root, cpu, cache->index, "shared_cpu_list"), list, sizeof(list)));
    for (size_t i = 0; mask != NULL && i < CPU_MASK_BYTES; ++i)
        shared[i] &= mask[i];
    uint32_t count = cpu_mask_count(shared);
    return count != 0 ? count : 1;
}
