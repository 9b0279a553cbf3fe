/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of every GPU backend: GPU_PLUGIN_NAME, GPU_PLUGIN_FAMILY and GPU_PLUGIN_BUILD come from the build. */
#include "engine.h"

static accel_status open(const accel_host_services *host, const accel_open_params *params, accel_open_result *result)
{
    (void)params;
    return gpu_backend_open(&GPU_PLUGIN_FAMILY, host, result);
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
    .name = GPU_PLUGIN_NAME,
    .build = COMPILER ", " GPU_PLUGIN_BUILD,
    .open = open,
};
