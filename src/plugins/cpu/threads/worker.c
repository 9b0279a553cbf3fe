/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker without work polls for a while before it sleeps, because waking it costs its waker a system call, and it arrives
 * tens of microseconds later. The policy says which launches wake a worker. That one wakes two others, and so on.
 *
 * A caller stores shares and then looks at `asleep` without a fence, so that a worker that falls asleep may miss them. Then
 * the launch has one worker less, and no harm is done.
 */
#include "plugins/cpu/threads/worker.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/machine/thread.h"

#include <string.h>

enum { PAUSES = 8, /* between two looks at the clock, with a look at the shares at each */ WAKES = 2 };

/* --- waking --- */

/* The worker's mask is changed only when the launching thread has moved. */
static void keep_off(cpu_pool_worker *worker, const uint8_t allowed[CPU_MASK_BYTES], int cpu)
{
    int thread = atomic_load_explicit(&worker->thread, memory_order_relaxed);
    if (worker->avoids != cpu && cpu_thread_keep_off(thread, allowed, cpu))
        worker->avoids = cpu;
}

void cpu_pool_wake(cpu_pool *pool, uint32_t count, int caller_cpu)
{
    for (uint32_t i = 0; i + 1 < pool->threads && count != 0; ++i) {
        cpu_pool_worker *worker = &pool->workers[i];
        uint32_t state = CPU_POOL_ASLEEP;
        if (atomic_load_explicit(&worker->state, memory_order_seq_cst) != CPU_POOL_ASLEEP ||
            !atomic_compare_exchange_strong(&worker->state, &state, CPU_POOL_WAKING))
            continue;
        atomic_fetch_sub_explicit(&pool->counts.asleep, 1, memory_order_relaxed);
        keep_off(worker, pool->masks[i], caller_cpu);
        atomic_store_explicit(&worker->state, CPU_POOL_BUSY, memory_order_release);
        cpu_futex_wake(&worker->state, 1);
        count--;
    }
}

/* --- working --- */

/* Fetches what the caller has written, while the claim is under way. */
static void prefetch(const cpu_slot *slot)
{
    for (size_t at = 0; at < offsetof(cpu_slot, range); at += CPU_POOL_LINE)
        __builtin_prefetch((const unsigned char *)slot + at);
}

bool cpu_pool_worker_claim(cpu_pool_worker *worker, uint64_t *range)
{
    cpu_pool *pool = worker->pool;
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i) {
        uint32_t number = (worker->index + i) % CPU_POOL_SLOTS; /* several launches share the workers */
        if (atomic_load_explicit(&pool->unclaimed[number], memory_order_relaxed) == 0)
            continue;
        prefetch(&pool->slots[number]);
        int share = cpu_pool_claim(pool, number, worker->index);
        if (share < 0)
            continue;
        cpu_slot *slot = &pool->slots[number];
        *range = cpu_pool_share(slot, number, (uint32_t)share);
        if (atomic_load_explicit(&pool->counts.asleep, memory_order_relaxed) != 0 &&
            atomic_load_explicit(&pool->unclaimed[number], memory_order_relaxed) != 0)
            cpu_pool_wake(pool, WAKES, slot->cpu);
        return true;
    }
    return false;
}

/* Works on a part of a launch. */
static void help(cpu_pool_worker *worker, uint64_t range)
{
    cpu_slot *slot = &worker->pool->slots[cpu_range_slot(range)];
    atomic_store_explicit(&worker->range, range, memory_order_release);
    uint32_t done = cpu_slot_run_range(slot, &worker->range, &worker->scratch);
    /* After this the launch may be gone; the slot stays. */
    atomic_fetch_add_explicit(&slot->done, done, memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&slot->waits, memory_order_seq_cst) != 0, 0))
        cpu_futex_wake(&slot->done, 1);
}

bool cpu_pool_work(cpu_pool_worker *worker)
{
    bool worked = false;
    uint64_t range;
    while (cpu_pool_worker_claim(worker, &range) || cpu_pool_steal(worker->pool, worker->index, -1, &range)) {
        help(worker, range);
        worked = true;
    }
    return worked;
}

/* --- its life --- */

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
    while (!found && cpu_spin_continues(&worker->spin, cpu_clock_ns()))
        found = look(worker->pool);
    atomic_store_explicit(&worker->state, CPU_POOL_BUSY, memory_order_relaxed);
    if (found)
        cpu_spin_restart(&worker->spin);
    return found;
}

static void fall_asleep(cpu_pool_worker *worker)
{
    cpu_pool *pool = worker->pool;
    atomic_fetch_add_explicit(&pool->counts.asleep, 1, memory_order_relaxed);
    atomic_store_explicit(&worker->state, CPU_POOL_ASLEEP, memory_order_seq_cst);
    uint32_t state = CPU_POOL_ASLEEP;
    if ((atomic_load_explicit(&pool->closing, memory_order_seq_cst) || cpu_pool_has_shares(pool)) &&
        atomic_compare_exchange_strong(&worker->state, &state, CPU_POOL_BUSY)) {
        atomic_fetch_sub_explicit(&pool->counts.asleep, 1, memory_order_relaxed);
        return;
    }
    while ((state = atomic_load_explicit(&worker->state, memory_order_acquire)) != CPU_POOL_BUSY)
        cpu_futex_wait(&worker->state, state, 0);
}

static void *worker_main(void *user)
{
    cpu_pool_worker *worker = user;
    cpu_pool *pool = worker->pool;
    cpu_thread_begin(CPU_THREAD_NAME "worker");
    worker->spin = cpu_spin_of(pool->spin_ns);
    atomic_store_explicit(&worker->thread, cpu_thread_number(), memory_order_relaxed);
    while (!atomic_load_explicit(&pool->closing, memory_order_relaxed)) {
        if (cpu_pool_work(worker))
            cpu_spin_restart(&worker->spin);
        if (!poll(worker))
            fall_asleep(worker);
    }
    cpu_scratch_clear(&worker->scratch);
    cpu_pool_release(pool);
    return NULL;
}

void cpu_pool_start(cpu_pool *pool)
{
    if (!cpu_lock_try(&pool->starting))
        return;
    uint32_t started = 0;
    int error = 0;
    cpu_placement_masks(&pool->place, pool->masks);
    while (started + 1 < pool->threads && error == 0) {
        atomic_fetch_add_explicit(&pool->references, 1, memory_order_relaxed);
        error = cpu_thread_start(worker_main, &pool->workers[started], pool->masks[started]);
        if (error != 0)
            cpu_pool_release(pool); /* not the last one */
        else
            started++;
    }
    if (error != 0)
        cpu_host()->log(ACCEL_LOG_WARNING, "%s: only %u of %u worker threads could be started: %s", pool->executor.name,
                        started, pool->threads - 1, strerror(error));
    atomic_store_explicit(&pool->counts.running, started, memory_order_release);
}

void cpu_pool_close(cpu_pool *pool)
{
    atomic_store_explicit(&pool->closing, true, memory_order_seq_cst);
    cpu_pool_wake(pool, pool->threads, -1);
    cpu_pool_release(pool);
}
