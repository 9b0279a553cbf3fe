/* SPDX-License-Identifier: Apache-2.0 */
#include "division.h"
#include "system_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ELEMENT: bytes that a loop usually reads and writes per element, three doubles. WHOLE: elements of which a multiple is
 * whole vectors and, from bytes on, whole lines. */
enum { FIRST = 32 << 10, SECOND = 1 << 20, INDICES = 8, ELEMENT = 24, WHOLE = 64, LEAST_TIMES = 8 };
/* So that numbers of elements fit 32 bits, whatever the system says. */
#define MOST_BYTES ((size_t)1 << 34)

static void file_of(char path[CPU_PATH], const char *root, unsigned cpu, int index, const char *name)
{
    snprintf(path, CPU_PATH, "%s/sys/devices/system/cpu/cpu%u/cache/index%d/%s", root, cpu, index, name);
}

/* CPUs of the mask (NULL: of the machine) that share the cache, at least 1. */
static uint32_t sharers(const char *root, unsigned cpu, int index, const uint8_t *mask)
{
    char path[CPU_PATH], list[CPU_LINE_TEXT];
    uint8_t shared[CPU_MASK_BYTES] = {0};
    file_of(path, root, cpu, index, "shared_cpu_list");
    cpu_mask_add_list(shared, cpu_file_line(path, list, sizeof(list)));
    for (size_t i = 0; mask != NULL && i < CPU_MASK_BYTES; ++i)
        shared[i] &= mask[i];
    uint32_t count = cpu_mask_count(shared);
    return count != 0 ? count : 1;
}

static void keep_least(size_t *bytes, uint64_t found)
{
    if (found != 0 && (*bytes == 0 || found < *bytes))
        *bytes = found < MOST_BYTES ? (size_t)found : MOST_BYTES;
}

static void read_cpu(cpu_caches *caches, const char *root, unsigned cpu, const uint8_t mask[CPU_MASK_BYTES])
{
    for (int index = 0; index < INDICES; ++index) {
        char path[CPU_PATH], type[32];
        file_of(path, root, cpu, index, "type");
        if (cpu_file_line(path, type, sizeof(type))[0] == '\0')
            return;
        file_of(path, root, cpu, index, "level");
        uint64_t level = cpu_file_number(path, 0);
        if (strcmp(type, "Instruction") == 0 || level < 1 || level > 3)
            continue;
        file_of(path, root, cpu, index, "size");
        uint64_t size = cpu_file_number(path, 0);
        if (level == 3)
            keep_least(&caches->third, size / sharers(root, cpu, index, NULL));
        else
            keep_least(level == 1 ? &caches->first : &caches->second, size / sharers(root, cpu, index, mask));
    }
}

static size_t usual(int name, size_t otherwise)
{
    long bytes = sysconf(name);
    return bytes > 0 && (size_t)bytes <= MOST_BYTES ? (size_t)bytes : otherwise;
}

/* Of all CPUs the first and the last are read: where there are two kinds of them, they are numbered one after the other. */
void cpu_caches_find(cpu_caches *caches, const char *root, const uint8_t mask[CPU_MASK_BYTES])
{
    unsigned first = 0, last = CPU_MASK_BITS - 1;
    *caches = (cpu_caches){0};
    while (first < last && !cpu_mask_has(mask, first))
        ++first;
    while (last > first && !cpu_mask_has(mask, last))
        --last;
    read_cpu(caches, root, first, mask);
    if (last != first)
        read_cpu(caches, root, last, mask);
    if (caches->first == 0)
        caches->first = usual(_SC_LEVEL1_DCACHE_SIZE, FIRST);
    if (caches->second == 0)
        caches->second = usual(_SC_LEVEL2_CACHE_SIZE, SECOND);
}

static uint32_t elements(size_t bytes)
{
    size_t count = bytes / ELEMENT / WHOLE * WHOLE;
    return count != 0 ? (uint32_t)count : WHOLE;
}

void cpu_division_suggest(const cpu_caches *caches, uint32_t parts, accel_suggestion *suggestion)
{
    suggestion->blocks = parts != 0 ? parts : 1;
    /* What lies in a quarter of the first level is done in about the time of a hand-out, a tenth to a quarter of a
     * microsecond. */
    suggestion->chunk = elements(caches->first / 4);
    if (suggestion->struct_size < sizeof(*suggestion))
        return;
    /* Half of the second level: a kernel may go over its elements more than once, and the other half is for what else it
     * reads, and for what is fetched ahead. */
    suggestion->cache_elems = elements(caches->second / 2);
    if (suggestion->cache_elems / LEAST_TIMES < suggestion->chunk)
        suggestion->cache_elems = suggestion->chunk * LEAST_TIMES;
}
