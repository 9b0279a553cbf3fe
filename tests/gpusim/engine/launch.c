/* SPDX-License-Identifier: Apache-2.0 */
#include "launch.h"
#include "../kernel/grid.h"
#include "device.h"
#include "entry.h"
#include "fault.h"
#include "limits.h"
#include "report.h"
#include "stream.h"
#include "thread.h"
#include "worker.h"

#include <stdlib.h>
#include <string.h>

typedef struct launch_command {
    sim_command command;
    sim_fault fault;
    wire_launch wire; /* with as much of its parameters as the kernel has */
} launch_command;

/* -------------------------------------------------------------------------------------------- running -- */

static sim_status status_of(const wire_fault *fault)
{
    switch (fault->status) {
    case GPUSIM_GRID_OK:
        return SIM_OK;
    case GPUSIM_GRID_ILLEGAL_ADDRESS:
        return SIM_ILLEGAL_ADDRESS;
    case GPUSIM_GRID_TRAP:
        return SIM_ILLEGAL_INSTRUCTION;
    case GPUSIM_GRID_DEADLOCK:
        return SIM_LAUNCH_TIMEOUT;
    case GPUSIM_GRID_CANCELLED:
        return SIM_DEVICE_LOST;
    default:
        return SIM_LAUNCH_FAILED;
    }
}

static sim_status fail_on_request(const launch_command *launch, sim_device *device)
{
    switch (launch->fault) {
    case SIM_FAULT_ILLEGAL_ADDRESS:
        return SIM_ILLEGAL_ADDRESS;
    case SIM_FAULT_LOST:
        pthread_mutex_lock(&sim_engine_here.lock);
        sim_device_lose(device);
        pthread_mutex_unlock(&sim_engine_here.lock);
        return SIM_DEVICE_LOST;
    case SIM_FAULT_HANG:
        sim_worker_hang(launch->command.stream);
        return SIM_DEVICE_LOST;
    default:
        return SIM_LAUNCH_FAILED;
    }
}

static sim_status begin(sim_command *command)
{
    ((launch_command *)command)->fault = sim_fault_run(command->stream->object.context->device->ordinal);
    return SIM_OK;
}

static sim_status run(sim_command *command)
{
    const launch_command *launch = (launch_command *)command;
    sim_stream *stream = command->stream;
    sim_device *device = stream->object.context->device;
    wire_fault fault;
    if (launch->fault != SIM_FAULT_NONE)
        return fail_on_request(launch, device);
    if (stream->lane < 0)
        stream->lane = sim_process_lane(&device->process);
    if (stream->lane < 0 || !sim_process_launch(stream->lane, &launch->wire, &fault))
        return SIM_UNKNOWN;
    if (fault.status != GPUSIM_GRID_OK)
        sim_log("a kernel on device %u: %s (%#zx)", device->ordinal, fault.text, (size_t)fault.address);
    return status_of(&fault);
}

/* ----------------------------------------------------------------------------------------- submitting -- */

static int resident(const sim_function *function, uint64_t threads, size_t dynamic)
{
    size_t shared = function->kernel.static_shared_bytes + dynamic;
    if (threads == 0 || threads > function->kernel.max_threads || shared > sim_front_here.max_shared_optin)
        return 0;
    size_t blocks = SIM_UNIT_THREADS / threads;
    if (shared > 0 && blocks > SIM_UNIT_SHARED / shared)
        blocks = SIM_UNIT_SHARED / shared;
    return (int)(blocks < SIM_UNIT_BLOCKS ? blocks : SIM_UNIT_BLOCKS);
}

static sim_status check(const sim_launch *launch, const sim_function *function)
{
    const uint32_t *grid = launch->grid, *block = launch->block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2], blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    if (threads == 0 || blocks == 0 || grid[0] > SIM_GRID_X || grid[1] > SIM_GRID_YZ || grid[2] > SIM_GRID_YZ ||
        block[0] > SIM_BLOCK_THREADS || block[1] > SIM_BLOCK_THREADS || block[2] > SIM_BLOCK_Z ||
        threads > SIM_BLOCK_THREADS || launch->dynamic_shared > function->max_dynamic)
        return SIM_INVALID_VALUE;
    if (threads > function->kernel.max_threads)
        return SIM_OUT_OF_RESOURCES;
    if (!launch->cooperative)
        return SIM_OK;
    if (!sim_settings_here.cooperative)
        return SIM_NOT_SUPPORTED;
    return blocks > (uint64_t)resident(function, threads, launch->dynamic_shared) * SIM_UNITS
               ? SIM_COOPERATIVE_LAUNCH_TOO_LARGE
               : SIM_OK;
}

static sim_status take_parameters(const sim_launch *launch, const wire_kernel *kernel, uint8_t *to)
{
    if (launch->pointers == NULL)
        return SIM_INVALID_VALUE;
    for (int i = 0; i < 2; ++i)
        if (kernel->parameter_size[i] != 0)
            memcpy(to + kernel->parameter_offset[i], launch->pointers[i], kernel->parameter_size[i]);
    return SIM_OK;
}

sim_status sim_launch_submit(const sim_launch *launch, void *function_handle, void *stream_handle)
{
    static const sim_command_type type = {.name = "launch", .begin = begin, .run = run};
    sim_function *function = sim_function_of(function_handle);
    sim_stream *stream;
    sim_status status = function != NULL ? sim_stream_here(stream_handle, &stream) : SIM_INVALID_HANDLE;
    if (status != SIM_OK)
        return status;
    if (sim_module_context(function->module) != stream->object.context) {
        sim_violation("wrong context", "%s: the function belongs to device %u, the stream to device %u",
                      sim_thread_here.function, sim_module_context(function->module)->device->ordinal,
                      stream->object.context->device->ordinal);
        return SIM_INVALID_HANDLE;
    }
    status = check(launch, function);
    if (status == SIM_OK && sim_fault_launch(stream->object.context->device->ordinal))
        status = SIM_OUT_OF_RESOURCES;
    if (status != SIM_OK)
        return status;
    const wire_kernel *kernel = &function->kernel;
    if (kernel->parameter_bytes > WIRE_PARAMETERS)
        return SIM_INVALID_VALUE;
    launch_command *command = sim_command_new(&type, sizeof *command);
    if (command == NULL)
        return SIM_OUT_OF_MEMORY;
    wire_launch *wire = &command->wire;
    status = take_parameters(launch, kernel, wire->parameters);
    if (status != SIM_OK) {
        free(command);
        return status;
    }
    command->command.module = function->module;
    wire->kernel = function->number;
    memcpy(wire->grid, launch->grid, sizeof wire->grid);
    memcpy(wire->block, launch->block, sizeof wire->block);
    wire->dynamic_shared = launch->dynamic_shared;
    wire->warp_size = sim_settings_here.warp_size;
    wire->cooperative = launch->cooperative;
    wire->parameter_bytes = kernel->parameter_bytes;
    return sim_submit(stream, &command->command);
}

sim_status sim_occupancy(int *blocks, void *handle, int threads, size_t dynamic)
{
    const sim_function *function = sim_function_of(handle);
    if (function == NULL)
        return SIM_INVALID_HANDLE;
    if (threads <= 0)
        return SIM_INVALID_VALUE;
    *blocks = resident(function, (uint64_t)threads, dynamic);
    return sim_context_state(sim_module_context(function->module));
}

sim_status sim_occupancy_best(int *grid, int *threads, void *handle, size_t (*shared_of)(int), size_t dynamic,
                              int limit)
{
    const sim_function *function = sim_function_of(handle);
    int most = 0, step = (int)sim_settings_here.warp_size;
    if (function == NULL)
        return SIM_INVALID_HANDLE;
    if (limit <= 0 || limit > (int)function->kernel.max_threads)
        limit = (int)function->kernel.max_threads;
    *grid = *threads = 0;
    for (int n = limit < step ? limit : limit / step * step; n > 0; n -= step) {
        int blocks = resident(function, (uint64_t)n, shared_of != NULL ? shared_of(n) : dynamic);
        if (blocks * n > most) {
            most = blocks * n;
            *threads = n;
            *grid = blocks * SIM_UNITS;
        }
    }
    return sim_context_state(sim_module_context(function->module));
}
