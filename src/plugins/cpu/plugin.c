/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of every CPU backend: CPU_PLUGIN_NAME and CPU_PLUGIN_EXECUTOR come from the build. */
#include "engine.h"
#include "fiber.h"

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

/* clang's __VERSION__ begins with its name; gcc's is the number alone. */
#if defined(__clang__)
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

ACCEL_API extern const accel_plugin accel_plugin_descriptor;
const accel_plugin accel_plugin_descriptor = {
    .abi = ACCEL_PLUGIN_ABI,
    .struct_size = sizeof(accel_plugin),
    .name = CPU_PLUGIN_NAME,
    .build = COMPILER ", fibers by " FIBERS,
    .open = open,
};
