/* SPDX-License-Identifier: Apache-2.0 */
/* One launch, made ready to run, and what a thread needs to run blocks. */
#ifndef ACCEL_CPU_LAUNCH_H
#define ACCEL_CPU_LAUNCH_H

#include <accel/plugin.h>

#include "plugins/cpu/dispatch/cost.h"
#include "plugins/cpu/engine/settings.h"

struct cpu_fiber_pool;

/* Memory that a thread reuses from launch to launch. Used by one thread at a time. All zero is valid and empty. */
typedef struct cpu_scratch {
    void *shared; /* block shared memory, grown when needed */
    size_t shared_capacity;
    struct cpu_fiber_pool *fibers; /* made by the first thread kernel */
    cpu_cost costs[CPU_COSTS];     /* of the queue's launches, for executors that weigh them */
} cpu_scratch;

void cpu_scratch_clear(cpu_scratch *);

/* Read-only while it runs. */
typedef struct cpu_launch {
    accel_launch_context context; /* shared is NULL: each thread puts its own into a copy */
    const accel_kernel_descriptor *kernel;
    const void *args;
    size_t blocks;       /* of the grid */
    size_t threads;      /* of a block */
    size_t shared_total; /* static and dynamic */
    const cpu_settings *settings;
} cpu_launch;

/* What is known of launches like this one. */
static inline cpu_cost *cpu_launch_cost(const cpu_launch *launch, cpu_scratch *scratch)
{
    uint64_t shape = launch->blocks;
    shape = shape * 0x9e3779b97f4a7c15u + launch->threads;
    for (int i = 0; i < 3; ++i)
        shape = shape * 0x9e3779b97f4a7c15u + launch->context.elem_extent[i];
    shape ^= (uintptr_t)launch->kernel;
    cpu_cost *cost = &scratch->costs[(shape ^ shape >> 32 ^ shape >> 12) % CPU_COSTS];
    if (__builtin_expect(cost->kernel != launch->kernel || cost->shape != shape, 0))
        *cost = (cpu_cost){.kernel = launch->kernel, .shape = shape, CPU_COST_UNKNOWN};
    return cost;
}

/* What launches of one queue have in common. */
typedef struct cpu_launch_site {
    uint32_t *locks; /* the process's */
    uint64_t lock_mask;
    const cpu_settings *settings;
} cpu_launch_site;

/* The barrier of a block that has one thread. */
uint32_t cpu_sync_alone(const accel_thread_context *, uint32_t mode, uint32_t predicate);

/* Fills `launch`, and the locks of `grid`. The launch points to kernel, grid and args. Inline: it is half of what the
 * first blocking launch of a kernel costs beside the lock. */
static inline void cpu_launch_prepare(cpu_launch *launch, const accel_kernel_descriptor *kernel,
                                      const uint32_t blocks[3], const uint32_t threads[3], size_t shared_bytes,
                                      accel_grid *grid, const void *args, const cpu_launch_site *site)
{
    grid->locks = site->locks;
    grid->lock_mask = site->lock_mask;
    accel_launch_context *context = &launch->context;
    context->struct_size = sizeof(*context);
    context->flags = 0;
    context->grid = grid;
    for (int i = 0; i < 3; ++i) {
        context->grid_extent[i] = blocks[i];
        context->block_extent[i] = threads[i];
        context->elem_extent[i] = (size_t)grid->elems[i];
    }
    for (uint32_t i = 3; i < grid->dims; ++i)
        context->elem_extent[2] *= (size_t)grid->elems[i];
    context->shared = NULL;
    context->shared_bytes = 0;
    context->sync = cpu_sync_alone;
    launch->blocks = (size_t)blocks[0] * blocks[1] * blocks[2];
    launch->kernel = kernel;
    launch->args = args;
    launch->threads = (size_t)threads[0] * threads[1] * threads[2];
    launch->shared_total = kernel->shared_bytes + shared_bytes;
    launch->settings = site->settings;
}

/* The last launch of a queue, kept ready: most queues repeat kernels in one shape. To compare takes a third of the
 * instructions of to fill and no stores, which would queue up behind those of the kernel before. All zero is empty. */
typedef struct cpu_prepared {
    cpu_launch launch; /* args are the last launch's */
    accel_grid grid;
    size_t shared_bytes; /* dynamic */
} cpu_prepared;

/* Is it this launch, as far as its first dimension tells? */
static inline bool cpu_prepared_begins(const cpu_prepared *prepared, const accel_kernel_descriptor *kernel,
                                       uint32_t dims, uint32_t blocks, uint32_t threads, uint64_t elems,
                                       size_t shared_bytes)
{
    const accel_launch_context *context = &prepared->launch.context;
    return prepared->launch.kernel == kernel && prepared->grid.dims == dims && prepared->shared_bytes == shared_bytes &&
           context->grid_extent[0] == blocks && context->block_extent[0] == threads && context->elem_extent[0] == elems;
}

/* Is it this launch, but for its arguments? One of more than three dimensions never is. The extents that one dimension
 * lacks are 1 in both. */
static inline bool cpu_prepared_fits(const cpu_prepared *prepared, const accel_kernel_descriptor *kernel, uint32_t dims,
                                     const uint32_t blocks[3], const uint32_t threads[3], const uint64_t elems[],
                                     size_t shared_bytes)
{
    const accel_launch_context *context = &prepared->launch.context;
    if (!cpu_prepared_begins(prepared, kernel, dims, blocks[0], threads[0], elems[0], shared_bytes))
        return false;
    if (dims == 1)
        return true;
    return dims <= 3 && context->grid_extent[1] == blocks[1] && context->block_extent[1] == threads[1] &&
           context->elem_extent[1] == elems[1] && context->grid_extent[2] == blocks[2] &&
           context->block_extent[2] == threads[2] && context->elem_extent[2] == elems[2];
}

/* cpu_launch_prepare for a copy of the grid, which is filled but for its locks. The arguments are the caller's to set. */
static inline void cpu_prepared_make(cpu_prepared *prepared, const accel_kernel_descriptor *kernel,
                                     const uint32_t blocks[3], const uint32_t threads[3], size_t shared_bytes,
                                     const accel_grid *grid, const cpu_launch_site *site)
{
    prepared->grid = *grid;
    prepared->shared_bytes = shared_bytes;
    cpu_launch_prepare(&prepared->launch, kernel, blocks, threads, shared_bytes, &prepared->grid, NULL, site);
}

/* cpu_blocks_run of kernels that need something of the scratch: shared memory, or fibers. */
accel_status cpu_blocks_run_with(const cpu_launch *, cpu_scratch *, size_t first, size_t count);

/* Runs `count` blocks beginning with `first`, in order, on the calling thread. */
static inline accel_status cpu_blocks_run(const cpu_launch *launch, cpu_scratch *scratch, size_t first, size_t count)
{
    if (__builtin_expect(launch->shared_total != 0 || launch->kernel->form == ACCEL_FORM_THREAD, 0))
        return cpu_blocks_run_with(launch, scratch, first, count);
    launch->kernel->run_blocks(&launch->context, launch->args, first, count);
    return ACCEL_OK;
}

/* All blocks by the caller, as they are expected to take no longer than `limit` ticks. If an eighth of them shows that
 * they will, it ends there. *done: blocks that were run; the rest is to be shared out. */
static inline accel_status cpu_launch_run_alone(const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost,
                                                uint64_t limit, size_t *done)
{
    size_t probe = launch->blocks / 8;
    uint64_t begin = cpu_ticks();
    *done = launch->blocks;
    if (probe != 0) {
        accel_status status = cpu_blocks_run(launch, scratch, 0, probe);
        if (__builtin_expect(status != ACCEL_OK, 0))
            return status;
        uint64_t ticks = cpu_ticks() - begin;
        if (__builtin_expect(ticks > limit, 0)) {
            cpu_cost_note(cost, CPU_ALONE, ticks * (launch->blocks / probe), 0);
            *done = probe;
            return ACCEL_OK;
        }
    }
    accel_status status = cpu_blocks_run(launch, scratch, probe, launch->blocks - probe);
    uint64_t ticks = cpu_ticks() - begin;
    cpu_cost_note(cost, CPU_ALONE, ticks, ticks);
    return status;
}

/* The same for kernels whose threads meet at barriers: every thread of a block is a fiber. */
accel_status cpu_fibers_run(const cpu_launch *, const accel_launch_context *, cpu_scratch *, size_t first,
                            size_t count);

#endif
