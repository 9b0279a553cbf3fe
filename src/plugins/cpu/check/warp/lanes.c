/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/warp/lanes.h"
#include "plugins/cpu/check/arithmetic/invalid.h"
#include "plugins/cpu/check/clock/context.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/check/warp/group.h"
#include "plugins/cpu/fiber/fiber_pool.h"

#include <string.h>

uint32_t check_lanes_width = 1;
static check_lane lanes[ACCEL_MAX_BLOCK_THREADS]; /* by thread */
static size_t count;

static check_group warp_of(size_t thread)
{
    const size_t first = thread / check_lanes_width * check_lanes_width;
    return (check_group){.lanes = lanes + first,
                         .count = (uint32_t)(count - first < check_lanes_width ? count - first : check_lanes_width),
                         .width = check_lanes_width,
                         .first = first};
}

/* No thread of the block can go on. */
static void resolve(cpu_fiber_pool *pool)
{
    (void)pool;
    for (size_t thread = 0; thread < count; thread += check_lanes_width) {
        check_group warp = warp_of(thread);
        check_group_resolve(&warp);
    }
}

void check_lanes_begin(cpu_fiber_pool *pool, size_t threads)
{
    if (check_lanes_width == 1)
        return;
    count = threads;
    memset(lanes, 0, threads * sizeof(lanes[0]));
    if (pool != NULL)
        pool->stuck = resolve;
}

void check_lanes_arrive(size_t thread, const void *place)
{
    lanes[thread].where = CHECK_LANE_BARRIER;
    lanes[thread].place = place;
}

void check_lanes_pass(size_t thread)
{
    lanes[thread].where = CHECK_LANE_ELSEWHERE;
}

uint64_t check_lanes_call(size_t thread, const accel_check_warp *operation, const void *place)
{
    const check_surroundings before = check_around;
    check_lane *lane = &lanes[thread];
    lane->where = CHECK_LANE_WARP;
    lane->place = place;
    lane->call = *operation;
    lane->fiber = check_around.fiber;
    if (lane->fiber == NULL) {
        resolve(NULL);
        return lane->result;
    }
    check_invalid_leave(place);
    cpu_fiber_park(lane->fiber);
    check_around = before;
    check_invalid_resume(thread);
    check_time.now = check_context_of_thread(thread);
    return lane->result;
}
