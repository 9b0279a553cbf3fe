/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of a block, as fibers that are resumed warp by warp. */
#include "block.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum {
    HOLD = 5,   /* one in so many locks that are taken is held on to, while others try */
    YIELD = 32, /* turns after which other OS threads may run, which perhaps have a lock that is wanted here */
    SPIN = 64,  /* atomic operations after which a lane makes way for other warps */
    GUARD = 64, /* bytes behind dynamic shared memory that nobody may write */
    POISON = 0xa5
};

/* ------------------------------------------------------------------------------------ from within a lane -- */

static gpusim_fiber *self(void)
{
    return gpusim_runner_inside()->current;
}

static void leave(gpusim_fiber *lane, lane_event event)
{
    gpusim_strand *strand = lane->strand;
    lane->event = event;
    cpu_fiber_swap(&strand->context, &strand->runner->own, 0);
}

__attribute__((const)) static const gpusim_lane *lane_seen(void)
{
    return &self()->seen;
}

static int lane_barrier(uint32_t mode, int predicate)
{
    gpusim_fiber *lane = self();
    lane->operation = mode;
    lane->predicate = predicate != 0;
    lane->state = LANE_BARRIER;
    leave(lane, LEFT_WAITING);
    return (int)lane->result;
}

static void misuse(gpusim_fiber *lane, const char *text)
{
    lane->strand->runner->misuse = text;
    siglongjmp(lane->strand->runner->escape, 1);
}

static uint64_t lane_meet(uint32_t operation, uint64_t mask, uint64_t value, uint32_t from)
{
    gpusim_fiber *lane = self();
    if (mask != 0 && (mask >> lane->seen.lane & 1) == 0)
        misuse(lane, "a warp operation's mask does not name the lane that calls it");
    lane->site = __builtin_return_address(0);
    lane->operation = operation;
    lane->mask = mask;
    lane->value = value;
    lane->from = from;
    lane->state = LANE_MEETING;
    leave(lane, LEFT_WAITING);
    return lane->result;
}

static void lane_atomic(int took)
{
    gpusim_fiber *lane = self();
    if (took && ++lane->strand->runner->taken % HOLD == 0)
        leave(lane, LEFT_HELD);
    else if (++lane->atomics % SPIN == 0)
        leave(lane, LEFT_SPINNING);
}

static void strand_main(void *user);

static void prepare(gpusim_runner *runner, gpusim_strand *strand)
{
    uint32_t number = (uint32_t)(strand - runner->strands);
    strand->runner = runner;
    strand->next = runner->idle;
    runner->idle = strand;
    cpu_fiber_prepare(&strand->context, gpusim_runner_stack(runner, number), GPUSIM_STACK_BYTES, strand_main, strand);
}

/* What the strand was in the middle of never goes on: it begins anew, with another lane. */
static void lane_exit(void)
{
    gpusim_fiber *lane = self();
    gpusim_strand *strand = lane->strand;
    gpusim_runner *runner = strand->runner;
    cpu_fiber_context never;
    lane->state = LANE_ENDED;
    lane->event = LEFT_WAITING;
    lane->strand = NULL;
    --runner->live;
    prepare(runner, strand);
    cpu_fiber_swap(&never, &runner->own, 0);
}

const gpusim_calls gpusim_lane_calls = {
    .lane = lane_seen,
    .barrier = lane_barrier,
    .meet = lane_meet,
    .atomic = lane_atomic,
    .exit = lane_exit,
};

/* The lane at this position of the warp whose turn it is. */
static gpusim_fiber *lane_at(const gpusim_runner *runner, uint32_t position)
{
    const gpusim_warp *warp = runner->turn;
    return &warp->lanes[runner->backwards ? warp->count - 1 - position : position];
}

/* Moves on to the next lane of the warp, if that has not begun. */
static gpusim_fiber *next_to_begin(gpusim_runner *runner)
{
    if (runner->position + 1 >= runner->turn->count)
        return NULL;
    gpusim_fiber *lane = lane_at(runner, runner->position + 1);
    if (lane->state != LANE_READY || lane->strand != NULL)
        return NULL;
    ++runner->position;
    return lane;
}

static void strand_main(void *user)
{
    gpusim_strand *strand = user;
    gpusim_runner *runner = strand->runner;
    for (;;) {
        const gpusim_kernel *kernel = runner->launch->kernel;
        const unsigned char *parameters = runner->parameters;
        const uint32_t offset = kernel->properties.parameter_offset[1];
        gpusim_fiber *lane = strand->lane;
        while (lane != NULL) {
            strand->lane = lane;
            lane->strand = strand;
            runner->current = lane;
            kernel->call(parameters, parameters + offset);
            lane->state = LANE_ENDED;
            lane->strand = NULL;
            --runner->live;
            lane = next_to_begin(runner);
        }
        strand->next = runner->idle;
        runner->idle = strand;
        cpu_fiber_swap(&strand->context, &runner->own, 0);
    }
}

#if !defined(CPU_FIBER_UCONTEXT)
/* The engine's way of switching at a barrier, in the same assembly file; not used here. */
cpu_fiber_next cpu_fiber_arrive(void *fiber, uint32_t mode, uint32_t predicate, void *stack)
{
    (void)fiber;
    (void)mode;
    (void)predicate;
    return (cpu_fiber_next){stack, 0};
}
#endif

/* ----------------------------------------------------------------------------------------------- a block -- */

static void resume(gpusim_runner *runner, gpusim_fiber *lane)
{
    gpusim_strand *strand = lane->strand;
    if (strand == NULL) {
        strand = runner->idle;
        runner->idle = strand->next;
        strand->lane = lane;
    }
    runner->current = lane;
    cpu_fiber_swap(&runner->own, &strand->context, 0);
    runner->current = NULL;
}

/* Does a lane go round and round, and perhaps waits for another? */
static bool spins(const gpusim_warp *warp)
{
    for (uint32_t i = 0; i < warp->count; ++i)
        if (warp->lanes[i].state == LANE_READY && warp->lanes[i].event == LEFT_SPINNING)
            return true;
    return false;
}

/* Each ready lane once, in changing order; not those that took a lock, as long as another lane spins. */
static bool visit_lanes(gpusim_runner *runner, gpusim_warp *warp, bool backwards)
{
    const bool spinning = spins(warp);
    bool any = false;
    runner->turn = warp;
    runner->backwards = backwards;
    for (runner->position = 0; runner->position < warp->count; ++runner->position) {
        gpusim_fiber *lane = lane_at(runner, runner->position);
        if (lane->state != LANE_READY || (spinning && lane->event == LEFT_HELD))
            continue;
        any = true;
        resume(runner, lane);
    }
    return any;
}

static bool ready(const gpusim_warp *warp)
{
    for (uint32_t i = 0; i < warp->count; ++i)
        if (warp->lanes[i].state == LANE_READY)
            return true;
    return false;
}

/* One turn of every warp; false if nothing happened. */
static bool visit_warps(gpusim_runner *runner)
{
    bool any = false;
    if (++runner->phase % YIELD == 0)
        sched_yield();
    for (uint32_t w = 0; w < runner->warps; ++w) {
        gpusim_warp *warp = &runner->warp[(runner->phase & 1) != 0 ? w : runner->warps - 1 - w];
        any |= visit_lanes(runner, warp, (runner->phase & 2) != 0);
        if (!ready(warp))
            any |= gpusim_warp_release(warp);
    }
    return any;
}

/* If all threads that have not ended wait at the barrier, it opens. */
static bool open_barrier(gpusim_runner *runner)
{
    uint32_t waiting = 0, votes = 0, mode = GPUSIM_SYNC_PLAIN;
    for (uint32_t i = 0; i < runner->threads; ++i) {
        const gpusim_fiber *lane = &runner->fibers[i];
        if (lane->state == LANE_BARRIER) {
            ++waiting;
            votes += (uint32_t)lane->predicate;
            mode = lane->operation;
        } else if (lane->state != LANE_ENDED) {
            return false;
        }
    }
    uint32_t result = mode == GPUSIM_SYNC_COUNT ? votes
                      : mode == GPUSIM_SYNC_AND ? votes == waiting
                      : mode == GPUSIM_SYNC_OR  ? votes != 0
                                                : 0;
    for (uint32_t i = 0; i < runner->threads; ++i) {
        gpusim_fiber *lane = &runner->fibers[i];
        if (lane->state == LANE_BARRIER) {
            lane->state = LANE_READY;
            lane->result = result;
        }
    }
    return waiting != 0;
}

static void describe_deadlock(const gpusim_runner *runner, gpusim_fault *fault)
{
    uint32_t barrier = 0, meeting = 0;
    for (uint32_t i = 0; i < runner->threads; ++i) {
        const gpusim_fiber *lane = &runner->fibers[i];
        barrier += lane->state == LANE_BARRIER;
        meeting += lane->state == LANE_MEETING;
        if (lane->state == LANE_MEETING || lane->state == LANE_BARRIER)
            memcpy(fault->thread, &lane->seen.thread, sizeof(fault->thread));
    }
    fault->status = GPUSIM_GRID_DEADLOCK;
    snprintf(fault->text, sizeof(fault->text),
             "%u threads wait at a barrier and %u at a warp operation, for others that never come", barrier, meeting);
}

/* Block and thread indices; every thread is ready to begin. */
static void begin_block(gpusim_runner *runner, uint64_t block)
{
    const gpusim_launch *launch = runner->launch;
    const gpusim_index index = {(uint32_t)(block % launch->grid[0]),
                                (uint32_t)(block / launch->grid[0] % launch->grid[1]),
                                (uint32_t)(block / launch->grid[0] / launch->grid[1])};
    runner->live = runner->threads;
    runner->phase = (uint32_t)block;
    for (uint32_t i = 0; i < runner->threads; ++i) {
        gpusim_fiber *lane = &runner->fibers[i];
        lane->seen.block = index;
        lane->state = LANE_READY;
        lane->event = LEFT_WAITING;
        lane->strand = NULL;
        lane->atomics = 0;
    }
    if (runner->prepared == 0)
        runner->idle = NULL;
    for (; runner->prepared < runner->threads; ++runner->prepared)
        prepare(runner, &runner->strands[runner->prepared]);
    /* Shared memory starts undefined. */
    const gpusim_kernel *kernel = launch->kernel;
    memset(runner->shared + kernel->shared_begin, POISON, kernel->shared_end - kernel->shared_begin);
    memset(runner->dynamic, POISON, launch->dynamic_shared + GUARD);
}

static gpusim_grid_status check_guard(const gpusim_runner *runner, gpusim_fault *fault)
{
    const unsigned char *guard = runner->dynamic + runner->launch->dynamic_shared;
    for (uint32_t i = 0; i < GUARD; ++i) {
        if (guard[i] == POISON)
            continue;
        fault->status = GPUSIM_GRID_ILLEGAL_ADDRESS;
        fault->address = guard + i;
        snprintf(fault->text, sizeof(fault->text), "the block wrote behind its %u bytes of dynamic shared memory",
                 runner->launch->dynamic_shared);
        break;
    }
    return fault->status;
}

gpusim_grid_status gpusim_block_run(gpusim_runner *runner, uint64_t block, gpusim_fault *fault)
{
    const uint32_t *const volatile cancel = runner->launch->cancel != NULL ? runner->launch->cancel : runner->stop;
    begin_block(runner, block);
    memcpy(fault->block, &runner->fibers[0].seen.block, sizeof(fault->block));
    fault->status = GPUSIM_GRID_OK;
    runner->misuse = NULL;
    if (sigsetjmp(runner->escape, 0) != 0) {
        memcpy(fault->thread, &runner->current->seen.thread, sizeof(fault->thread));
        gpusim_trap_describe(runner, fault);
        runner->current = NULL;
    }
    while (fault->status == GPUSIM_GRID_OK && runner->live > 0) {
        if (__atomic_load_n(cancel, __ATOMIC_RELAXED) != 0 || __atomic_load_n(runner->stop, __ATOMIC_RELAXED) != 0)
            fault->status = GPUSIM_GRID_CANCELLED;
        else if (!visit_warps(runner) && !open_barrier(runner))
            describe_deadlock(runner, fault);
    }
    if (fault->status != GPUSIM_GRID_OK) {
        runner->prepared = 0; /* strands are somewhere within the kernel, and never go on */
        return fault->status;
    }
    return check_guard(runner, fault);
}
