/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/threads/threads.h"
#include "plugins/cpu/dispatch/dispatch.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/threads/worker.h"

#include <sched.h>
#include <string.h>

/* BLOCKS_PER_THREAD: several, so that a thread that lost its CPU, or has a slow one, can be helped. */
enum {
    BLOCKS_PER_THREAD = 4,
    PAUSES = 64,            /* between two looks at the clock */
    PATIENCE = 16 * PAUSES, /* then a worker that is late may have lost its CPU */
};

static cpu_pool *pool_of(const cpu_executor *self)
{
    return (cpu_pool *)(uintptr_t)self; /* its first member */
}

/* --- a parallel launch --- */

/* What the caller knows of its launch. */
typedef struct caller {
    cpu_pool *pool;
    cpu_slot *slot;
    uint32_t number; /* of the slot */
    cpu_scratch *scratch;
    uint32_t done[CPU_GROUPS]; /* chunks of each group's shares that the caller has done */
} caller;

/* Runs chunks that nobody else has. */
static void run_range(caller *own, uint64_t range)
{
    atomic_store_explicit(&own->slot->range, range, memory_order_release);
    own->done[cpu_range_group(range)] += cpu_slot_run_range(own->slot, &own->slot->range, own->scratch);
}

/* Claims shares of a group, or steals from its workers. Returns whether there was anything. */
static bool run_share(caller *own, uint32_t group)
{
    int share = cpu_group_claim(&own->pool->groups[group], own->number, 0);
    if (share < 0)
        return false;
    run_range(own, cpu_pool_share(own->slot, own->number, group, own->slot->before[group] + (uint32_t)share));
    return true;
}

static bool run_stolen(caller *own, uint32_t group, bool anything)
{
    uint64_t stolen;
    if (!cpu_pool_steal(own->pool, group, 0, (int)own->number, anything, &stolen))
        return false;
    run_range(own, stolen);
    return true;
}

/* How many of a group's chunks the group has to do: the first one's are the caller's first share, too. */
static uint32_t chunks_of(const caller *own, uint32_t at, uint32_t group)
{
    const cpu_slot *slot = own->slot;
    uint32_t before = slot->before[group];
    uint32_t end = before + cpu_slot_shares_of(slot, &own->pool->groups[group], before);
    return cpu_slot_chunk(slot, end) - (at != 0 ? cpu_slot_chunk(slot, before) : 0);
}

/* Waits until a group's chunks are done, and does some of them meanwhile. After it has slept it polls no more, unless it got
 * something to do. */
static void wait(caller *own, cpu_spin *spin, uint32_t group, uint32_t chunks)
{
    cpu_slot *slot = own->slot;
    _Atomic uint32_t *done = &own->pool->groups[group].ends[own->number].done;
    bool polls = true;
    for (uint32_t turn = 1, seen;
         (seen = atomic_load_explicit(done, memory_order_acquire)) - slot->counted[group] + own->done[group] != chunks;
         ++turn) {
        if (turn % PAUSES != 0) {
            cpu_relax();
            continue;
        }
        polls = polls && cpu_spin_continues(spin, cpu_clock_ns());
        if (run_share(own, group) || run_stolen(own, group, !polls || turn >= PATIENCE)) {
            cpu_spin_restart(spin);
            polls = true;
        } else if (!polls) {
            atomic_store_explicit(&slot->waits, 1, memory_order_seq_cst);
            if (atomic_load_explicit(done, memory_order_seq_cst) == seen)
                cpu_futex_wait(done, seen, 0);
            atomic_store_explicit(&slot->waits, 0, memory_order_relaxed);
        }
    }
    slot->counted[group] = atomic_load_explicit(done, memory_order_relaxed);
}

/* A worker gets the arguments with the rest. Where the caller has them they would come when that is there. */
static void put_launch(cpu_slot *slot, const cpu_launch *launch)
{
    const accel_descriptor *kernel = launch->kernel;
    const void *args = launch->args;
    if (kernel->args_size <= sizeof(slot->args) && kernel->args_align <= CPU_POOL_LINE)
        args = memcpy(slot->args, args, kernel->args_size);
    if (!cpu_launch_repeats(&slot->launch, launch))
        slot->launch = *launch;
    CPU_SLOT_SET(slot->launch.args, args);
}

/* Describes the launch in its slot. */
static void fill_slot(cpu_slot *slot, const cpu_launch *launch, const cpu_cost *cost, cpu_decision decision,
                      size_t first, uint32_t threads)
{
    size_t blocks = launch->blocks - first, least = blocks / CPU_RANGE_CHUNKS + 1;
    size_t chunk = launch->grain == 1 ? cpu_policy_chunk(cost, blocks, threads) : 1;
    CPU_SLOT_SET(slot->chunk, chunk < least ? least : chunk);
    put_launch(slot, launch);
    cpu_slot_set_least(slot, cpu_policy_worth_stealing(cost, launch->blocks, slot->chunk));
    CPU_SLOT_SET(slot->first, first);
    CPU_SLOT_SET(slot->blocks, launch->blocks);
    CPU_SLOT_SET(slot->chunks, (uint32_t)((blocks - 1) / slot->chunk + 1));
    CPU_SLOT_SET(slot->shares, threads < slot->chunks ? threads : slot->chunks);
    CPU_SLOT_SET(slot->cpu, decision.wake ? sched_getcpu() : -1);
}

/* Offers a group its shares. */
static void publish(cpu_pool *pool, const cpu_slot *slot, uint32_t number, uint32_t at)
{
    cpu_group *group = &pool->groups[at];
    uint32_t shares = cpu_slot_shares_of(slot, group, slot->before[at]);
    uint64_t bits = shares >= 64 ? UINT64_MAX : ((uint64_t)1 << shares) - 1;
    atomic_store_explicit(&group->unclaimed[number], bits, memory_order_release);
}

static uint32_t group_at(const caller *own, uint32_t at)
{
    return cpu_slot_group(own->pool, own->slot, at);
}

/* Takes what others have not claimed: of the first group at once, of the others if some may have nobody who is awake. */
static void run_shares(caller *own)
{
    uint32_t groups =
        atomic_load_explicit(&own->pool->counts.asleep, memory_order_relaxed) != 0 ? own->slot->groups : 1;
    for (uint32_t at = 0; at < groups; ++at)
        while (run_share(own, group_at(own, at)))
            continue;
}

/* Until all chunks are done. */
static void wait_for_all(caller *own)
{
    cpu_spin spin = cpu_spin_of(own->pool->spin_ns);
    for (uint32_t at = 1; at < own->slot->groups; ++at)
        __builtin_prefetch(&own->pool->groups[group_at(own, at)].ends[own->number]);
    for (uint32_t at = 0; at < own->slot->groups; ++at)
        wait(own, &spin, group_at(own, at), chunks_of(own, at, group_at(own, at)));
}

/* The blocks from `first` on, with whoever is free. The caller owns the slot. */
static accel_status run_slot(cpu_pool *pool, cpu_slot *slot, uint32_t number, cpu_scratch *scratch, cpu_cost *cost,
                             cpu_decision decision)
{
    caller own;
    own.pool = pool;
    own.slot = slot;
    own.number = number;
    own.scratch = scratch;
    for (uint32_t at = 0; at < slot->groups; ++at)
        own.done[group_at(&own, at)] = 0;
    uint64_t range = cpu_pool_share(slot, number, slot->home, 0);
    uint32_t done =
        cpu_range_part(0, cpu_range_end(range), slot->launch.grain); /* the caller's first part; thieves see the rest */
    /* Workers wait for this. Until the range comes the one before stands there, of which nothing is left to be stolen. */
    for (uint32_t at = 0; at < slot->groups; ++at)
        publish(pool, slot, number, group_at(&own, at));
    atomic_store_explicit(&slot->range, range + ((uint64_t)done << CPU_RANGE_BITS), memory_order_release);
    if (decision.wake)
        cpu_pool_wake(pool, slot->home, 1, slot->cpu);

    uint64_t begin = cpu_ticks();
    cpu_slot_run_chunks(slot, scratch, 0, done);
    uint64_t ticks = (cpu_ticks() - begin) * slot->chunks / done; /* of all chunks, as the first ones have it */
    own.done[slot->home] = done + cpu_slot_run_range(slot, &slot->range, scratch);
    run_shares(&own);
    wait_for_all(&own);
    uint64_t elapsed = cpu_ticks() - begin;
    if (__builtin_expect(elapsed > ticks && pool->counts.may_wait, 0)) {
        if (decision.wake) /* the next ones will find the worker awake */
            elapsed = ticks;
        else
            cpu_pool_keep_off(pool, sched_getcpu());
    }
    cpu_policy_note_parallel(cost, ticks, elapsed, slot->first == 0);
    if (__builtin_expect(plugin_failure_status(&slot->failure) == ACCEL_OK, 1))
        return ACCEL_OK;
    return plugin_failure_report(&slot->failure, cpu_host());
}

static accel_status run_parallel(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch,
                                 cpu_cost *cost, cpu_decision decision, size_t first)
{
    cpu_pool *pool = pool_of(self);
    uint32_t number, running = atomic_load_explicit(&pool->counts.running, memory_order_acquire);
    if (__builtin_expect(running == 0, 0)) {
        cpu_pool_start(pool);
        running = atomic_load_explicit(&pool->counts.running, memory_order_acquire);
    }
    if (running == 0 || !cpu_pool_take_slot(pool, scratch, &number))
        return cpu_blocks_run(launch, scratch, first, launch->blocks - first);
    cpu_slot *slot = &pool->slots[number];
    fill_slot(slot, launch, cost, decision, first, running + 1);
    cpu_pool_assign(pool, slot);
    accel_status status = run_slot(pool, slot, number, scratch, cost, decision);
    cpu_lock_release(&slot->owned);
    return status;
}

/* --- the executor --- */

static uint32_t compute_units(const cpu_executor *self)
{
    return pool_of(self)->threads;
}

static __attribute__((noinline)) accel_status run_timed(const cpu_executor *self, const cpu_launch *launch,
                                                        cpu_scratch *scratch, cpu_cost *cost)
{
    return cpu_dispatch_timed(self, launch, scratch, cost, &pool_of(self)->counts, run_parallel);
}

static accel_status run(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch)
{
    if (launch->blocks == 1 || pool_of(self)->threads == 1)
        return cpu_blocks_run(launch, scratch, 0, launch->blocks);
    return cpu_dispatch(self, launch, scratch, run_timed);
}

static uint32_t parts(const cpu_executor *self)
{
    uint32_t threads = pool_of(self)->threads;
    return threads > 1 ? threads * BLOCKS_PER_THREAD : 1;
}

static accel_status create(const cpu_executor *self, const cpu_placement *place, const cpu_settings *settings,
                           cpu_executor **made)
{
    cpu_pool *pool;
    accel_status status = cpu_pool_create(self, place, settings, &pool);
    if (status == ACCEL_OK)
        *made = &pool->executor;
    return status;
}

static void destroy(cpu_executor *self)
{
    cpu_pool_close(pool_of(self));
}

static void after_fork(cpu_executor *self, const cpu_placement *place, const cpu_settings *settings)
{
    cpu_pool_after_fork(pool_of(self), place, settings);
}

const cpu_executor cpu_executor_threads = {
    .name = "cpu-threads",
    .compute_units = compute_units,
    .run = run,
    .parts = parts,
    .create = create,
    .destroy = destroy,
    .after_fork = after_fork,
    .divisible = true,
};
