/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/dispatch/block.h"
#include "plugins/cpu/engine/engine.h"

accel_status cpu_blocks_run_with(const cpu_launch *launch, cpu_scratch *scratch, size_t first, size_t count)
{
    accel_launch_context context = launch->context;
    if (launch->shared_total != 0) {
        context.shared = cpu_scratch_shared(scratch, launch->shared_total);
        context.shared_bytes = launch->shared_total;
        if (context.shared == NULL)
            return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "kernel \"%s\": no memory for %zu bytes of shared memory",
                                     launch->kernel->name, launch->shared_total);
    }
    if (launch->kernel->form == ACCEL_FORM_THREAD)
        return cpu_fibers_run(launch, &context, scratch, first, count);
    launch->kernel->run_blocks(&context, launch->args, first, count);
    return ACCEL_OK;
}
