/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When workers poll, sleep and are woken. To wake a thread costs its waker a system call, and the thread is there tens of
 * microseconds later: so a worker that runs out of work polls for a while; and a launch that finds all of them asleep
 * wakes one only if it is long enough, or if launches like it keep coming. That one wakes two others, and so on.
 *
 * A launcher stores shares and then looks at `asleep` without a fence, a worker that falls asleep may miss them: then the
 * launch has one helper less, and no harm is done.
 */
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/threads/pool.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/machine/thread.h"

#include <string.h>

/* A wake-up is worth it for a launch of this length; both are orders of magnitude. */
#define WORTH_WAKING CPU_TICKS_OF_NS(75000)

enum { PAUSES = 8 /* between two looks at the clock, with a look at the shares at each */ };

bool cpu_pool_is_worth_waking(cpu_pool *pool, uint64_t ticks, uint64_t now)
{
    if (ticks >= WORTH_WAKING)
        return true;
    /* What is left undone by one launch is little. If they come so close that a worker would still poll when the next
     * one comes, it adds up: as soon as it is as much as the wake-up costs, that is due. */
    uint64_t before = atomic_load_explicit(&pool->missed_at, memory_order_relaxed);
    uint64_t missed = atomic_load_explicit(&pool->missed, memory_order_relaxed);
    /* `before` may lie ahead a little: it was an estimate. */
    bool close = (int64_t)(now - before) < (int64_t)CPU_TICKS_OF_NS(pool->spin_ns);
    missed = close ? missed + ticks : ticks;
    bool worth = missed >= WORTH_WAKING;
    atomic_store_explicit(&pool->missed_at, now + ticks, memory_order_relaxed);
    atomic_store_explicit(&pool->missed, worth ? 0 : missed, memory_order_relaxed);
    return worth;
}

/* When every CPU is busy, the system likes to put a thread that is woken where its waker runs, before the waker: then
 * the launch is held up by its own helper. The worker's mask is changed only when the launching thread has moved. */
static void keep_away(cpu_pool_worker *worker, const uint8_t allowed[CPU_MASK_BYTES], int cpu)
{
    uint8_t mask[CPU_MASK_BYTES];
    int thread = atomic_load_explicit(&worker->thread, memory_order_relaxed);
    if (cpu < 0 || worker->avoids == cpu || thread == 0 || !cpu_mask_has(allowed, (size_t)cpu))
        return;
    memcpy(mask, allowed, CPU_MASK_BYTES);
    mask[cpu / 8] = (uint8_t)(mask[cpu / 8] & ~(1u << (cpu % 8)));
    if (cpu_mask_count(mask) != 0 && syscall(SYS_sched_setaffinity, thread, CPU_MASK_BYTES, mask) == 0)
        worker->avoids = cpu;
}

void cpu_pool_wake(cpu_pool *pool, uint32_t count, int caller_cpu)
{
    for (uint32_t i = 0; i + 1 < pool->units && count != 0; ++i) {
        cpu_pool_worker *worker = &pool->workers[i];
        uint32_t state = CPU_POOL_ASLEEP;
        if (atomic_load_explicit(&worker->state, memory_order_seq_cst) != CPU_POOL_ASLEEP ||
            !atomic_compare_exchange_strong(&worker->state, &state, CPU_POOL_WAKING))
            continue;
        atomic_fetch_sub_explicit(&pool->asleep, 1, memory_order_relaxed);
        keep_away(worker, pool->masks[i], caller_cpu);
        atomic_store_explicit(&worker->state, CPU_POOL_BUSY, memory_order_release);
        cpu_futex_wake(&worker->state, 1);
        count--;
    }
}

static bool look(cpu_pool *pool)
{
    for (int i = 0; i < PAUSES; ++i) {
        if (cpu_pool_has_shares(pool))
            return true;
        cpu_relax();
    }
    return false;
}

/* True: there may be work. */
static bool poll(cpu_pool_worker *worker)
{
    bool found = false;
    atomic_store_explicit(&worker->state, CPU_POOL_POLLING, memory_order_relaxed);
    while (!found && cpu_patience_lasts(&worker->patience, cpu_clock_ns()))
        found = look(worker->pool);
    atomic_store_explicit(&worker->state, CPU_POOL_BUSY, memory_order_relaxed);
    if (found)
        cpu_patience_restart(&worker->patience);
    return found;
}

static void fall_asleep(cpu_pool_worker *worker)
{
    cpu_pool *pool = worker->pool;
    atomic_fetch_add_explicit(&pool->asleep, 1, memory_order_relaxed);
    atomic_store_explicit(&worker->state, CPU_POOL_ASLEEP, memory_order_seq_cst);
    uint32_t state = CPU_POOL_ASLEEP;
    if ((atomic_load_explicit(&pool->closing, memory_order_seq_cst) || cpu_pool_has_shares(pool)) &&
        atomic_compare_exchange_strong(&worker->state, &state, CPU_POOL_BUSY)) {
        atomic_fetch_sub_explicit(&pool->asleep, 1, memory_order_relaxed);
        return;
    }
    while ((state = atomic_load_explicit(&worker->state, memory_order_acquire)) != CPU_POOL_BUSY)
        cpu_futex_wait(&worker->state, state, 0);
}

void *cpu_pool_worker_main(void *user)
{
    cpu_pool_worker *worker = user;
    cpu_pool *pool = worker->pool;
    cpu_thread_begin(CPU_THREAD_NAME "worker");
    worker->patience = cpu_patience_of(pool->spin_ns);
    atomic_store_explicit(&worker->thread, (int)syscall(SYS_gettid), memory_order_relaxed);
    while (!atomic_load_explicit(&pool->closing, memory_order_relaxed)) {
        if (cpu_pool_work(worker))
            cpu_patience_renew(&worker->patience);
        if (!poll(worker))
            fall_asleep(worker);
    }
    cpu_scratch_clear(&worker->scratch);
    cpu_pool_release(pool);
    return NULL;
}
