/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/dispatch/division.h"

/* ELEMENT: bytes that a loop usually reads and writes per element, three doubles. WHOLE: a multiple of so many elements fills
 * whole vectors and, even of bytes, whole cache lines. */
enum { ELEMENT = 24, WHOLE = 64, LEAST_TIMES = 8 };

static uint32_t elements(size_t bytes)
{
    size_t count = bytes / ELEMENT / WHOLE * WHOLE;
    return count != 0 ? (uint32_t)count : WHOLE;
}

void cpu_division_suggest(const cpu_caches *caches, uint32_t parts, accel_suggestion *suggestion)
{
    suggestion->blocks = parts != 0 ? parts : 1;
    /* The elements in a quarter of the first level take about as long as a dispatch: a tenth to a quarter of a microsecond. */
    suggestion->chunk = elements(caches->first / 4);
    /* Half of the second level: a kernel may go over its elements more than once. The other half is for other data that it
     * reads, and for what is fetched ahead. */
    suggestion->cache_elems = elements(caches->second / 2);
    if (suggestion->cache_elems / LEAST_TIMES < suggestion->chunk)
        suggestion->cache_elems = suggestion->chunk * LEAST_TIMES;
}
