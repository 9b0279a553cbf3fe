/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/threads/pool.h"
#include "plugins/cpu/machine/thread.h"

#include <stdlib.h>
#include <string.h>

static void free_pool(cpu_pool *pool)
{
    for (uint32_t i = 0; pool->workers != NULL && i < pool->room; ++i)
        cpu_scratch_clear(&pool->workers[i].scratch);
    free(pool->workers);
    free(pool->masks);
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

accel_status cpu_pool_create(const cpu_executor *like, const cpu_placement *place, const cpu_settings *settings,
                             cpu_pool **made)
{
    cpu_pool *pool = allocate(sizeof(*pool));
    if (pool == NULL)
        goto no_memory;
    pool->units = place->units;
    pool->room = place->units - 1;
    pool->references = 1;
    pool->workers = allocate(pool->room * sizeof(*pool->workers));
    pool->masks = calloc(place->units, sizeof(*pool->masks));
    if (pool->workers == NULL || pool->masks == NULL) {
        free_pool(pool);
        goto no_memory;
    }
    pool->executor = *like;
    pool->spin_ns = settings->spin_ns;
    for (uint32_t i = 0; i < pool->room; ++i) {
        pool->workers[i].pool = pool;
        pool->workers[i].index = i + 1;
        pool->workers[i].avoids = -1;
    }
    cpu_placement_masks(place, pool->masks);
    *made = pool;
    return ACCEL_OK;
no_memory:
    return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for %u workers", like->name, place->units - 1);
}

void cpu_pool_destroy(cpu_pool *pool)
{
    atomic_store_explicit(&pool->closing, true, memory_order_seq_cst);
    cpu_pool_wake(pool, pool->units, -1);
    cpu_pool_release(pool);
}

void cpu_pool_start(cpu_pool *pool)
{
    if (!cpu_lock_try(&pool->starting))
        return;
    uint32_t started = 0;
    int error = 0;
    while (started + 1 < pool->units && error == 0) {
        atomic_fetch_add_explicit(&pool->references, 1, memory_order_relaxed);
        error = cpu_thread_start(cpu_pool_worker_main, &pool->workers[started], pool->masks[started]);
        if (error != 0)
            cpu_pool_release(pool); /* not the last one */
        else
            started++;
    }
    if (error != 0)
        cpu_host()->log(ACCEL_LOG_WARNING, "%s: only %u of %u worker threads could be started: %s", pool->executor.name,
                        started, pool->units - 1, strerror(error));
    atomic_store_explicit(&pool->helpers, started, memory_order_release);
}

/* What the workers were doing is lost; a scratch that was in use stays behind, because its fibers may be anywhere. */
static void reset(cpu_pool *pool)
{
    for (uint32_t i = 0; i < pool->room; ++i) {
        cpu_pool_worker *worker = &pool->workers[i];
        if (worker->state == CPU_POOL_BUSY)
            worker->scratch = (cpu_scratch){0};
        worker->state = CPU_POOL_BUSY;
        worker->range = 0;
        worker->thread = 0;
        worker->avoids = -1;
    }
    for (uint32_t i = 0; i < CPU_POOL_SLOTS; ++i) {
        pool->unclaimed[i] = 0;
        pool->slots[i] = (cpu_slot){0};
    }
    pool->asleep = 0;
    pool->helpers = 0;
    pool->references = 1;
    pool->starting = (cpu_lock){0};
}

void cpu_pool_after_fork(cpu_pool *pool, const cpu_placement *place, const cpu_settings *settings)
{
    reset(pool);
    if (place == NULL)
        return;
    cpu_placement own = *place;
    if (own.units > pool->units)
        own.units = pool->units;
    pool->units = own.units;
    pool->spin_ns = settings->spin_ns;
    cpu_placement_masks(&own, pool->masks);
}
