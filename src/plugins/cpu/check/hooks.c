/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/hooks.h"
#include "plugins/cpu/check/access.h"
#include "plugins/cpu/check/arithmetic/invalid.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/clock/fence.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/common/index.h"
#include "plugins/cpu/check/light/light.h"
#include "plugins/cpu/check/light/stray.h"
#include "plugins/cpu/check/limit.h"
#include "plugins/cpu/check/order.h"
#include "plugins/cpu/check/shadow.h"
#include "plugins/cpu/check/shared/privates.h"
#include "plugins/cpu/check/shared/shared.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/check/warp/lanes.h"
#include "plugins/cpu/check/warp/region.h"
#include "plugins/cpu/check/warp/warp.h"
#include "plugins/cpu/fiber/fiber_pool.h"

#include <string.h>

/* Of the barrier that a block's threads are coming to: where the first one is. */
static struct {
    const void *place;
    check_actor first;
    size_t arrived;
} barrier;

static const void *block_place; /* in the code of the kernel of the block that runs */

/* After each change of what the way depends on. */
static void choose_way(void)
{
    const bool special = check_around.light || check_around.trusted || check_around.block_scope ||
                         check_around.locked.begin != NULL || check_time.form == 0;
    const bool watched = check_limit_is_set() || check_around.views;
    if (special || (!check_time.sampled && watched))
        check_around.way = CHECK_WAY_FULL;
    else if (!check_time.sampled)
        check_around.way = CHECK_WAY_LIGHT;
    else
        check_around.way = watched ? CHECK_WAY_COUNTED : CHECK_WAY_FAST;
    const uintptr_t impossible = UINTPTR_MAX << CHECK_ADDRESS_BITS;
    check_around.unfit4 = check_around.way == CHECK_WAY_FAST ? impossible | 3 : UINTPTR_MAX;
    check_around.unfit8 = check_around.way == CHECK_WAY_FAST ? impossible | 7 : UINTPTR_MAX;
}

static void begin_block(const accel_launch_context *launch, size_t number, size_t threads, uint32_t form,
                        const void *place)
{
    block_place = place;
    check_invalid_block();
    check_shared_block(launch, place);
    check_clock_block(number, threads, form);
    check_limit_block();
    check_around.locked = (check_range){NULL, NULL};
    check_around.block_scope = 0;
    check_around.outer = NULL;
    choose_way();
    memset(&barrier, 0, sizeof(barrier));
}

static size_t thread_number(const accel_thread_context *thread)
{
    return check_number_of(thread->thread_index, thread->launch->block_extent);
}

/* The context is the first member of a fiber, if the block has more threads than one. */
static void find_stacks(const accel_thread_context *thread, size_t threads)
{
    check_around.fibers = (check_range){NULL, NULL};
    cpu_fiber_pool *pool = threads != 1 ? ((const cpu_fiber *)(const void *)thread)->pool : NULL;
    check_lanes_begin(pool, threads);
    if (pool == NULL)
        return;
    const char *slab = (const char *)pool->slab;
    check_around.fibers = (check_range){slab, slab + pool->stride * ACCEL_MAX_BLOCK_THREADS};
    check_around.pool = pool;
}

void check_hooks_asserted(const accel_launch_context *launch, accel_assertion *failed)
{
    check_region_asserted(launch, failed);
    const size_t block = check_number_of(failed->block, launch->grid_extent);
    check_actor actor = {CHECK_ACTOR_UNKNOWN, 0, 0};
    if (failed->thread[0] != ACCEL_NO_THREAD)
        actor = (check_actor){CHECK_ACTOR_THREAD, block, check_number_of(failed->thread, launch->block_extent)};
    else if (!check_around.light)
        actor = check_actor_of(check_time.now);
    if (actor.what == CHECK_ACTOR_UNKNOWN)
        actor = (check_actor){CHECK_ACTOR_BLOCK, block, 0};
    check_finding_add(
        &(check_finding){.kind = CHECK_FINDING_ASSERTION,
                         .file = failed->file,
                         .line = failed->line,
                         .text = failed->condition,
                         .mine = {.place = check_around.light ? check_light_place() : block_place, .actor = actor}});
}

static void begin_thread(const accel_thread_context *thread, const void *place)
{
    const size_t *extent = thread->launch->block_extent;
    size_t number = thread_number(thread), threads = extent[0] * extent[1] * extent[2];
    if (number == check_order_of(0, threads)) {
        begin_block(thread->launch, check_number_of(thread->block_index, thread->launch->grid_extent), threads,
                    ACCEL_FORM_THREAD, place);
        find_stacks(thread, threads);
    }
    check_around.fiber = threads != 1 ? (void *)(uintptr_t)thread : NULL;
    check_invalid_thread(number);
    check_time.now = check_time.first + number;
}

/* Barriers gather all threads that have not returned; so while some wait at another place the block is divided. */
static void arrive(const accel_thread_context *thread, const void *place)
{
    check_limit_pass(NULL, 0, 0, place);
    check_invalid_leave(place);
    check_lanes_arrive(thread_number(thread), place);
    check_actor me = check_actor_of(check_time.now);
    if (barrier.place == NULL) {
        barrier.place = place;
        barrier.first = me;
    } else if (barrier.place != place) {
        check_finding_add(&(check_finding){.kind = CHECK_FINDING_BARRIER,
                                           .mine = {.place = place, .actor = me},
                                           .has_other = true,
                                           .other = {.place = barrier.place, .actor = barrier.first}});
    }
}

static void pass(const accel_thread_context *thread)
{
    uint64_t epoch = check_time.epoch;
    if (check_around.fiber != NULL)
        check_around.fiber = (void *)(uintptr_t)thread;
    check_invalid_resume(thread_number(thread));
    check_clock_pass(thread_number(thread));
    check_lanes_pass(thread_number(thread));
    if (check_time.epoch != epoch)
        barrier.place = NULL;
}

static int part(int more, size_t t)
{
    if (check_region_is_running())
        return check_region_turn(more, t, 0);
    if (more) {
        check_invalid_part();
        check_time.now = check_context_of_thread(t);
    } else {
        check_time.now = check_time.uniform;
    }
    return more;
}

static int region(int more, size_t t, int sync)
{
    if (check_region_is_running())
        return check_region_turn(more, t, sync);
    if (more) {
        check_invalid_part();
        check_time.now = check_context_of_thread(t);
        return more;
    }
    check_invalid_uniform();
    if (sync)
        check_clock_epoch();
    check_time.now = check_time.uniform;
    return more;
}

static size_t order(size_t k, size_t n)
{
    return check_region_is_running() ? check_region_order(k, n) : check_order_of(k, n);
}

static size_t row(size_t k, size_t n)
{
    return check_region_is_running() ? check_region_row(k, n) : check_order_of(k, n);
}

static size_t along(size_t n)
{
    return check_region_is_running() ? check_region_along(n) : 0;
}

/* A region, a loop over elements or a collective of a block kernel begins: all threads of the block have to come to it. `how`:
 * which of them. */
static void expect_uniform(uint32_t how, const void *place)
{
    if (check_time.form != ACCEL_FORM_BLOCK || check_time.now == check_time.uniform || check_around.trusted)
        return;
    const check_actor me = check_actor_of(check_time.now);
    check_finding_add(&(check_finding){.kind = CHECK_FINDING_REGION,
                                       .mine = {.place = place, .how = how, .actor = me},
                                       .has_other = check_around.outer != NULL,
                                       .other = {.place = check_around.region, .actor = me}});
}

static void loop(const accel_launch_context *launch, size_t n0, size_t n1, size_t n2, uint32_t kind, const void *place)
{
    const size_t n[3] = {n0, n1, n2};
    expect_uniform(CHECK_HOW_LOOP, place);
    check_clock_loop(launch, n, kind);
}

/* The loop ends, or its next iteration has no number yet, or the user wants traps. */
static __attribute__((noinline)) int each_unusual(int more)
{
    if (check_time.form == ACCEL_FORM_BLOCK) {
        if (more)
            check_invalid_part();
        else
            check_invalid_uniform();
    }
    check_clock_each(more);
    return more;
}

static int each(int more)
{
    return __builtin_expect(more && !check_traps && check_clock_goes_on(), 1) ? more : each_unusual(more);
}

static void collective(int begin, const void *place)
{
    if (check_time.form != ACCEL_FORM_BLOCK)
        return;
    if (begin)
        expect_uniform(CHECK_HOW_COLLECTIVE, place);
    check_clock_epoch();
    check_time.now = begin ? check_time.first : check_time.uniform;
}

static void lock(const void *p, size_t size)
{
    check_around.locked = (check_range){p, (const char *)((uintptr_t)p + size)};
    choose_way();
}

static void scope(int block)
{
    check_around.block_scope = block;
    choose_way();
}

static void trust(int begin)
{
    check_around.trusted = begin;
    choose_way();
}

static const void *outer(const void *frame, const void *place)
{
    const char *before = check_around.outer;
    if (place != NULL)
        expect_uniform(0, place);
    if (before == NULL)
        check_around.region = place;
    check_around.outer = frame;
    return before;
}

static void trap(uint32_t what, int fatal, const void *place)
{
    static const uint32_t kinds[] = {[ACCEL_CHECK_DIVISION] = CHECK_FINDING_DIVISION,
                                     [ACCEL_CHECK_OVERFLOW] = CHECK_FINDING_OVERFLOW,
                                     [ACCEL_CHECK_CONVERSION] = CHECK_FINDING_CONVERSION};
    if (!fatal && (!check_traps || check_around.trusted))
        return;
    if (what == ACCEL_CHECK_DIVISION)
        check_invalid_known();
    check_finding_add(
        &(check_finding){.kind = kinds[what], .mine = {.place = place, .actor = check_actor_of(check_time.now)}});
    if (fatal)
        check_finding_abandon();
}

const accel_check_hooks check_hooks = {
    .abi = ACCEL_CHECK_ABI,
    .struct_size = sizeof(accel_check_hooks),
    .access = check_access,
    .read4 = check_read4,
    .read8 = check_read8,
    .write4 = check_write4,
    .write8 = check_write8,
    .update4 = check_update4,
    .update8 = check_update8,
    .block = begin_block,
    .thread = begin_thread,
    .arrive = arrive,
    .pass = pass,
    .part = part,
    .region = region,
    .loop = loop,
    .each = each,
    .collective = collective,
    .lock = lock,
    .scope = scope,
    .private_values = check_privates_add,
    .fence = check_fence_pass,
    .trust = trust,
    .order = order,
    .row = row,
    .along = along,
    .walk = check_order_walk,
    .run = check_region_run,
    .outer = outer,
    .trap = trap,
    .warp = check_warp_call,
    .stray = check_stray,
    .poison = check_stray_poison,
    .leave = check_stray_leave,
};
