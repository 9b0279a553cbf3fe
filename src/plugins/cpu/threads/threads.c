/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/threads/threads.h"
#include "plugins/cpu/dispatch/dispatch.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/threads/worker.h"

#include <sched.h>

/* BLOCKS_PER_THREAD: several, so that a thread that lost its CPU, or has a slow one, can be helped. */
enum { BLOCKS_PER_THREAD = 4, PAUSES = 64 /* between two looks at the clock */ };

static cpu_pool *pool_of(const cpu_executor *self)
{
    return (cpu_pool *)(uintptr_t)self; /* its first member */
}

/* --- a parallel launch --- */

/* Waits until the workers have done their chunks, and steals from them meanwhile. After it has slept it polls no more, unless
 * it got something to do. */
static void wait(cpu_pool *pool, cpu_slot *slot, uint32_t number, cpu_scratch *scratch, uint32_t done)
{
    cpu_spin spin = cpu_spin_of(pool->spin_ns);
    bool polls = true;
    uint64_t stolen;
    for (uint32_t turn = 1, seen;
         (seen = atomic_load_explicit(&slot->done, memory_order_acquire)) + done != slot->chunks; ++turn) {
        if (turn % PAUSES != 0) {
            cpu_relax();
        } else if (cpu_pool_steal(pool, 0, (int)number, &stolen)) {
            atomic_store_explicit(&slot->range, stolen, memory_order_release);
            done += cpu_slot_run_range(slot, &slot->range, scratch);
            cpu_spin_restart(&spin);
            polls = true;
        } else if (!polls || !(polls = cpu_spin_continues(&spin, cpu_clock_ns()))) {
            atomic_store_explicit(&slot->waits, 1, memory_order_seq_cst);
            if (atomic_load_explicit(&slot->done, memory_order_seq_cst) == seen)
                cpu_futex_wait(&slot->done, seen, 0);
            atomic_store_explicit(&slot->waits, 0, memory_order_relaxed);
        }
    }
}

/* Describes the launch in its slot. */
static void fill_slot(cpu_slot *slot, const cpu_launch *launch, const cpu_cost *cost, cpu_decision decision,
                      size_t first, uint32_t threads)
{
    size_t blocks = launch->blocks - first, least = blocks / CPU_RANGE_CHUNKS + 1;
    slot->chunk = cpu_policy_chunk(cost, blocks, threads);
    if (slot->chunk < least)
        slot->chunk = least;
    slot->launch = *launch;
    slot->first = first;
    slot->blocks = launch->blocks;
    slot->chunks = (uint32_t)((blocks - 1) / slot->chunk + 1);
    slot->shares = threads < CPU_POOL_SHARES ? threads : CPU_POOL_SHARES;
    if (slot->shares > slot->chunks)
        slot->shares = slot->chunks;
    slot->cpu = decision.wake ? sched_getcpu() : -1;
}

/* The blocks from `first` on, with whoever is free. The caller owns the slot. */
static accel_status run_slot(cpu_pool *pool, cpu_slot *slot, uint32_t number, cpu_scratch *scratch, cpu_cost *cost,
                             cpu_decision decision)
{
    atomic_store_explicit(&slot->done, 0, memory_order_relaxed);
    uint64_t range = cpu_pool_share(slot, number, 0);
    uint32_t done = cpu_range_part(cpu_range_end(range)); /* the caller's first part; thieves see the rest */
    atomic_store_explicit(&slot->range, cpu_range_pack(number, done, cpu_range_end(range)), memory_order_release);
    uint64_t shares = slot->shares == CPU_POOL_SHARES ? UINT64_MAX : ((uint64_t)1 << slot->shares) - 1;
    atomic_store_explicit(&pool->unclaimed[number], shares & ~(uint64_t)1, memory_order_release);
    if (decision.wake)
        cpu_pool_wake(pool, 1, slot->cpu);

    uint64_t begin = cpu_ticks();
    cpu_slot_run_chunks(slot, scratch, 0, done);
    uint64_t ticks = (cpu_ticks() - begin) * slot->chunks / done; /* of all chunks, as the first ones have it */
    int share = 0;
    while (share >= 0) {
        done += cpu_slot_run_range(slot, &slot->range, scratch);
        share = cpu_pool_claim(pool, number, 0);
        if (share > 0)
            atomic_store_explicit(&slot->range, cpu_pool_share(slot, number, (uint32_t)share), memory_order_release);
    }
    if (done != slot->chunks)
        wait(pool, slot, number, scratch, done);
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
    uint32_t number;
    if (__builtin_expect(atomic_load_explicit(&pool->counts.running, memory_order_relaxed) == 0, 0))
        cpu_pool_start(pool);
    if (!cpu_pool_take_slot(pool, scratch, &number))
        return cpu_blocks_run(launch, scratch, first, launch->blocks - first);
    cpu_slot *slot = &pool->slots[number];
    fill_slot(slot, launch, cost, decision, first,
              atomic_load_explicit(&pool->counts.running, memory_order_acquire) + 1);
    accel_status status = run_slot(pool, slot, number, scratch, cost, decision);
    cpu_lock_release(&slot->owned);
    return status;
}

/* --- the executor --- */

static uint32_t compute_units(const cpu_executor *self)
{
    return pool_of(self)->threads;
}

static accel_status run(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch)
{
    cpu_pool *pool = pool_of(self);
    if (launch->blocks == 1 || pool->threads == 1)
        return cpu_blocks_run(launch, scratch, 0, launch->blocks);
    return cpu_dispatch(self, launch, scratch, &pool->counts, run_parallel);
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
