/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of the lanes of a warp with each other. */
#include "operation.h"
#include "thread.h"

enum { PATIENCE = 16 };

static bool is_there(const ptx_thread *lanes, uint32_t count, uint32_t lane)
{
    return lane < count && lanes[lane].state != PTX_ENDED;
}

/* Do all lanes of its mask that have not ended wait at the same operation, with the same mask? */
static bool is_complete(const ptx_thread *lanes, uint32_t count, const ptx_thread *lane)
{
    for (uint32_t k = 0; k < PTX_LANES; ++k) {
        const ptx_thread *other = &lanes[k];
        if ((lane->mask >> k & 1) == 0 || !is_there(lanes, count, k))
            continue;
        if (other->state != PTX_MEETING || other->mask != lane->mask || other->at->run != lane->at->run ||
            other->at->words != lane->at->words)
            return false;
    }
    return true;
}

static void finish_vote(ptx_thread *lane, uint32_t present, uint32_t ballot)
{
    const ptx_instruction *i = lane->at;
    if (ptx_has(i, PTX_BALLOT))
        ptx_put(lane, i, ballot);
    else
        ptx_put_predicate(lane, i, 0, ptx_has(i, PTX_ANY) ? ballot != 0 : ballot == present);
}

/* As in the manual's text: the limits are a clamp and, above it, the mask that cuts the warp into segments. */
static uint32_t source_of(const ptx_thread *lane, bool *is_in_range)
{
    const ptx_instruction *i = lane->at;
    const uint32_t own = lane->special[PTX_LANEID], by = lane->source & 31;
    const uint32_t clamp = lane->limits & 31, segment = lane->limits >> 8 & 31;
    const uint32_t least = own & segment, most = least | (clamp & ~segment);
    uint32_t source = own;
    if (ptx_has(i, PTX_UP)) {
        source = own - by;
        *is_in_range = (int32_t)source >= (int32_t)most;
    } else {
        source = ptx_has(i, PTX_DOWN) ? own + by : ptx_has(i, PTX_BFLY) ? own ^ by : least | (by & ~segment);
        *is_in_range = source <= most;
    }
    return *is_in_range ? source : own;
}

/* The value of a lane that does not take part is undefined. */
static void finish_shuffle(ptx_thread *lane, const uint32_t *values, uint32_t present)
{
    bool is_in_range;
    const uint32_t source = source_of(lane, &is_in_range);
    const bool defined = (present >> source & 1) != 0;
    ptx_put(lane, lane->at, defined ? values[source] : ptx_random_next(lane->block->random));
    if (lane->at->pair)
        ptx_put_predicate(lane, lane->at, 1, is_in_range);
}

static void finish_meeting(ptx_thread *lanes, uint32_t count, uint32_t mask)
{
    uint32_t values[PTX_LANES] = {0}, present = 0, ballot = 0;
    for (uint32_t k = 0; k < count; ++k)
        if ((mask >> k & 1) != 0 && lanes[k].state == PTX_MEETING) {
            present |= 1u << k;
            ballot |= (uint32_t)(lanes[k].value != 0) << k;
            values[k] = lanes[k].value;
        }
    for (uint32_t k = 0; k < count; ++k) {
        ptx_thread *lane = &lanes[k];
        if ((present >> k & 1) == 0)
            continue;
        if (lane->at->run == ptx_vote)
            finish_vote(lane, present, ballot);
        else if (lane->at->run == ptx_shfl)
            finish_shuffle(lane, values, present);
        lane->state = PTX_RUNNING;
    }
}

/* Lanes at activemask are those that are converged: by default all that wait at the earliest place, once every lane of
 * the warp waits, or has kept them waiting for long. An adversary lets any of them go on, at any time. */
static bool release_active(ptx_thread *lanes, uint32_t count, bool all_wait)
{
    ptx_random *random = lanes->block->random;
    const ptx_instruction *first = NULL;
    bool tired = false;
    uint32_t mask = 0;
    for (uint32_t k = 0; k < count; ++k)
        if (lanes[k].state == PTX_ACTIVE) {
            tired |= ++lanes[k].patience > PATIENCE;
            first = first == NULL || lanes[k].at < first ? lanes[k].at : first;
        }
    if (first == NULL || !(all_wait || tired || (random->adversarial && ptx_random_next(random) % 4 == 0)))
        return false;
    for (uint32_t k = 0; k < count; ++k)
        if (lanes[k].state == PTX_ACTIVE && lanes[k].at == first)
            mask |= 1u << k;
    const uint32_t some = mask & ptx_random_next(random);
    if (random->adversarial && some != 0)
        mask = some;
    for (uint32_t k = 0; k < count; ++k)
        if ((mask >> k & 1) != 0) {
            ptx_put(&lanes[k], first, mask);
            lanes[k].state = PTX_RUNNING;
        }
    return true;
}

bool ptx_warp_release(ptx_thread *lanes, uint32_t count)
{
    bool any = false, all_wait = true;
    uint32_t incomplete = 0; /* a mask; its other lanes need not be looked at */
    for (uint32_t k = 0; k < count; ++k) {
        if (lanes[k].state == PTX_MEETING && lanes[k].mask != incomplete) {
            if (is_complete(lanes, count, &lanes[k])) {
                finish_meeting(lanes, count, lanes[k].mask);
                any = true;
            } else {
                incomplete = lanes[k].mask;
            }
        }
        all_wait &= lanes[k].state != PTX_RUNNING;
    }
    return release_active(lanes, count, all_wait && !any) || any;
}
