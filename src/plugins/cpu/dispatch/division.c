/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/dispatch/division.h"
#include "plugins/cpu/machine/cache_file.h"

#include <unistd.h>

/* ELEMENT: bytes that a loop usually reads and writes per element, three doubles. WHOLE: elements of which a multiple is
 * whole vectors and, from bytes on, whole lines. */
enum { FIRST = 32 << 10, SECOND = 1 << 20, ELEMENT = 24, WHOLE = 64, LEAST_TIMES = 8 };
/* So that numbers of elements fit 32 bits, whatever the system says. */
#define MOST_BYTES ((size_t)1 << 34)

static void keep_least(size_t *bytes, uint64_t found)
{
    if (found != 0 && (*bytes == 0 || found < *bytes))
        *bytes = found < MOST_BYTES ? (size_t)found : MOST_BYTES;
}

static void read_cpu(cpu_caches *caches, const char *root, unsigned cpu, const uint8_t mask[CPU_MASK_BYTES])
{
    for (cpu_cache cache = {.index = -1}; cpu_cache_next(root, cpu, &cache);) {
        if (cache.level == 3)
            keep_least(&caches->third, cache.bytes / cpu_cache_sharers(root, cpu, &cache, NULL));
        else
            keep_least(cache.level == 1 ? &caches->first : &caches->second,
                       cache.bytes / cpu_cache_sharers(root, cpu, &cache, mask));
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
    unsigned first = cpu_mask_first(mask), last = CPU_MASK_BITS - 1;
    *caches = (cpu_caches){0};
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
