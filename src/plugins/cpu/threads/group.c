/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/threads/group.h"

/* Threads from `at` on that have the same cache. */
static uint32_t same_cache(const cpu_seat *seats, uint32_t threads, uint32_t at)
{
    uint32_t count = 1;
    while (at + count < threads && seats[at + count].node == seats[at].node &&
           seats[at + count].cache == seats[at].cache)
        count++;
    return count;
}

/* Small caches of one node share a group of at most `most` threads, threads of a large cache are parted evenly. `apart`: nodes
 * do not share one. Returns more than CPU_GROUPS if there are too many. */
static uint32_t part(const cpu_seat *seats, uint32_t threads, uint32_t most, bool apart, uint32_t *firsts)
{
    uint32_t groups = 0, size = most; /* of the last group */
    for (uint32_t at = 0, count; at < threads; at += count) {
        count = same_cache(seats, threads, at);
        bool same_node = at != 0 && (!apart || seats[at].node == seats[at - 1].node);
        if (same_node && size + count <= most) {
            size += count;
            continue;
        }
        uint32_t pieces = (count + most - 1) / most;
        if (groups + pieces > CPU_GROUPS)
            return CPU_GROUPS + 1;
        for (uint32_t i = 0; i < pieces; ++i)
            firsts[groups + i] = at + count * i / pieces;
        groups += pieces;
        size = at + count - firsts[groups - 1];
    }
    firsts[groups] = threads;
    return groups;
}

uint32_t cpu_groups_part(const cpu_seat *seats, uint32_t threads, uint32_t *firsts)
{
    if (seats == NULL) {
        firsts[0] = 0;
        firsts[1] = threads;
        return 1;
    }
    for (uint32_t most = CPU_GROUP_THREADS;; most *= 2) {
        uint32_t groups = part(seats, threads, most, true, firsts);
        if (groups > CPU_GROUPS)
            groups = part(seats, threads, most, false, firsts);
        if (groups <= CPU_GROUPS)
            return groups;
    }
}
