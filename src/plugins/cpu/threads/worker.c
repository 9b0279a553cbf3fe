/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker without work polls for a while before it sleeps (idle.h), because waking it costs its waker a system call, and it
 * arrives tens of microseconds later. The policy says which launches wake a worker. That one wakes two others, and so on.
 *
 * A caller stores shares and then looks at `asleep` without a fence, so that a worker that falls asleep may miss them. Then
 * the launch has one worker less, and no harm is done.
 */
#include "plugins/cpu/threads/worker.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/machine/thread.h"

#include <sched.h>
#include <string.h>
#include <sys/resource.h>

enum {
    PAUSES = 8, /* between two looks at the clock, with a look at the shares at each */
    LOOKS = 8,  /* of PAUSES each, between two yields */
    WAKES = 2
};

/* --- waking --- */

/* One more worker of the group sleeps, or one less. */
static void count_in_group(cpu_pool_worker *worker, int more)
{
    cpu_pool *pool = worker->pool;
    if (pool->group_count > 1)
        atomic_fetch_add_explicit(&pool->groups[worker->group].asleep, (uint32_t)more, memory_order_relaxed);
}

static void count_asleep(cpu_pool_worker *worker, int more)
{
    atomic_fetch_add_explicit(&worker->pool->counts.asleep, (uint32_t)more, memory_order_relaxed);
    count_in_group(worker, more);
}

/* Takes a sleeper out of the count, if so few are awake that one more may be. */
static bool may_wake(cpu_pool *pool)
{
    uint32_t running = atomic_load_explicit(&pool->counts.running, memory_order_relaxed);
    uint32_t asleep = atomic_load_explicit(&pool->counts.asleep, memory_order_relaxed);
    do {
        if (asleep == 0 || (int32_t)(running - asleep) >= (int32_t)pool->awake)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&pool->counts.asleep, &asleep, asleep - 1, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

/* The worker's mask is changed only when the launching thread has moved. */
static void keep_off(cpu_pool_worker *worker, const uint8_t allowed[CPU_MASK_BYTES], int cpu)
{
    int thread = atomic_load_explicit(&worker->thread, memory_order_relaxed);
    if (atomic_load_explicit(&worker->avoids, memory_order_relaxed) != cpu && cpu_thread_keep_off(thread, allowed, cpu))
        atomic_store_explicit(&worker->avoids, cpu, memory_order_relaxed);
}

void cpu_pool_keep_off(cpu_pool *pool, int caller_cpu)
{
    for (uint32_t i = 0; i + 1 < pool->threads; ++i)
        if (atomic_load_explicit(&pool->workers[i].cpu, memory_order_relaxed) == caller_cpu)
            keep_off(&pool->workers[i], pool->masks[i], caller_cpu);
}

/* false: it does not sleep, or somebody else wakes it. */
static bool wake(cpu_pool_worker *worker, int caller_cpu)
{
    cpu_pool *pool = worker->pool;
    uint32_t state = CPU_POOL_ASLEEP;
    if (atomic_load_explicit(&worker->state, memory_order_seq_cst) != CPU_POOL_ASLEEP ||
        !atomic_compare_exchange_strong(&worker->state, &state, CPU_POOL_WAKING))
        return false;
    atomic_fetch_add_explicit(&pool->counts.arriving, 1, memory_order_relaxed);
    count_in_group(worker, -1);
    keep_off(worker, pool->masks[worker->index - 1], caller_cpu);
    atomic_store_explicit(&worker->state, CPU_POOL_BUSY, memory_order_release);
    cpu_futex_wake(&worker->state, 1);
    return true;
}

static bool wake_one(cpu_pool *pool, uint32_t group, int caller_cpu)
{
    for (uint32_t i = 0; i < pool->group_count; ++i) {
        cpu_group *at = &pool->groups[(group + i) % pool->group_count];
        if (pool->group_count > 1 && atomic_load_explicit(&at->asleep, memory_order_relaxed) == 0)
            continue;
        for (uint32_t j = 0; j < at->workers; ++j)
            if (wake(&pool->workers[at->first - 1 + j], caller_cpu))
                return true;
    }
    return false;
}

void cpu_pool_wake(cpu_pool *pool, uint32_t group, uint32_t count, int caller_cpu)
{
    for (; count != 0 && may_wake(pool); --count) {
        if (wake_one(pool, group, caller_cpu))
            continue;
        atomic_fetch_add_explicit(&pool->counts.asleep, 1, memory_order_relaxed);
        return;
    }
}

/* --- working --- */

/* Fetches what the caller has written, while the claim is under way. */
static void prefetch(const cpu_slot *slot)
{
    for (size_t at = offsetof(cpu_slot, launch); at < offsetof(cpu_slot, range); at += CPU_POOL_LINE)
        __builtin_prefetch((const unsigned char *)slot + at);
}

bool cpu_pool_worker_claim(cpu_pool_worker *worker, uint32_t number, uint64_t *range)
{
    cpu_pool *pool = worker->pool;
    cpu_group *group = &pool->groups[number];
    uint32_t wish = number == worker->group ? worker->index - group->first : 0;
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i) {
        uint32_t slot_number = (worker->index + i) % CPU_POOL_SLOTS; /* several launches share the workers */
        if (atomic_load_explicit(&group->unclaimed[slot_number], memory_order_relaxed) == 0)
            continue;
        cpu_slot *slot = &pool->slots[slot_number];
        prefetch(slot);
        int share = cpu_group_claim(group, slot_number, wish);
        if (share < 0)
            continue;
        *range = cpu_pool_share(slot, slot_number, number, slot->before[number] + (uint32_t)share);
        if (atomic_load_explicit(&pool->counts.asleep, memory_order_relaxed) != 0 &&
            atomic_load_explicit(&group->unclaimed[slot_number], memory_order_relaxed) != 0)
            cpu_pool_wake(pool, number, WAKES, slot->cpu);
        return true;
    }
    return false;
}

/* Gets a share or a part of one, of the worker's own group. */
static bool find(cpu_pool_worker *worker, uint64_t *range)
{
    cpu_pool *pool = worker->pool;
    uint32_t next = worker->index - pool->groups[worker->group].first + 1;
    return cpu_pool_worker_claim(worker, worker->group, range) ||
           cpu_pool_steal(pool, worker->group, next, -1, false, range) ||
           (pool->group_count == 1 && cpu_pool_steal_from_callers(pool, range));
}

/* Likewise, of the other groups and of callers. Gives up when there is something in its own group. */
static bool find_elsewhere(cpu_pool_worker *worker, uint64_t *range)
{
    cpu_pool *pool = worker->pool;
    for (uint32_t i = 1; i < pool->group_count; ++i) {
        uint32_t number = (worker->group + i) % pool->group_count;
        if (cpu_pool_worker_claim(worker, number, range) || cpu_pool_steal(pool, number, 0, -1, false, range))
            return true;
        if (cpu_group_has_shares(&pool->groups[worker->group]))
            return find(worker, range);
    }
    return cpu_pool_steal_from_callers(pool, range);
}

/* Works on a part of a launch. */
static void help(cpu_pool_worker *worker, uint64_t range)
{
    uint32_t number = cpu_range_slot(range);
    cpu_slot *slot = &worker->pool->slots[number];
    cpu_group_end *end = &worker->pool->groups[cpu_range_group(range)].ends[number];
    atomic_store_explicit(&worker->range, range, memory_order_release);
    uint32_t done = cpu_slot_run_range(slot, &worker->range, &worker->scratch);
    /* After this the launch may be gone; slot and group stay. */
    atomic_fetch_add_explicit(&end->done, done, memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&slot->waits, memory_order_seq_cst) != 0, 0))
        cpu_futex_wake(&end->done, 1);
}

bool cpu_pool_work(cpu_pool_worker *worker, bool everywhere)
{
    bool worked = false;
    uint64_t range;
    while (find(worker, &range) || (everywhere && find_elsewhere(worker, &range))) {
        help(worker, range);
        worked = true;
    }
    return worked;
}

/* --- its life --- */

static bool look(cpu_group *group)
{
    for (int i = 0; i < PAUSES; ++i) {
        if (cpu_group_has_shares(group))
            return true;
        cpu_relax();
    }
    return false;
}

/* In a long wait, other threads that want this CPU get it. */
static bool look_and_yield(cpu_group *group)
{
    for (int i = 0; i < LOOKS; ++i)
        if (look(group))
            return true;
    sched_yield();
    return false;
}

/* Makes an idle worker busy, unless somebody is about to wake it. */
static bool rise(cpu_pool_worker *worker)
{
    uint32_t state = CPU_POOL_ASLEEP;
    if (!atomic_compare_exchange_strong(&worker->state, &state, CPU_POOL_BUSY))
        return false;
    count_asleep(worker, -1);
    return true;
}

/* A worker that was started or woken is there. */
static void arrive(cpu_pool *pool)
{
    atomic_fetch_sub_explicit(&pool->counts.arriving, 1, memory_order_relaxed);
}

/* Sleeps until a launch wakes the worker, or for so long; 0: without end. Returns false if its time was over. */
static bool sleep_for(cpu_pool_worker *worker, uint64_t timeout_ns)
{
    cpu_pool *pool = worker->pool;
    uint32_t state;
    cpu_group *group = &pool->groups[worker->group];
    count_asleep(worker, 1);
    atomic_store_explicit(&worker->state, CPU_POOL_ASLEEP, memory_order_seq_cst);
    if ((atomic_load_explicit(&pool->closing, memory_order_seq_cst) || cpu_group_has_shares(group)) && rise(worker))
        return true;
    while ((state = atomic_load_explicit(&worker->state, memory_order_acquire)) != CPU_POOL_BUSY) {
        cpu_futex_wait(&worker->state, state, timeout_ns);
        if (timeout_ns != 0 && rise(worker)) /* too early now and then: the next step is another nap */
            return false;
    }
    arrive(pool);
    return true;
}

/* How often another thread has got the worker's CPU before the worker gave it away. */
static long switches(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

/* What the worker does next. `before`: what `switches` was when its long wait began, or -1. */
static cpu_idle_step next_step(cpu_idle *idle, uint64_t now, long *before)
{
    if (__builtin_expect(cpu_idle_jumped(idle, now), 0) && *before >= 0 && switches() != *before)
        cpu_idle_lost_cpu(idle, now);
    cpu_idle_step step = cpu_idle_next(idle, now);
    if (step == CPU_IDLE_YIELD && *before < 0)
        *before = switches();
    return step;
}

/* Is it time to look at all groups? A balanced launch has ended before, and none of its lines has moved for that. */
static bool is_to_roam(cpu_pool_worker *worker, uint64_t now)
{
    if (worker->pool->group_count == 1)
        return false;
    if (worker->roams == 0) {
        worker->roams_in = CPU_POLICY_ROAM_NS;
        worker->roams = now + worker->roams_in;
    }
    if (now < worker->roams)
        return false;
    worker->roams_in *= 2;
    worker->roams = now + worker->roams_in;
    return true;
}

/* Returns when there may be work, in the worker's own group, or (true) anywhere. */
static bool wait(cpu_pool_worker *worker)
{
    cpu_pool *pool = worker->pool;
    cpu_group *group = &pool->groups[worker->group];
    cpu_idle *idle = &worker->idle;
    long before = -1;
    for (;;) {
        uint64_t now = cpu_clock_ns();
        cpu_idle_step step = next_step(idle, now, &before);
        bool polls = step == CPU_IDLE_POLL || step == CPU_IDLE_YIELD;
        atomic_store_explicit(&worker->state, polls ? CPU_POOL_POLLING : CPU_POOL_BUSY, memory_order_relaxed);
        if (!polls && sleep_for(worker, step == CPU_IDLE_NAP ? idle->nap_end - now : 0)) {
            cpu_idle_woken(idle, cpu_clock_ns());
            return pool->group_count > 1;
        }
        if (polls && is_to_roam(worker, now)) {
            atomic_store_explicit(&worker->state, CPU_POOL_BUSY, memory_order_relaxed);
            return true;
        }
        if (polls && (step == CPU_IDLE_POLL ? look(group) : look_and_yield(group))) {
            atomic_store_explicit(&worker->state, CPU_POOL_BUSY, memory_order_relaxed);
            cpu_idle_found(idle);
            if (step == CPU_IDLE_YIELD)
                atomic_store_explicit(&worker->cpu, sched_getcpu(), memory_order_relaxed);
            return false;
        }
    }
}

static void *worker_main(void *user)
{
    cpu_pool_worker *worker = user;
    cpu_pool *pool = worker->pool;
    cpu_thread_begin(CPU_THREAD_NAME "worker");
    atomic_store_explicit(&worker->thread, cpu_thread_number(), memory_order_relaxed);
    cpu_idle_begin(&worker->idle, cpu_clock_ns());
    arrive(pool);
    for (bool everywhere = true; !atomic_load_explicit(&pool->closing, memory_order_relaxed);
         everywhere = wait(worker)) {
        if (!cpu_pool_work(worker, everywhere))
            continue;
        cpu_idle_begin(&worker->idle, cpu_clock_ns());
        worker->roams = 0;
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
    cpu_pool_part(pool);
    while (started + 1 < pool->threads && error == 0) {
        atomic_fetch_add_explicit(&pool->references, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&pool->counts.arriving, 1, memory_order_relaxed);
        error = cpu_thread_start(worker_main, &pool->workers[started], pool->masks[started]);
        if (error == 0) {
            started++;
            continue;
        }
        arrive(pool);
        cpu_pool_release(pool); /* not the last one */
    }
    if (error != 0)
        cpu_host()->log(ACCEL_LOG_WARNING, "%s: only %u of %u worker threads could be started: %s", pool->executor.name,
                        started, pool->threads - 1, strerror(error));
    atomic_store_explicit(&pool->counts.running, started, memory_order_release);
}

void cpu_pool_close(cpu_pool *pool)
{
    atomic_store_explicit(&pool->closing, true, memory_order_seq_cst);
    for (uint32_t i = 0; i + 1 < pool->threads; ++i)
        if (wake(&pool->workers[i], -1))
            atomic_fetch_sub_explicit(&pool->counts.asleep, 1, memory_order_relaxed);
    cpu_pool_release(pool);
}
