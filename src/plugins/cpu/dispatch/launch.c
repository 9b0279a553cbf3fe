/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/dispatch/launch.h"

#include <sched.h>

uint32_t cpu_sync_alone(const accel_thread_context *thread, uint32_t mode, uint32_t predicate)
{
    (void)thread;
    return mode != ACCEL_SYNC_PLAIN && predicate != 0;
}

static void yield(void)
{
    sched_yield();
}

static uint64_t shape_of(const cpu_launch *launch)
{
    uint64_t shape = launch->blocks;
    shape = shape * 0x9e3779b97f4a7c15u + launch->threads;
    for (int i = 0; i < 3; ++i)
        shape = shape * 0x9e3779b97f4a7c15u + launch->context.elem_extent[i];
    return shape ^ (uintptr_t)launch->kernel;
}

/* A reduction by pieces makes a tile's result at once where a thread has all its pieces. Other launches have more threads. */
static uint32_t grain_of(const accel_descriptor *kernel, size_t threads)
{
    return (kernel->flags & ACCEL_KERNEL_PATTERN) != 0 && threads == ACCEL_TILE_LANES ? ACCEL_TILE_PIECES : 1;
}

/* What follows from kernel and extents. */
static void count(cpu_launch *launch, const accel_descriptor *kernel, size_t shared_bytes)
{
    const accel_launch_context *context = &launch->context;
    launch->kernel = kernel;
    launch->blocks = context->grid_extent[0] * context->grid_extent[1] * context->grid_extent[2];
    launch->threads = context->block_extent[0] * context->block_extent[1] * context->block_extent[2];
    launch->grain = grain_of(kernel, launch->threads);
    launch->shape = launch->blocks > 1 ? shape_of(launch) : 0;
    launch->shared_total = kernel->shared_bytes + shared_bytes;
    launch->plain = cpu_needs_a_call_only(launch) && !cpu_rounds(kernel);
}

void cpu_launch_prepare(cpu_launch *launch, accel_grid *grid, const accel_descriptor *kernel, const cpu_work *work,
                        const void *args, const cpu_launch_site *site)
{
    accel_launch_context *context = &launch->context;
    division_grid(grid, work->dims, work->blocks, work->threads, work->elems);
    grid->locks = site->locks;
    grid->lock_mask = site->lock_mask;
    *context = (accel_launch_context){.struct_size = sizeof(*context),
                                      .grid = grid,
                                      .shared = site->absent_shared,
                                      .sync = cpu_sync_alone,
                                      .yield = yield};
    division_fold(work->blocks, work->dims, context->grid_extent);
    division_fold(work->threads, work->dims, context->block_extent);
    division_fold(work->elems, work->dims, context->elem_extent);
    launch->args = args;
    launch->way = cpu_blocks_run_with;
    launch->settings = site->settings;
    count(launch, kernel, work->shared_bytes);
}

/* The numbers of one dimension, counted from the fastest. */
static inline void change(cpu_prepared *prepared, uint32_t axis, size_t blocks, size_t threads, size_t elems)
{
    accel_launch_context *context = &prepared->launch.context;
    prepared->grid.blocks[axis] = (uint32_t)blocks;
    prepared->grid.threads[axis] = (uint32_t)threads;
    prepared->grid.elems[axis] = elems;
    context->grid_extent[axis] = blocks;
    context->block_extent[axis] = threads;
    context->elem_extent[axis] = elems;
}

void cpu_prepared_make(cpu_prepared *prepared, const accel_descriptor *kernel, const cpu_work *work,
                       const cpu_launch_site *site)
{
    uint32_t dims = work->dims;
    prepared->shared_bytes = work->shared_bytes;
    if (prepared->grid.dims != dims || dims > 3) {
        cpu_launch_prepare(&prepared->launch, &prepared->grid, kernel, work, NULL, site);
        return;
    }
    for (uint32_t axis = 0; axis < dims; ++axis)
        change(prepared, axis, work->blocks[dims - 1 - axis], work->threads[dims - 1 - axis],
               work->elems[dims - 1 - axis]);
    count(&prepared->launch, kernel, work->shared_bytes);
}
