/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of every CPU backend: CPU_PLUGIN_NAME, CPU_PLUGIN_EXECUTOR and CPU_PLUGIN_VARIABLES come from the
 * build. */
#include "plugins/support/plugin_descriptor.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/engine/variables.h"
#include "plugins/cpu/fiber/fiber.h"

extern const cpu_executor CPU_PLUGIN_EXECUTOR;

#if defined(CPU_FIBER_UCONTEXT)
#define FIBERS "ucontext"
#else
#define FIBERS "assembly"
#endif

static accel_status open(const accel_host_services *host, const accel_open_params *params, accel_open_result *result)
{
    (void)params;
    return cpu_backend_open(&CPU_PLUGIN_EXECUTOR, host, result);
}

PLUGIN_DESCRIPTOR(CPU_PLUGIN_NAME, "fibers by " FIBERS, open, CPU_PLUGIN_VARIABLES);
