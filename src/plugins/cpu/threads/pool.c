/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/threads/pool.h"
#include "plugins/cpu/engine/engine.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* --- its life --- */

static void free_pool(cpu_pool *pool)
{
    for (uint32_t i = 0; pool->workers != NULL && i < pool->room; ++i)
        cpu_scratch_clear(&pool->workers[i].scratch);
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i)
        plugin_failure_end(&pool->slots[i].failure);
    free(pool->workers);
    free(pool->masks);
    free(pool->groups);
    free(pool->group_of);
    free(pool);
}

void cpu_pool_release(cpu_pool *pool)
{
    if (atomic_fetch_sub_explicit(&pool->references, 1, memory_order_acq_rel) == 1)
        free_pool(pool);
}

static void *allocate(size_t size)
{
    size = (size + CPU_POOL_LINE - 1) / CPU_POOL_LINE * CPU_POOL_LINE;
    void *memory = aligned_alloc(CPU_POOL_LINE, size != 0 ? size : CPU_POOL_LINE);
    if (memory != NULL)
        memset(memory, 0, size);
    return memory;
}

/* Where the workers run, and how they wait: with more threads than CPUs, one that polls keeps away another. */
static void take_place(cpu_pool *pool, const cpu_placement *place, const cpu_settings *settings)
{
    uint32_t cpus = cpu_mask_count(place->mask);
    pool->place = *place;
    pool->awake = place->units <= cpus ? place->units : cpus > 2 ? cpus - 1 : 1;
    pool->spin_ns = pool->counts.spin_ns = settings->spin_ns;
    pool->counts.may_wait = settings->spin_ns != 0 && place->units <= cpus;
}

accel_status cpu_pool_create(const cpu_executor *like, const cpu_placement *place, const cpu_settings *settings,
                             cpu_pool **made)
{
    cpu_pool *pool = allocate(sizeof(*pool));
    if (pool == NULL)
        goto no_memory;
    pool->threads = place->units;
    pool->room = place->units - 1;
    pool->references = 1;
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i)
        plugin_failure_begin(&pool->slots[i].failure);
    pool->workers = allocate(pool->room * sizeof(*pool->workers));
    pool->masks = calloc(place->units, sizeof(*pool->masks));
    pool->groups = allocate((place->units < CPU_GROUPS ? place->units : CPU_GROUPS) * sizeof(*pool->groups));
    if (pool->workers == NULL || pool->masks == NULL || pool->groups == NULL) {
        free_pool(pool);
        goto no_memory;
    }
    pool->executor = *like;
    for (uint32_t i = 0; i < pool->room; ++i) {
        pool->workers[i].pool = pool;
        pool->workers[i].index = i + 1;
        pool->workers[i].idle.workers = &pool->counts;
        pool->workers[i].avoids = pool->workers[i].cpu = -1;
    }
    take_place(pool, place, settings);
    *made = pool;
    return ACCEL_OK;
no_memory:
    return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for %u workers", like->name, place->units - 1);
}

/* The work of the workers is lost. A scratch that was in use is left as it is, because its fibers may be anywhere. */
static void reset(cpu_pool *pool)
{
    for (uint32_t i = 0; i < pool->room; ++i) {
        cpu_pool_worker *worker = &pool->workers[i];
        if (worker->state == CPU_POOL_BUSY)
            worker->scratch = (cpu_scratch){0};
        worker->state = CPU_POOL_BUSY;
        worker->idle = (cpu_idle){.workers = &pool->counts};
        worker->range = 0;
        worker->thread = 0;
        worker->avoids = worker->cpu = -1;
    }
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i) {
        pool->slots[i] = (cpu_slot){0};
        plugin_failure_begin(&pool->slots[i].failure);
    }
    for (uint32_t i = 0; i < pool->group_count; ++i)
        pool->groups[i] = (cpu_group){0};
    pool->group_count = 0;
    pool->counts = (cpu_workers){.spin_ns = pool->counts.spin_ns, .may_wait = pool->counts.may_wait};
    pool->references = 1;
    pool->starting = (cpu_lock){0};
}

void cpu_pool_after_fork(cpu_pool *pool, const cpu_placement *place, const cpu_settings *settings)
{
    reset(pool);
    if (place == NULL)
        return;
    take_place(pool, place, settings);
    if (pool->place.units > pool->threads)
        pool->place.units = pool->threads;
    pool->threads = pool->place.units;
}

/* --- groups --- */

/* Without memory for it launches begin with the first group. */
static void take_cpus(cpu_pool *pool, const cpu_seat *seats, const uint32_t *firsts)
{
    if (pool->group_of == NULL)
        pool->group_of = calloc(CPU_MASK_BITS, sizeof(*pool->group_of));
    for (uint32_t i = 0; pool->group_of != NULL && i < pool->group_count; ++i)
        for (uint32_t thread = firsts[i]; thread < firsts[i + 1]; ++thread)
            if (seats[thread].cpu < CPU_MASK_BITS)
                pool->group_of[seats[thread].cpu] = (uint8_t)i;
}

void cpu_pool_part(cpu_pool *pool)
{
    uint32_t firsts[CPU_GROUPS + 1];
    cpu_seat *seats = calloc(pool->threads, sizeof(*seats));
    cpu_placement_masks(&pool->place, pool->masks, seats);
    pool->group_count = cpu_groups_part(seats, pool->threads, firsts);
    for (uint32_t i = 0; i < pool->group_count; ++i) {
        cpu_group *group = &pool->groups[i];
        group->first = i != 0 ? firsts[i] : 1; /* thread 0 is no worker */
        group->workers = firsts[i + 1] - group->first;
        for (uint32_t thread = group->first; thread < firsts[i + 1]; ++thread)
            pool->workers[thread - 1].group = i;
    }
    if (pool->group_count > 1 && seats != NULL)
        take_cpus(pool, seats, firsts);
    free(seats);
}

/* Of a launch that has no share for each thread. One that has gives each group the same share every time. */
static uint32_t home_of(const cpu_pool *pool, uint32_t running)
{
    int cpu = pool->group_of != NULL ? sched_getcpu() : -1;
    uint32_t home = cpu >= 0 && cpu < CPU_MASK_BITS ? pool->group_of[cpu] : 0;
    for (uint32_t i = 0; i < pool->group_count; ++i) {
        uint32_t at = (home + i) % pool->group_count;
        const cpu_group *group = &pool->groups[at];
        if (group->first <= running && atomic_load_explicit(&group->asleep, memory_order_relaxed) < group->workers)
            return at;
    }
    return home;
}

void cpu_pool_assign(cpu_pool *pool, cpu_slot *slot)
{
    uint32_t running = atomic_load_explicit(&pool->counts.running, memory_order_relaxed), share = 1, groups = 0;
    bool few = slot->shares > 1 && slot->shares <= running && pool->group_count > 1;
    CPU_SLOT_SET(slot->home, few ? home_of(pool, running) : 0);
    do {
        uint32_t at = cpu_slot_group(pool, slot, groups++);
        CPU_SLOT_SET(slot->before[at], (uint16_t)share);
        share += cpu_slot_shares_of(slot, &pool->groups[at], share);
    } while (share < slot->shares);
    CPU_SLOT_SET(slot->groups, groups);
}

/* --- shares and chunks --- */

bool cpu_pool_take_slot(cpu_pool *pool, const cpu_scratch *scratch, uint32_t *number)
{
    uint32_t hint = (uint32_t)((uintptr_t)scratch >> 8);
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i) {
        *number = (hint + i) % CPU_POOL_SLOTS;
        if (cpu_lock_try(&pool->slots[*number].owned))
            return true;
    }
    return false;
}

uint64_t cpu_pool_share(const cpu_slot *slot, uint32_t number, uint32_t group, uint32_t share)
{
    return cpu_range_pack(number * CPU_GROUPS + group, cpu_slot_chunk(slot, share), cpu_slot_chunk(slot, share + 1));
}

bool cpu_group_has_shares(cpu_group *group)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i)
        any |= atomic_load_explicit(&group->unclaimed[i], memory_order_relaxed);
    return any != 0;
}

int cpu_group_claim(cpu_group *group, uint32_t slot, uint32_t wish)
{
    _Atomic uint64_t *word = &group->unclaimed[slot];
    uint64_t bits = atomic_load_explicit(word, memory_order_relaxed);
    while (bits != 0) {
        uint64_t after = bits >> wish << wish;
        int share = __builtin_ctzll(after != 0 ? after : bits);
        if (atomic_compare_exchange_weak_explicit(word, &bits, bits & ~((uint64_t)1 << share), memory_order_acq_rel,
                                                  memory_order_relaxed))
            return share;
    }
    return -1;
}

/* Chunks that must be left in this range. A new launch may have the slot by now: then somewhat more or less is stolen. */
static uint32_t least_of(const cpu_pool *pool, cpu_range *range)
{
    uint64_t now = atomic_load_explicit(range, memory_order_relaxed);
    return atomic_load_explicit(&pool->slots[cpu_range_slot(now)].least, memory_order_relaxed);
}

bool cpu_pool_steal(cpu_pool *pool, uint32_t group, uint32_t first, int only, bool anything, uint64_t *stolen)
{
    const cpu_group *from = &pool->groups[group];
    for (uint32_t i = 0; i < from->workers; ++i) {
        cpu_range *range = &pool->workers[from->first - 1 + (first + i) % from->workers].range;
        if (cpu_range_steal(range, only, anything ? CPU_STEAL_LEAST : least_of(pool, range), stolen))
            return true;
    }
    return false;
}

bool cpu_pool_steal_from_callers(cpu_pool *pool, uint64_t *stolen)
{
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i)
        if (cpu_range_steal(&pool->slots[i].range, -1, least_of(pool, &pool->slots[i].range), stolen))
            return true;
    return false;
}

void cpu_slot_run_chunks(cpu_slot *slot, cpu_scratch *scratch, uint32_t next, uint32_t count)
{
    if (__builtin_expect(plugin_failure_status(&slot->failure) != ACCEL_OK, 0))
        return;
    size_t first = slot->first + next * slot->chunk, left = slot->blocks - first;
    size_t blocks = count * slot->chunk;
    accel_status status = cpu_blocks_run(&slot->launch, scratch, first, blocks < left ? blocks : left);
    if (__builtin_expect(status != ACCEL_OK, 0))
        plugin_failure_keep(&slot->failure, cpu_host(), status);
}

uint32_t cpu_slot_run_range(cpu_slot *slot, cpu_range *range, cpu_scratch *scratch)
{
    uint32_t next, count, done = 0;
    while ((count = cpu_range_take(range, slot->launch.grain, &next)) != 0) {
        cpu_slot_run_chunks(slot, scratch, next, count);
        done += count;
    }
    return done;
}
