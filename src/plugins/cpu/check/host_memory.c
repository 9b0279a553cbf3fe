/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/host_memory.h"
#include "plugins/cpu/check/common/room.h"
#include "plugins/cpu/check/shared/shared.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/dispatch/launch.h"
#include "plugins/cpu/fiber/fiber_pool.h"

#include <string.h>

/* Disjoint, in the order of their addresses. */
static struct {
    check_range *ranges; /* NULL: none */
    size_t count, capacity;
    bool incomplete; /* memory was short: nothing is told any more */
} known;

/* Of the launch at hand: what it was given, and where the locks of structs are. */
static bool runs;
static check_range arguments, grid, locks;

/* The first range that ends at the address or behind it. */
static size_t find(const char *at)
{
    size_t first = 0, last = known.count;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (known.ranges[middle].end < at)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static bool is_known(const char *p)
{
    const size_t at = find(p + 1);
    return at < known.count && check_range_has(known.ranges[at], p);
}

void check_host_memory_know(const accel_memory_view *region)
{
    check_range made = {region->ptr, (const char *)region->ptr + region->element_size};
    for (uint32_t d = 0; d < region->dims; ++d)
        made.end += (region->extent[d] - 1) * region->pitch[d];
    check_range *grown = check_room_for_one(known.ranges, known.count, &known.capacity, sizeof(*grown));
    if (grown == NULL) {
        known.incomplete = true;
        return;
    }
    known.ranges = grown;
    const size_t at = find(made.begin);
    size_t behind = at; /* those that touch the new one become part of it */
    for (; behind < known.count && grown[behind].begin <= made.end; ++behind) {
        made.begin = grown[behind].begin < made.begin ? grown[behind].begin : made.begin;
        made.end = grown[behind].end > made.end ? grown[behind].end : made.end;
    }
    memmove(&grown[at + 1], &grown[behind], (known.count - behind) * sizeof(*grown));
    grown[at] = made;
    known.count += at + 1 - behind;
}

static check_range range_of(const void *begin, size_t size)
{
    return (check_range){begin, (const char *)begin + size};
}

void check_host_memory_launch(const cpu_launch *launch)
{
    runs = launch != NULL;
    if (!runs)
        return;
    const accel_grid *about = launch->context.grid;
    arguments = range_of(launch->args, launch->kernel->args_size);
    grid = range_of(about, sizeof(*about));
    locks = range_of(about->locks, (about->lock_mask + 1) * sizeof(*about->locks));
}

/* The engine gives each thread of a thread kernel a context, too. */
static bool is_of_engine(const void *p)
{
    const cpu_fiber_pool *pool = check_around.pool;
    return check_range_has(arguments, p) || check_range_has(grid, p) || check_range_has(locks, p) ||
           (pool != NULL && check_range_has(range_of(pool, sizeof(*pool)), p));
}

bool check_host_memory_is(const void *p, const void *place)
{
    return runs && !known.incomplete && !is_of_engine(p) && !check_shared_is_of_object(p, place) && !is_known(p);
}
