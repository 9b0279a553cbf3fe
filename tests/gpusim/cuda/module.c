/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, functions and launches. */
#include "entry.h"
#include "../engine/launch.h"

#include <string.h>

/* Words on a failure go where the caller wants them. */
static sim_status load(cuda_module *module, const void *image, unsigned count, const cuda_jit_option *options,
                       void **values)
{
    char *log = NULL, none[1];
    size_t size = 0;
    for (unsigned i = 0; i < count; ++i) {
        if (options[i] == CUDA_JIT_ERROR_LOG)
            log = values[i];
        else if (options[i] == CUDA_JIT_ERROR_LOG_SIZE)
            memcpy(&size, &values[i], sizeof(unsigned));
    }
    if (log == NULL || size == 0) {
        log = none;
        size = sizeof none;
    }
    log[0] = '\0';
    return sim_module_load(image, SIM_FORM_NVIDIA, log, size, (void **)module);
}

cuda_result cuModuleLoadDataEx(cuda_module *module, const void *image, unsigned count, cuda_jit_option *options,
                               void **values)
{
    CUDA_CALL(load(module, image, count, options, values));
}

cuda_result cuModuleUnload(cuda_module module)
{
    CUDA_CALL(sim_module_unload(module));
}

cuda_result cuModuleGetFunction(cuda_function *function, cuda_module module, const char *name)
{
    CUDA_CALL(sim_module_function(module, name, (void **)function));
}

cuda_result cuModuleGetGlobal_v2(cuda_device_pointer *pointer, size_t *size, cuda_module module, const char *name)
{
    CUDA_CALL(sim_module_global(module, name, (void **)pointer, size));
}

cuda_result cuFuncGetAttribute(int *value, cuda_function_attribute attribute, cuda_function function)
{
    CUDA_CALL(sim_function_attribute(value, (int)attribute, function));
}

cuda_result cuFuncSetAttribute(cuda_function function, cuda_function_attribute attribute, int value)
{
    CUDA_CALL(sim_function_set_attribute(function, (int)attribute, value));
}

cuda_result cuFuncLoad(cuda_function function)
{
    CUDA_CALL(sim_function_of(function) != NULL ? SIM_OK : SIM_INVALID_HANDLE);
}

cuda_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, cuda_function function, int threads,
                                                        size_t shared_bytes)
{
    CUDA_CALL(sim_occupancy(blocks, function, threads, shared_bytes));
}

cuda_result cuOccupancyMaxPotentialBlockSize(int *grid, int *threads, cuda_function function,
                                             cuda_shared_of_block_size shared_of, size_t shared_bytes, int limit)
{
    CUDA_CALL(sim_occupancy_best(grid, threads, function, shared_of, shared_bytes, limit));
}

cuda_result cuLaunchKernel(cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                           unsigned block_y, unsigned block_z, unsigned shared_bytes, cuda_stream stream,
                           void **parameters, void **extra)
{
    sim_launch launch = {.grid = {grid_x, grid_y, grid_z},
                         .block = {block_x, block_y, block_z},
                         .dynamic_shared = shared_bytes,
                         .pointers = parameters};
    CUDA_CALL(extra != NULL ? SIM_NOT_SUPPORTED : sim_launch_submit(&launch, function, stream));
}

cuda_result cuLaunchCooperativeKernel(cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                      cuda_stream stream, void **parameters)
{
    sim_launch launch = {.grid = {grid_x, grid_y, grid_z},
                         .block = {block_x, block_y, block_z},
                         .dynamic_shared = shared_bytes,
                         .cooperative = true,
                         .pointers = parameters};
    CUDA_CALL(sim_launch_submit(&launch, function, stream));
}
