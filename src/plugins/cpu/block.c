/* SPDX-License-Identifier: Apache-2.0 */
#include "block.h"
#include "engine.h"

uint32_t cpu_sync_alone(const accel_thread_context *thread, uint32_t mode, uint32_t predicate)
{
    (void)thread;
    return mode != ACCEL_SYNC_PLAIN && predicate != 0;
}

static accel_status run(const cpu_launch *launch, const accel_launch_context *context, cpu_scratch *scratch,
                        size_t first, size_t count)
{
    const accel_kernel_descriptor *kernel = launch->kernel;
    if (__builtin_expect(kernel->form == ACCEL_FORM_THREAD, 0))
        return cpu_fibers_run(launch, context, scratch, first, count);
    kernel->run_blocks(context, launch->args, first, count);
    return ACCEL_OK;
}

static __attribute__((noinline)) accel_status run_with_shared(const cpu_launch *launch, cpu_scratch *scratch,
                                                              size_t first, size_t count)
{
    accel_launch_context context = launch->context;
    context.shared = cpu_scratch_shared(scratch, launch->shared_total);
    context.shared_bytes = launch->shared_total;
    if (context.shared == NULL)
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "kernel \"%s\": no memory for %zu bytes of shared memory",
                                 launch->kernel->name, launch->shared_total);
    return run(launch, &context, scratch, first, count);
}

accel_status cpu_blocks_run(const cpu_launch *launch, cpu_scratch *scratch, size_t first, size_t count)
{
    if (__builtin_expect(launch->shared_total != 0, 0))
        return run_with_shared(launch, scratch, first, count);
    return run(launch, &launch->context, scratch, first, count);
}
