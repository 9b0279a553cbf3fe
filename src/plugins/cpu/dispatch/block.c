/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/dispatch/assertion.h"
#include "plugins/cpu/dispatch/launch.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/fiber/fiber_pool.h"
#include "plugins/cpu/machine/float_mode.h"
#include "plugins/support/line.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 };

/* Shared memory of the block that a thread is running: at least `size` bytes, whose contents are undefined. NULL if memory is
 * short. */
static void *shared_memory(cpu_scratch *scratch, size_t size)
{
    if (size > scratch->shared_capacity) {
        size_t capacity = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        void *shared = aligned_alloc(ALIGNMENT, capacity);
        if (shared == NULL)
            return NULL;
        free(scratch->shared);
        scratch->shared = shared;
        scratch->shared_capacity = capacity;
    }
    return scratch->shared;
}

void cpu_scratch_clear(cpu_scratch *scratch)
{
    free(scratch->shared);
    cpu_fiber_pool_destroy(scratch->fibers);
    *scratch = (cpu_scratch){0};
}

static void print(const accel_launch_context *context, const char *format, const accel_print_value *values,
                  uint32_t count)
{
    (void)context;
    plugin_line_print(format, values, count);
}

static void run_plain(const cpu_launch *launch, const accel_launch_context *context, size_t first, size_t count)
{
    launch->kernel->run_blocks(context, launch->args, first, count);
}

static accel_status run(const cpu_launch *launch, cpu_scratch *scratch, size_t first, size_t count)
{
    if (cpu_needs_a_call_only(launch)) {
        run_plain(launch, &launch->context, first, count);
        return ACCEL_OK;
    }
    accel_launch_context context = launch->context;
    if (launch->shared_total != 0) {
        context.shared = shared_memory(scratch, launch->shared_total);
        context.shared_bytes = launch->shared_total;
        if (context.shared == NULL)
            return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "kernel \"%s\": no memory for %zu bytes of shared memory",
                                     launch->kernel->name, launch->shared_total);
    }
    if ((launch->kernel->flags & ACCEL_KERNEL_PRINTS) != 0)
        context.print = print;
    if (launch->kernel->form == ACCEL_FORM_THREAD)
        return cpu_fibers_run(launch, &context, scratch, first, count);
    if (cpu_asserts(launch->kernel))
        return cpu_assertion_run(launch, &context, run_plain, first, count);
    run_plain(launch, &context, first, count);
    return ACCEL_OK;
}

accel_status cpu_blocks_run_with(const cpu_launch *launch, cpu_scratch *scratch, size_t first, size_t count)
{
    const cpu_float_mode mode = cpu_float_mode_now();
    if ((mode & CPU_FLOAT_MODE_MASK) == 0 || !cpu_rounds(launch->kernel))
        return run(launch, scratch, first, count);
    cpu_float_mode_set(mode & ~CPU_FLOAT_MODE_MASK);
    const accel_status status = run(launch, scratch, first, count);
    cpu_float_mode_set(mode);
    return status;
}
