/* SPDX-License-Identifier: Apache-2.0 */
#include "engine.h"

void cpu_launch_prepare(cpu_launch *launch, const accel_kernel_descriptor *kernel, const uint32_t blocks[3],
                        const uint32_t threads[3], size_t shared_bytes, accel_grid *grid, const void *args,
                        const cpu_launch_site *site)
{
    grid->locks = site->locks;
    grid->lock_mask = CPU_LOCKS - 1;
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
