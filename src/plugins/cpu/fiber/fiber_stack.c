/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slab of stacks. Below each stack is a guard, a page or more, and in check mode a zone between the two:
 *
 *     (less than a page) | guard | (zone) | stack        (less than a page) | guard | (zone) | stack       ...
 */
#include "plugins/cpu/fiber/fiber_pool.h"
#include "plugins/cpu/fault/registers.h"

#include <sys/mman.h>
#include <unistd.h>

static const uint64_t canary = 0x5ca1ab1ec0ffee42u;

enum {
    NEAR = 32,      /* words looked at whenever a thread blocks */
    COLOUR = 192,   /* bytes by which stacks are shifted, so that their tops do not share a few sets of the caches: with
                     1024 threads a switch takes 6 ns instead of 20. The distance of two stacks is always the same: with
                     shifts that begin again after a page a switch takes a tenth longer */
    MAPPINGS = 8192 /* guards of the process that cost the system two mappings each: it has 65530 */
};

/* Stacks of pools with larger guards: each is a mapping of its own, and so is what lies below. */
static _Atomic uint32_t separate;

#ifndef MADV_GUARD_INSTALL /* Linux 6.13 */
#define MADV_GUARD_INSTALL 102
#endif

/* Without a guard a stack works as well. */
static void install_guard(void *at, size_t size)
{
    static _Atomic bool is_old;
    static _Atomic uint32_t mappings;
    if (!is_old && madvise(at, size, MADV_GUARD_INSTALL) == 0)
        return;
    is_old = true;
    if (mappings < MAPPINGS && mprotect(at, size, PROT_NONE) == 0)
        mappings++;
}

/* Behind the last byte of the stack. */
static unsigned char *top_of(const cpu_fiber *fiber)
{
    return fiber->stack + fiber->pool->stack_size;
}

static uintptr_t guard_of(const cpu_fiber_pool *pool, size_t number)
{
    uintptr_t begin = (uintptr_t)pool->slab + pool->stride * number;
    return (begin + pool->page - 1) / pool->page * pool->page;
}

bool cpu_fiber_pool_guards(const cpu_fiber_pool *pool, uintptr_t address)
{
    const size_t number = (address - (uintptr_t)pool->slab) / pool->stride;
    const uintptr_t guard = guard_of(pool, number);
    return number >= pool->made || (address >= guard && address < guard + pool->guard_size);
}

cpu_fiber *cpu_fiber_pool_at(cpu_fiber_pool *pool, uintptr_t stack)
{
    if (pool == NULL || stack < (uintptr_t)pool->slab)
        return NULL;
    size_t number = (stack - (uintptr_t)pool->slab) / pool->stride;
    return number < pool->made ? &pool->fibers[number] : NULL;
}

void cpu_fiber_pool_leave(cpu_fiber *fiber, ucontext_t *registers)
{
    cpu_registers_call(registers, cpu_fiber_abandon, fiber, top_of(fiber));
}

/* The frame that overflows may have begun below the guard, but by less than its size: of a page, compilers touch larger
 * frames page by page (-fstack-clash-protection). */
static bool touched(void *owner, uintptr_t address, ucontext_t *registers)
{
#if CPU_REGISTERS_KNOWN
    cpu_fiber_pool *pool = owner;
    size_t number = (address - (uintptr_t)pool->slab) / pool->stride;
    uintptr_t guard = guard_of(pool, number), stack = cpu_registers_stack(registers);
    if (number >= pool->made || address < guard || address >= guard + pool->guard_size)
        return false;
    cpu_fiber *fiber = &pool->fibers[number];
    if (stack + pool->guard_size < guard || stack >= (uintptr_t)top_of(fiber))
        return false;
    pool->overflow = fiber;
    pool->overflow_stack = stack;
    pool->overflow_instruction = cpu_registers_instruction(registers);
    cpu_fiber_pool_leave(fiber, registers);
    return true;
#else
    (void)owner, (void)address, (void)registers;
    return false;
#endif
}

/* Of a larger guard nothing may be touched but the stacks that are in use. MAP_FAILED if there is no room. */
static void *map_slab(const cpu_settings *settings, size_t page, size_t guard_size, size_t *stride)
{
    const int access = guard_size != page ? PROT_NONE : PROT_READ | PROT_WRITE;
    *stride = (settings->check ? 2 * settings->stack_size : settings->stack_size) + guard_size + page + COLOUR;
    return mmap(NULL, *stride * ACCEL_MAX_BLOCK_THREADS, access,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
}

cpu_fiber_pool *cpu_fiber_pool_create(const cpu_settings *settings)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), stride;
    size_t guard_size =
        settings->guard_size > page && separate + ACCEL_MAX_BLOCK_THREADS <= MAPPINGS ? settings->guard_size : page;
    void *pool_memory = mmap(NULL, sizeof(cpu_fiber_pool), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pool_memory == MAP_FAILED)
        return NULL;
    cpu_fiber_pool *pool = pool_memory;
    void *slab = map_slab(settings, page, guard_size, &stride);
    if (slab == MAP_FAILED && guard_size != page) { /* address space is limited */
        guard_size = page;
        slab = map_slab(settings, page, guard_size, &stride);
    }
    if (slab == MAP_FAILED) {
        munmap(pool, sizeof(*pool));
        return NULL;
    }
    pool->slab = slab;
    pool->stack_size = settings->stack_size;
    pool->stride = stride;
    separate += guard_size != page ? ACCEL_MAX_BLOCK_THREADS : 0;
    pool->guard_size = guard_size;
    pool->page = page;
    pool->check = settings->check;
    pool->tools = cpu_fiber_tools_present();
    pool->zone = cpu_zone_add(slab, stride * ACCEL_MAX_BLOCK_THREADS, touched, pool);
    return pool;
}

void cpu_fiber_pool_destroy(cpu_fiber_pool *pool)
{
    if (pool == NULL)
        return;
    cpu_zone_remove(pool->zone);
    if (pool->tools)
        for (uint32_t i = 0; i < pool->made; ++i)
            cpu_fiber_tools_destroy(&pool->fibers[i].marks);
    separate -= pool->guard_size != pool->page ? ACCEL_MAX_BLOCK_THREADS : 0;
    munmap(pool->slab, pool->stride * ACCEL_MAX_BLOCK_THREADS);
    munmap(pool, sizeof(*pool));
}

/* As large as a stack. */
static uint64_t *zone_of(const cpu_fiber *fiber)
{
    return (uint64_t *)(void *)(fiber->stack - fiber->pool->stack_size);
}

/* What lies between the guard and the next one. */
static void prepare_stack(const cpu_fiber_pool *pool, size_t number)
{
    const uintptr_t guard = guard_of(pool, number), begin = guard + pool->guard_size,
                    end = number + 1 < ACCEL_MAX_BLOCK_THREADS ? guard_of(pool, number + 1)
                                                               : (uintptr_t)pool->slab + pool->stride * (number + 1);
    if (pool->guard_size == pool->page)
        install_guard((void *)guard, pool->page);
    else
        (void)mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE);
}

cpu_fiber *cpu_fiber_pool_add(cpu_fiber_pool *pool, void (*entry)(void *fiber))
{
    cpu_fiber *fiber = &pool->fibers[pool->made];
    fiber->pool = pool;
    fiber->stack = pool->slab + pool->stride * (pool->made + 1) - pool->stack_size;
    prepare_stack(pool, pool->made);
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
