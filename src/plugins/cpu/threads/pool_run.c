/* SPDX-License-Identifier: Apache-2.0 */
/* Dividing launches and running their parts. */
#include "plugins/cpu/threads/pool.h"

#include <sched.h>

enum { PARTS = 4, SLOT_SHIFT = 60, NEXT_SHIFT = 30, PAUSES = 64 };
#define UNIT_MASK ((uint64_t)CPU_POOL_UNITS)
/* Parts of a launch that is handed out are not made shorter than this. */
#define UNIT_TICKS CPU_TICKS_OF_NS(500)
/* A launch that takes so long on one thread is worth waking more workers for. */
#define WAKES CPU_TICKS_OF_NS(1000)

static uint64_t pack(uint32_t slot, uint32_t next, uint32_t end)
{
    return (uint64_t)slot << SLOT_SHIFT | (uint64_t)next << NEXT_SHIFT | end;
}

static uint32_t next_of(uint64_t range)
{
    return (uint32_t)(range >> NEXT_SHIFT & UNIT_MASK);
}

static uint32_t end_of(uint64_t range)
{
    return (uint32_t)(range & UNIT_MASK);
}

bool cpu_pool_has_shares(cpu_pool *pool)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i)
        any |= atomic_load_explicit(&pool->unclaimed[i], memory_order_relaxed);
    return any != 0;
}

/* Units from `next` on. After a failure they only count. */
static void run_units(cpu_slot *slot, cpu_scratch *scratch, uint32_t next, uint32_t count)
{
    if (__builtin_expect(cpu_failure_status(&slot->failure) != ACCEL_OK, 0))
        return;
    size_t first = slot->first + next * slot->unit, left = slot->blocks - first;
    size_t blocks = count * slot->unit;
    accel_status status = cpu_blocks_run(&slot->launch, scratch, first, blocks < left ? blocks : left);
    if (__builtin_expect(status != ACCEL_OK, 0))
        cpu_failure_keep(&slot->failure, status);
}

static uint32_t part_of(uint32_t units)
{
    return (units + PARTS - 1) / PARTS;
}

/* From the front of a thread's own range. Large parts first, so that they are few; what is left can be stolen. Returns
 * how many units, 0: there are none. */
static uint32_t take(cpu_pool_range *range, uint32_t *next)
{
    uint64_t now = atomic_load_explicit(range, memory_order_relaxed);
    for (;;) {
        uint32_t first = next_of(now), end = end_of(now);
        if (first >= end)
            return 0;
        uint32_t count = part_of(end - first);
        if (atomic_compare_exchange_weak_explicit(range, &now, now + ((uint64_t)count << NEXT_SHIFT),
                                                  memory_order_acq_rel, memory_order_relaxed)) {
            *next = first;
            return count;
        }
    }
}

static uint32_t run_range(cpu_slot *slot, cpu_pool_range *range, cpu_scratch *scratch)
{
    uint32_t next, count, done = 0;
    while ((count = take(range, &next)) != 0) {
        run_units(slot, scratch, next, count);
        done += count;
    }
    return done;
}

/* A share that nobody has, number `wish` or the first after it; -1: none is left. */
static int claim(cpu_pool *pool, uint32_t slot, uint32_t wish)
{
    _Atomic uint64_t *word = &pool->unclaimed[slot];
    uint64_t bits = atomic_load_explicit(word, memory_order_relaxed);
    while (bits != 0) {
        uint64_t after = bits >> (wish % CPU_POOL_SHARES) << (wish % CPU_POOL_SHARES);
        int share = __builtin_ctzll(after != 0 ? after : bits);
        if (atomic_compare_exchange_weak_explicit(word, &bits, bits & ~((uint64_t)1 << share), memory_order_acq_rel,
                                                  memory_order_relaxed))
            return share;
    }
    return -1;
}

static uint64_t share_range(const cpu_slot *slot, uint32_t number, uint32_t share)
{
    uint64_t units = slot->units;
    return pack(number, (uint32_t)(units * share / slot->shares), (uint32_t)(units * (share + 1) / slot->shares));
}

/* Half of what a range has left, if it is more than one unit, and of slot `only` unless that is -1. */
static bool steal(cpu_pool_range *victim, int only, uint64_t *loot)
{
    uint64_t now = atomic_load_explicit(victim, memory_order_relaxed);
    for (;;) {
        uint32_t next = next_of(now), end = end_of(now), slot = (uint32_t)(now >> SLOT_SHIFT);
        if (end < next + 2 || (only >= 0 && slot != (uint32_t)only))
            return false;
        uint32_t middle = end - (end - next) / 2;
        if (!atomic_compare_exchange_weak_explicit(victim, &now, pack(slot, next, middle), memory_order_acq_rel,
                                                   memory_order_relaxed))
            continue;
        *loot = pack(slot, middle, end);
        return true;
    }
}

/* From neighbours first, whose caches are near. */
static bool steal_any(cpu_pool *pool, uint32_t thief, int only, uint64_t *loot)
{
    uint32_t workers = pool->units - 1;
    for (uint32_t i = 0; i < workers; ++i)
        if (steal(&pool->workers[(thief + i) % workers].range, only, loot))
            return true;
    if (only >= 0)
        return false; /* the thief is the slot's own caller */
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i)
        if (steal(&pool->slots[i].range, only, loot))
            return true;
    return false;
}

/* A worker's part of a launch. */
static void help(cpu_pool_worker *worker, uint64_t range)
{
    cpu_slot *slot = &worker->pool->slots[range >> SLOT_SHIFT];
    atomic_store_explicit(&worker->range, range, memory_order_release);
    uint32_t done = run_range(slot, &worker->range, &worker->scratch);
    /* After this the launch may be gone; the slot stays. */
    atomic_fetch_add_explicit(&slot->done, done, memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&slot->waits, memory_order_seq_cst) != 0, 0))
        cpu_futex_wake(&slot->done, 1);
}

/* What the caller has written, while the claim is under way. */
static void prefetch(const cpu_slot *slot)
{
    for (size_t at = 0; at < offsetof(cpu_slot, range); at += CPU_POOL_LINE)
        __builtin_prefetch((const unsigned char *)slot + at);
}

bool cpu_pool_claim(cpu_pool_worker *worker, uint64_t *range)
{
    cpu_pool *pool = worker->pool;
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i) {
        uint32_t number = (worker->index + i) % CPU_POOL_SLOTS; /* several launches share the workers */
        if (atomic_load_explicit(&pool->unclaimed[number], memory_order_relaxed) == 0)
            continue;
        prefetch(&pool->slots[number]);
        int share = claim(pool, number, worker->index);
        if (share < 0)
            continue;
        cpu_slot *slot = &pool->slots[number];
        *range = share_range(slot, number, (uint32_t)share);
        if (slot->wakes && atomic_load_explicit(&pool->asleep, memory_order_relaxed) != 0 &&
            atomic_load_explicit(&pool->unclaimed[number], memory_order_relaxed) != 0)
            cpu_pool_wake(pool, 2, slot->cpu);
        return true;
    }
    return false;
}

bool cpu_pool_work(cpu_pool_worker *worker)
{
    bool worked = false;
    uint64_t range;
    while (cpu_pool_claim(worker, &range) || steal_any(worker->pool, worker->index, -1, &range)) {
        help(worker, range);
        worked = true;
    }
    return worked;
}

/* --- the caller's side --- */

static bool own_slot(cpu_pool *pool, const cpu_scratch *scratch, uint32_t *number)
{
    uint32_t hint = (uint32_t)((uintptr_t)scratch >> 8);
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i) {
        *number = (hint + i) % CPU_POOL_SLOTS;
        if (cpu_lock_try(&pool->slots[*number].owned))
            return true;
    }
    return false;
}

/* Blocks of a unit: as many as are worth an atomic operation, but every thread has several units to be stolen from. */
static size_t unit_of(const cpu_cost *cost, size_t blocks, uint32_t threads)
{
    size_t unit = 1, most = blocks / ((size_t)threads * PARTS);
    if (cost->ticks != UINT64_MAX) {
        uint64_t each = cost->ticks / blocks;
        unit = each != 0 ? (size_t)(UNIT_TICKS / each) : most;
    }
    unit = unit < most ? unit : most;
    size_t least = blocks / CPU_POOL_UNITS + 1;
    return unit > least ? unit : least;
}

/* Until the helpers have done their units. Once it has slept it polls no more, unless it got something to do. */
static void wait(cpu_pool *pool, cpu_slot *slot, uint32_t number, cpu_scratch *scratch, uint32_t done)
{
    cpu_patience patience = cpu_patience_of(pool->spin_ns);
    bool polls = true;
    uint64_t loot;
    for (uint32_t turn = 1, seen;
         (seen = atomic_load_explicit(&slot->done, memory_order_acquire)) + done != slot->units; ++turn) {
        if (turn % PAUSES != 0) {
            cpu_relax();
        } else if (steal_any(pool, 0, (int)number, &loot)) {
            atomic_store_explicit(&slot->range, loot, memory_order_release);
            done += run_range(slot, &slot->range, scratch);
            cpu_patience_renew(&patience);
            polls = true;
        } else if (!polls || !(polls = cpu_patience_lasts(&patience, cpu_clock_ns()))) {
            atomic_store_explicit(&slot->waits, 1, memory_order_seq_cst);
            if (atomic_load_explicit(&slot->done, memory_order_seq_cst) == seen)
                cpu_futex_wait(&slot->done, seen, 0);
            atomic_store_explicit(&slot->waits, 0, memory_order_relaxed);
        }
    }
}

/* The blocks from `first` on, with whoever is free. The caller owns the slot. */
static accel_status share_out(cpu_pool *pool, cpu_slot *slot, uint32_t number, const cpu_launch *launch,
                              cpu_scratch *scratch, cpu_cost *cost, size_t first)
{
    size_t blocks = launch->blocks - first;
    uint32_t threads = atomic_load_explicit(&pool->helpers, memory_order_acquire) + 1;
    slot->unit = unit_of(cost, blocks, threads);
    slot->launch = *launch;
    slot->first = first;
    slot->blocks = launch->blocks;
    slot->units = (uint32_t)((blocks + slot->unit - 1) / slot->unit);
    slot->shares = threads < CPU_POOL_SHARES ? threads : CPU_POOL_SHARES;
    if (slot->shares > slot->units)
        slot->shares = slot->units;
    slot->wakes = cost->ticks >= WAKES;
    bool wakes = atomic_load_explicit(&pool->asleep, memory_order_relaxed) + 1 >= threads; /* nobody else would */
    slot->cpu = wakes ? sched_getcpu() : -1;
    atomic_store_explicit(&slot->done, 0, memory_order_relaxed);
    uint64_t range = share_range(slot, number, 0);
    uint32_t done = part_of(end_of(range)); /* the caller's first part; thieves see the rest */
    atomic_store_explicit(&slot->range, pack(number, done, end_of(range)), memory_order_release);
    uint64_t shares = slot->shares == CPU_POOL_SHARES ? UINT64_MAX : ((uint64_t)1 << slot->shares) - 1;
    atomic_store_explicit(&pool->unclaimed[number], shares & ~(uint64_t)1, memory_order_release);
    if (wakes)
        cpu_pool_wake(pool, 1, slot->cpu);

    /* The first part tells what all of it costs on one thread. */
    uint64_t begin = cpu_ticks();
    run_units(slot, scratch, 0, done);
    uint64_t ticks = (cpu_ticks() - begin) * slot->units / done;
    int share = 0;
    while (share >= 0) {
        done += run_range(slot, &slot->range, scratch);
        share = claim(pool, number, 0);
        if (share > 0)
            atomic_store_explicit(&slot->range, share_range(slot, number, (uint32_t)share), memory_order_release);
    }
    if (done != slot->units)
        wait(pool, slot, number, scratch, done);
    cpu_cost_note(cost, CPU_SHARED, ticks, first == 0 ? cpu_ticks() - begin : 0);
    return cpu_failure_report(&slot->failure);
}

static accel_status run_shared(cpu_pool *pool, const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost,
                               size_t first)
{
    uint32_t number;
    if (!own_slot(pool, scratch, &number))
        return cpu_blocks_run(launch, scratch, first, launch->blocks - first);
    cpu_slot *slot = &pool->slots[number];
    accel_status status = share_out(pool, slot, number, launch, scratch, cost, first);
    cpu_lock_release(&slot->owned);
    return status;
}

/* All of it by the caller, as it is expected to take no longer than `limit`. If it does, the rest is shared out. */
static accel_status run_alone(cpu_pool *pool, const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost,
                              uint64_t limit)
{
    size_t done;
    accel_status status = cpu_launch_run_alone(launch, scratch, cost, limit, &done);
    return done == launch->blocks ? status : run_shared(pool, launch, scratch, cost, done);
}

accel_status cpu_pool_run(cpu_pool *pool, const cpu_launch *launch, cpu_scratch *scratch)
{
    if (launch->blocks == 1 || pool->units == 1)
        return cpu_blocks_run(launch, scratch, 0, launch->blocks);
    cpu_cost *cost = cpu_launch_cost(launch, scratch);
    if (cpu_cost_is_alone(cost))
        return run_alone(pool, launch, scratch, cost, CPU_COST_PATIENT);
    uint32_t helpers = atomic_load_explicit(&pool->helpers, memory_order_acquire);
    if (__builtin_expect(helpers == 0, 0)) {
        cpu_pool_start(pool);
        helpers = atomic_load_explicit(&pool->helpers, memory_order_acquire);
    }
    if (atomic_load_explicit(&pool->asleep, memory_order_relaxed) == helpers &&
        !cpu_pool_is_worth_waking(pool, cost->ticks, cpu_ticks()))
        return run_alone(pool, launch, scratch, cost, 2 * cost->ticks);
    return run_shared(pool, launch, scratch, cost, 0);
}
