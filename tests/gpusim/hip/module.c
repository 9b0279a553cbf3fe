/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, functions and launches. */
#include "entry.h"
#include "../engine/launch.h"
#include "../engine/report.h"

static sim_status load(hip_module *module, const void *image)
{
    char log[400] = "";
    sim_status status = sim_module_load(image, SIM_FORM_AMD, log, sizeof log, (void **)module);
    if (log[0] != '\0')
        sim_log("%s", log);
    return status;
}

hip_result hipModuleLoadData(hip_module *module, const void *image)
{
    HIP_CALL(load(module, image));
}

hip_result hipModuleUnload(hip_module module)
{
    HIP_CALL(sim_module_unload(module));
}

hip_result hipModuleGetFunction(hip_function *function, hip_module module, const char *name)
{
    HIP_CALL(sim_module_function(module, name, (void **)function));
}

hip_result hipModuleGetGlobal(hip_device_pointer *pointer, size_t *size, hip_module module, const char *name)
{
    HIP_CALL(sim_module_global(module, name, pointer, size));
}

hip_result hipFuncGetAttribute(int *value, hip_function_attribute attribute, hip_function function)
{
    HIP_CALL(sim_function_attribute(value, (int)attribute, function));
}

hip_result hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hip_function function, int threads,
                                                              size_t shared_bytes)
{
    HIP_CALL(sim_occupancy(blocks, function, threads, shared_bytes));
}

hip_result hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *threads, hip_function function, size_t shared_bytes,
                                                   int limit)
{
    HIP_CALL(sim_occupancy_best(grid, threads, function, NULL, shared_bytes, limit));
}

hip_result hipModuleLaunchKernel(hip_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 hip_stream stream, void **parameters, void **extra)
{
    sim_launch launch = {.grid = {grid_x, grid_y, grid_z},
                         .block = {block_x, block_y, block_z},
                         .dynamic_shared = shared_bytes,
                         .pointers = parameters};
    HIP_CALL(extra != NULL ? SIM_NOT_SUPPORTED : sim_launch_submit(&launch, function, stream));
}

hip_result hipModuleLaunchCooperativeKernel(hip_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                            hip_stream stream, void **parameters)
{
    sim_launch launch = {.grid = {grid_x, grid_y, grid_z},
                         .block = {block_x, block_y, block_z},
                         .dynamic_shared = shared_bytes,
                         .cooperative = true,
                         .pointers = parameters};
    HIP_CALL(sim_launch_submit(&launch, function, stream));
}
