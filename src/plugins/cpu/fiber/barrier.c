/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of thread kernels. A fiber runs one thread after the other; only when a thread blocks at a barrier while
 * others have not started is another fiber begun. The last thread to arrive walks on without a switch.
 */
#include "plugins/cpu/dispatch/assertion.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/fault/signal_stack.h"
#include "plugins/cpu/fiber/fiber_pool.h"

enum { LINE = 64, FETCH = 5 * LINE };

static void append(cpu_fiber_list *list, cpu_fiber *fiber)
{
    fiber->next = NULL;
    if (list->first == NULL)
        list->first = fiber;
    else
        list->last->next = fiber;
    list->last = fiber;
}

/* What a fiber touches first when it is resumed has long left the nearest cache if there are many: begin to fetch it
 * while another runs. */
static void fetch(const cpu_fiber *fiber)
{
#if !defined(CPU_FIBER_UCONTEXT)
    const char *stack = fiber->context.stack;
    for (size_t at = 0; at < FETCH; at += LINE)
        __builtin_prefetch(stack + at, 1);
#endif
    if (fiber->next != NULL)
        __builtin_prefetch(fiber->next, 1);
}

static cpu_fiber *take(cpu_fiber_list *list)
{
    cpu_fiber *fiber = list->first;
    list->first = fiber->next;
    if (list->first != NULL)
        fetch(list->first);
    return fiber;
}

static void begin_block(cpu_fiber_pool *pool)
{
    const size_t *grid = pool->context->grid_extent;
    pool->block_index[0] = pool->block % grid[0];
    pool->block_index[1] = pool->block / grid[0] % grid[1];
    pool->block_index[2] = pool->block / grid[0] / grid[1];
    pool->started = pool->arrived = pool->votes = 0;
    pool->live = pool->threads;
    pool->thread_index[0] = pool->thread_index[1] = pool->thread_index[2] = 0;
}

/* The next thread of the block, on this fiber. */
static void run_thread(cpu_fiber_pool *pool, cpu_fiber *fiber)
{
    fiber->thread.launch = pool->context;
    for (int i = 0; i < 3; ++i) {
        fiber->thread.block_index[i] = pool->block_index[i];
        fiber->thread.thread_index[i] = pool->thread_index[i];
    }
    pool->started++;
    if (++pool->thread_index[0] == pool->context->block_extent[0]) {
        pool->thread_index[0] = 0;
        if (++pool->thread_index[1] == pool->context->block_extent[1]) {
            pool->thread_index[1] = 0;
            pool->thread_index[2]++;
        }
    }
    pool->launch->kernel->run_thread(&fiber->thread, pool->launch->args);
    pool->live--;
}

/* All live threads have arrived. */
static void open_barrier(cpu_fiber_pool *pool)
{
    uint32_t votes = pool->votes;
    switch (pool->mode) {
    case ACCEL_SYNC_COUNT:
        pool->result = votes;
        break;
    case ACCEL_SYNC_AND:
        pool->result = votes == pool->arrived;
        break;
    case ACCEL_SYNC_OR:
        pool->result = votes != 0;
        break;
    default:
        pool->result = 0;
        break;
    }
    pool->ready = pool->waiting;
    pool->waiting.first = NULL;
    pool->arrived = pool->votes = 0;
}

static cpu_fiber *idle_fiber(cpu_fiber_pool *);

/* Who runs in the place of a fiber that waits; `parks`: others may be parked. */
static inline cpu_fiber *successor(cpu_fiber_pool *pool, bool parks)
{
    if (pool->started < pool->threads)
        return idle_fiber(pool);
    if (parks && pool->ready.first == NULL)
        pool->stuck(pool);
    return take(&pool->ready);
}

/* Back to the thread that launched, for good: suspended fibers are never resumed. */
static void fault(cpu_fiber_pool *pool, cpu_fiber *fiber)
{
    pool->faulted = true;
    cpu_fiber_pool_swap(pool, fiber, &pool->own);
    __builtin_unreachable();
}

/* What was on its stack is no more, and neither are the red zones of a sanitizer. */
void cpu_fiber_abandon(void *user)
{
    cpu_fiber *fiber = user;
    if (fiber->pool->tools)
        cpu_fiber_tools_forget(&fiber->marks);
    fault(fiber->pool, fiber);
    __builtin_unreachable();
}

/* What every fiber does for ever. */
static void fiber_main(void *user)
{
    cpu_fiber *fiber = user;
    cpu_fiber_pool *pool = fiber->pool;
    if (pool->tools)
        cpu_fiber_tools_arrive(&fiber->marks);
    for (;;) {
        while (pool->started < pool->threads) {
            run_thread(pool, fiber);
            if (__builtin_expect(pool->check, 0) && cpu_fiber_overflowed(fiber, true))
                fault(pool, fiber);
        }
        cpu_fiber *next = &pool->own;
        if (pool->live == 0) {
            if (pool->blocks_left != 0) {
                pool->blocks_left--;
                pool->block++;
                begin_block(pool);
                continue;
            }
        } else {
            if (pool->arrived == pool->live)
                open_barrier(pool);
            next = successor(pool, true);
        }
        fiber->next = pool->idle;
        pool->idle = fiber;
        cpu_fiber_pool_swap(pool, fiber, next);
    }
}

static cpu_fiber *idle_fiber(cpu_fiber_pool *pool)
{
    cpu_fiber *fiber = pool->idle;
    if (__builtin_expect(fiber == NULL, 0))
        return cpu_fiber_pool_add(pool, fiber_main);
    pool->idle = fiber->next;
    return fiber;
}

/* A thread has come to the barrier. Returns the fiber that goes on: itself if it was the last. */
static inline cpu_fiber *arrive(cpu_fiber_pool *pool, cpu_fiber *fiber, uint32_t mode, uint32_t predicate, bool parks)
{
    if (__builtin_expect(pool->check, 0) && cpu_fiber_overflowed(fiber, false))
        fault(pool, fiber);
    pool->votes += predicate != 0;
    pool->mode = mode;
    if (++pool->arrived == pool->live) {
        open_barrier(pool);
        return fiber;
    }
    append(&pool->waiting, fiber);
    return successor(pool, parks);
}

void cpu_fiber_park(void *user)
{
    cpu_fiber *fiber = user;
    cpu_fiber_pool *pool = fiber->pool;
    if (pool->check && cpu_fiber_overflowed(fiber, false))
        fault(pool, fiber);
    cpu_fiber *next = successor(pool, true);
    if (next != fiber)
        cpu_fiber_pool_swap(pool, fiber, next);
}

void cpu_fiber_wake(void *user)
{
    cpu_fiber *fiber = user;
    append(&fiber->pool->ready, fiber);
}

/* The context that a kernel is given is the first member of its fiber. */
static cpu_fiber *fiber_of(const accel_thread_context *thread)
{
    return (cpu_fiber *)(uintptr_t)thread;
}

/* With an observer, with tools that must be told on both sides of a switch, and without assembly. */
static uint32_t sync_block(const accel_thread_context *thread, uint32_t mode, uint32_t predicate)
{
    cpu_fiber *fiber = fiber_of(thread);
    cpu_fiber_pool *pool = fiber->pool;
    cpu_fiber *next = arrive(pool, fiber, mode, predicate, true);
    if (next != fiber)
        cpu_fiber_pool_swap(pool, fiber, next);
    return pool->result;
}

#if defined(CPU_FIBER_UCONTEXT)
#define sync_block_fast sync_block
#else
cpu_fiber_next cpu_fiber_arrive(void *thread, uint32_t mode, uint32_t predicate, void *stack)
{
    cpu_fiber *fiber = fiber_of(thread);
    cpu_fiber_pool *pool = fiber->pool;
    fiber->context.stack = stack;
    cpu_fiber *next = arrive(pool, fiber, mode, predicate, false);
    return (cpu_fiber_next){next->context.stack, pool->result};
}

static uint32_t sync_block_fast(const accel_thread_context *thread, uint32_t mode, uint32_t predicate)
{
    return cpu_fiber_sync(thread, mode, predicate); /* a jump */
}
#endif

static void run_single(const cpu_launch *launch, const accel_launch_context *context, size_t first, size_t count)
{
    accel_thread_context thread = {.launch = context};
    const size_t *grid = context->grid_extent;
    for (size_t block = first; block < first + count; ++block) {
        thread.block_index[0] = block % grid[0];
        thread.block_index[1] = block / grid[0] % grid[1];
        thread.block_index[2] = block / grid[0] / grid[1];
        launch->kernel->run_thread(&thread, launch->args);
    }
}

static void fail(const accel_launch_context *context, const accel_thread_context *thread, const accel_assertion *failed)
{
    cpu_fiber *fiber = fiber_of(thread);
    cpu_assertion_keep(cpu_assertion_of(context), failed, fiber->pool->launch->settings);
    cpu_fiber_abandon(fiber);
}

accel_status cpu_fibers_run(const cpu_launch *launch, const accel_launch_context *context, cpu_scratch *scratch,
                            size_t first, size_t count)
{
    if (launch->threads == 1) {
        if (cpu_asserts(launch->kernel))
            return cpu_assertion_run(launch, context, run_single, first, count);
        run_single(launch, context, first, count);
        return ACCEL_OK;
    }
    cpu_signal_stack_need();
    if (scratch->fibers == NULL)
        scratch->fibers = cpu_fiber_pool_create(launch->settings);
    cpu_fiber_pool *pool = scratch->fibers;
    if (pool == NULL)
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY,
                                 "kernel \"%s\": no memory for %u stacks of %zu bytes; see ACCEL_CPU_STACK_SIZE",
                                 launch->kernel->name, ACCEL_MAX_BLOCK_THREADS, launch->settings->stack_size);
    cpu_assertion own = {.context = *context};
    own.context.sync = pool->tools || launch->settings->observed ? sync_block : sync_block_fast;
    own.context.fail = cpu_asserts(launch->kernel) ? fail : NULL;
    pool->launch = launch;
    pool->context = &own.context;
    pool->threads = (uint32_t)launch->threads;
    pool->block = first;
    pool->blocks_left = count - 1;
    if (launch->kernel->run_blocks != NULL)
        launch->kernel->run_blocks(context, launch->args, first, 0);
    begin_block(pool);
    if (pool->tools)
        cpu_fiber_tools_own(&pool->own.marks);
    cpu_fiber_pool_swap(pool, &pool->own, idle_fiber(pool));
    if (__builtin_expect(!pool->faulted, 1))
        return ACCEL_OK;
    if (pool->overflow != NULL && launch->settings->overflowed != NULL)
        launch->settings->overflowed(pool);
    scratch->fibers = NULL;
    cpu_fiber_pool_destroy(pool);
    if (cpu_assertion_failed(&own))
        return cpu_assertion_report(&own, launch->kernel);
    return cpu_host()->error(ACCEL_KERNEL_FAULT,
                             "kernel \"%s\": a thread used more than the %zu bytes of its stack; raise "
                             "ACCEL_CPU_STACK_SIZE, or keep less in local variables",
                             launch->kernel->name, launch->settings->stack_size);
}
