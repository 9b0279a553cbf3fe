/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of every GPU backend: GPU_PLUGIN_NAME, _FAMILY, _BUILD and _VARIABLES come from the build. */
#include "plugins/support/plugin_descriptor.h"
#include "plugins/gpu/backend.h"
#include "plugins/gpu/variables.h"

static accel_status open(const accel_host_services *host, const accel_open_params *params, accel_open_result *result)
{
    (void)params;
    return gpu_backend_open(&GPU_PLUGIN_FAMILY, host, result);
}

PLUGIN_DESCRIPTOR(GPU_PLUGIN_NAME, GPU_PLUGIN_BUILD, open, GPU_PLUGIN_VARIABLES);
