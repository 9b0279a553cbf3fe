/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/transfer/routes.h"

/*
 * FARTHEST: sizes up to so many times larger or smaller than expected are tried; a power of two.
 * FIRST: uses that do not count, because memory may be new and caches are cold.
 * The other route is tried after 8, 64, 512 ... uses, and every OFTEN uses if it does not take twice the time. The first uses of a
 * route find what the other one left in the caches, so they do not count: two through them, one past them, in a trial and
 * behind it.
 * Past the caches must take less than FASTER / 10 of the time, because what is written is not in the caches then, and whoever
 * reads it waits for memory (docs/notebook/copies.md).
 */
enum { FARTHEST = 16, FIRST = 4, OFTEN = 256, FASTER = 7 };

static uint32_t lead_in(bool past_caches)
{
    return past_caches ? 1 : 2;
}

static unsigned log2_of(size_t x)
{
    return 63u - (unsigned)__builtin_clzll((unsigned long long)x);
}

cpu_route cpu_routes_choose(cpu_routes *routes, unsigned kind, size_t bytes, size_t kept, size_t least)
{
    const bool expected = bytes > kept;
    const size_t lowest = kept / FARTHEST > least ? kept / FARTHEST : least;
    cpu_route route = {.past_caches = expected, .kind = (uint8_t)kind};

    if (bytes <= lowest || lowest < FARTHEST || bytes / FARTHEST >= kept)
        return route;
    const unsigned power = log2_of(bytes), half = (unsigned)(bytes >> (power - 1) & 1);
    const unsigned size = 2 * (power - log2_of(lowest)) + half;
    route.size = (uint8_t)(size < CPU_ROUTES_SIZES ? size : CPU_ROUTES_SIZES - 1);

    const uint32_t use = atomic_fetch_add_explicit(&routes->size[route.kind][route.size].uses, 1, memory_order_relaxed);
    const uint64_t through = atomic_load_explicit(&routes->size[route.kind][route.size].cost[0], memory_order_relaxed);
    const uint64_t past = atomic_load_explicit(&routes->size[route.kind][route.size].cost[1], memory_order_relaxed);
    const bool near = through <= 2 * past && past <= 2 * through;
    const uint32_t interval = near && use >= OFTEN ? OFTEN : 1u << log2_of(use | 1) / 3 * 3;
    const uint32_t since = near && use >= OFTEN ? use % interval : use - interval;

    if (through != 0 && past != 0)
        route.past_caches = past * 10 < through * FASTER;
    const uint32_t trial = lead_in(!route.past_caches) + 1;
    const bool tries = use > FIRST && since < trial;
    const uint32_t uses_of_route = tries ? since : since - trial; /* as many before this one */
    route.past_caches ^= tries;
    route.counts = use >= FIRST && uses_of_route >= lead_in(route.past_caches);
    return route;
}

void cpu_routes_took(cpu_routes *routes, cpu_route route, size_t bytes, uint64_t ns)
{
    _Atomic uint32_t *cost = &routes->size[route.kind][route.size].cost[route.past_caches];
    const uint64_t measured = (ns << 20) / bytes;
    const uint32_t now = measured == 0 ? 1 : measured > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)measured;
    const uint32_t before = atomic_load_explicit(cost, memory_order_relaxed);

    /* Interruptions make times longer, never shorter. */
    atomic_store_explicit(cost, before == 0 || now < before ? now : before + (now - before + 7) / 8,
                          memory_order_relaxed);
}
