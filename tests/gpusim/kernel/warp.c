/* SPDX-License-Identifier: Apache-2.0 */
/* Warp operations: which lanes do them together, and what they give. */
#include "block.h"

enum { GARBAGE = 0x7fedbad1 }; /* what a lane that is not active gives to others */

static bool waits(const gpusim_fiber *lane)
{
    return lane->state == LANE_MEETING;
}

static bool together(const gpusim_fiber *a, const gpusim_fiber *b)
{
    return waits(b) && a->site == b->site && a->operation == b->operation && a->mask == b->mask;
}

/* The lanes that are at the same operation as this one, a bit each. */
static uint64_t group_of(const gpusim_warp *warp, const gpusim_fiber *lane)
{
    uint64_t group = 0;
    for (uint32_t i = 0; i < warp->count; ++i)
        if (together(lane, &warp->lanes[i]))
            group |= (uint64_t)1 << i;
    return group;
}

/* Those that its mask names and that have not ended. */
static bool complete(const gpusim_warp *warp, const gpusim_fiber *lane, uint64_t group)
{
    for (uint32_t i = 0; i < warp->count && lane->mask != 0; ++i)
        if ((lane->mask >> i & 1) != 0 && warp->lanes[i].state != LANE_ENDED && (group >> i & 1) == 0)
            return false;
    return true;
}

static uint64_t ballot(const gpusim_warp *warp, uint64_t group)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < warp->count; ++i)
        if ((group >> i & 1) != 0 && warp->lanes[i].value != 0)
            bits |= (uint64_t)1 << i;
    return bits;
}

bool gpusim_warp_release(gpusim_warp *warp)
{
    const gpusim_fiber *first = NULL;
    uint64_t group = 0;
    for (uint32_t i = 0; i < warp->count; ++i) {
        const gpusim_fiber *lane = &warp->lanes[i];
        if (!waits(lane) || (first != NULL && (uintptr_t)lane->site >= (uintptr_t)first->site))
            continue;
        uint64_t candidates = group_of(warp, lane);
        if (complete(warp, lane, candidates)) {
            first = lane;
            group = candidates;
        }
    }
    if (first == NULL)
        return false;
    const uint64_t votes = ballot(warp, group);
    for (uint32_t i = 0; i < warp->count; ++i) {
        gpusim_fiber *lane = &warp->lanes[i];
        if ((group >> i & 1) == 0)
            continue;
        if (lane->operation == GPUSIM_MEET_SHUFFLE)
            lane->result = lane->from < warp->count && (group >> lane->from & 1) != 0 ? warp->lanes[lane->from].value
                                                                                      : (uint64_t)GARBAGE;
        else
            lane->result = lane->operation == GPUSIM_MEET_BALLOT ? votes : group;
        lane->state = LANE_READY;
    }
    return true;
}
