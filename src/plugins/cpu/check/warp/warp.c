/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/warp/warp.h"
#include "plugins/cpu/check/arithmetic/invalid.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/limit.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/check/warp/group.h"
#include "plugins/cpu/fiber/fiber_pool.h"

#include <string.h>

static uint32_t width = 1;
static check_lane lanes[ACCEL_MAX_BLOCK_THREADS]; /* of the block that runs, by thread */
static size_t count;

void check_warp_choose(uint64_t chosen)
{
    width = (uint32_t)chosen;
}

uint32_t check_warp_size(const accel_kernel_descriptor *kernel)
{
    return kernel->form == ACCEL_FORM_THREAD ? width : 1;
}

static check_group warp_of(size_t thread)
{
    const size_t first = thread / width * width;
    return (check_group){.lanes = lanes + first,
                         .count = (uint32_t)(count - first < width ? count - first : width),
                         .width = width,
                         .first = first};
}

/* No thread of the block can go on. */
static void resolve(cpu_fiber_pool *pool)
{
    (void)pool;
    for (size_t thread = 0; thread < count; thread += width) {
        check_group warp = warp_of(thread);
        check_group_resolve(&warp);
    }
}

void check_warp_block(cpu_fiber_pool *pool, size_t threads)
{
    if (width == 1)
        return;
    count = threads;
    memset(lanes, 0, threads * sizeof(lanes[0]));
    if (pool != NULL)
        pool->stuck = resolve;
}

void check_warp_arrive(size_t thread, const void *place)
{
    lanes[thread].where = CHECK_LANE_BARRIER;
    lanes[thread].place = place;
}

void check_warp_pass(size_t thread)
{
    lanes[thread].where = CHECK_LANE_ELSEWHERE;
}

static uint64_t call(size_t thread, const accel_check_warp *operation, const void *place)
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

/* Of a warp of one thread. */
static uint64_t alone(const accel_check_warp *operation)
{
    return operation->what == ACCEL_CHECK_WARP_SIZE   ? 1
           : operation->what == ACCEL_CHECK_WARP_LANE ? 0
                                                      : operation->value;
}

uint64_t check_warp_call(const accel_check_warp *operation, const void *place)
{
    check_limit_pass(NULL, 0, 0, place);
    if (width == 1)
        return alone(operation);
    if (check_time.form != ACCEL_FORM_THREAD) {
        check_finding_add(&(check_finding){.kind = CHECK_FINDING_WARP_FORM,
                                           .mine = {.place = place, .actor = check_actor_of(check_time.now)}});
        return alone(operation);
    }
    const size_t thread = (size_t)(check_context_root(check_time.now) - check_time.first);
    if (operation->what == ACCEL_CHECK_WARP_SIZE)
        return width;
    return operation->what == ACCEL_CHECK_WARP_LANE ? thread % width : call(thread, operation, place);
}
