/* SPDX-License-Identifier: Apache-2.0 */
/* The slab of stacks: small and dense, so that the fibers of a block share pages of the TLB's reach. */
#include "plugins/cpu/fiber/fiber_pool.h"

#include <sys/mman.h>

static const uint64_t canary = 0x5ca1ab1ec0ffee42u;

enum {
    NEAR = 32,   /* words looked at whenever a thread blocks */
    COLOUR = 192 /* bytes by which stacks are shifted, so that their tops do not share a few sets of the caches: with
                    1024 threads a switch takes 6 ns instead of 20 */
};

cpu_fiber_pool *cpu_fiber_pool_create(const cpu_settings *settings)
{
    /* Check mode lays a zone between stacks, so that an overflow is seen before it hurts a neighbour. */
    size_t stride = (settings->check ? 2 * settings->stack_size : settings->stack_size) + COLOUR;
    size_t size = stride * ACCEL_MAX_BLOCK_THREADS;
    void *pool_memory = mmap(NULL, sizeof(cpu_fiber_pool), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pool_memory == MAP_FAILED)
        return NULL;
    cpu_fiber_pool *pool = pool_memory;
    void *slab =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (slab == MAP_FAILED) {
        munmap(pool, sizeof(*pool));
        return NULL;
    }
    pool->slab = slab;
    pool->stack_size = settings->stack_size;
    pool->stride = stride;
    pool->check = settings->check;
    pool->tools = cpu_fiber_tools_present();
    return pool;
}

void cpu_fiber_pool_destroy(cpu_fiber_pool *pool)
{
    if (pool == NULL)
        return;
    if (pool->tools)
        for (uint32_t i = 0; i < pool->made; ++i)
            cpu_fiber_tools_destroy(&pool->fibers[i].marks);
    munmap(pool->slab, pool->stride * ACCEL_MAX_BLOCK_THREADS);
    munmap(pool, sizeof(*pool));
}

static uint64_t *zone_of(const cpu_fiber *fiber)
{
    return (uint64_t *)(void *)(fiber->stack - (fiber->pool->stride - fiber->pool->stack_size));
}

cpu_fiber *cpu_fiber_pool_add(cpu_fiber_pool *pool, void (*entry)(void *fiber))
{
    cpu_fiber *fiber = &pool->fibers[pool->made];
    fiber->pool = pool;
    fiber->stack = pool->slab + pool->stride * pool->made + (pool->stride - pool->stack_size);
    pool->made++;
    if (pool->check)
        for (uint64_t *word = zone_of(fiber); word != (uint64_t *)(void *)fiber->stack; ++word)
            *word = canary;
    if (pool->tools)
        cpu_fiber_tools_create(&fiber->marks, fiber->stack, pool->stack_size);
    cpu_fiber_prepare(&fiber->context, fiber->stack, pool->stack_size, entry, fiber);
    return fiber;
}

bool cpu_fiber_overflowed(const cpu_fiber *fiber, bool whole)
{
    const uint64_t *end = (const uint64_t *)(const void *)fiber->stack;
    const uint64_t *word = whole ? zone_of(fiber) : end - NEAR;
    for (; word != end; ++word)
        if (*word != canary)
            return true;
    return false;
}
