/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is allocated and given back in the order of a queue. */
#include "plugins/gpu/engine/memory.h"
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/queue/operation.h"
#include "plugins/gpu/queue/retire_list.h"

#include <stdlib.h>

/* With the context current. */
static accel_status allocate_in_turn(accel_impl_queue *queue, size_t size, void **allocation)
{
    static const char what[] = "allocating memory in a queue";
    accel_impl_device *device = queue->device;
    gpu_result result = device->driver->allocate_async(allocation, size, queue->stream);

    if (result != 0)
        return gpu_device_failed(device, what, result);
    accel_status status = queue->blocking ? gpu_queue_finish(queue, what) : ACCEL_OK;
    if (status != ACCEL_OK)
        device->driver->free_async(*allocation, queue->stream);
    return status;
}

accel_status gpu_allocate_async(accel_impl_queue *queue, const accel_memory_request *request, accel_impl_memory **made,
                                void **ptr, void **host_ptr)
{
    accel_impl_device *device = queue->device;
    accel_impl_memory *memory = NULL;
    gpu_scope scope;

    if (device->driver->allocate_async == NULL || device->attributes[GPU_ATTRIBUTE_MEMORY_POOLS] == 0 ||
        request->flags != 0 || request->alignment > GPU_BASE_ALIGNMENT)
        return gpu_memory_allocate(device, request, made, ptr, host_ptr);
    accel_status status = gpu_device_check(device);
    if (status == ACCEL_OK)
        status = gpu_memory_make(device, GPU_MEMORY_ORDERED, &memory);
    if (status != ACCEL_OK)
        return status;
    status = gpu_scope_enter(&scope, device, "allocating memory in a queue");
    if (status == ACCEL_OK) {
        gpu_queue_enter(queue);
        status = allocate_in_turn(queue, request->size, &memory->allocation);
        gpu_queue_leave(queue);
        gpu_scope_leave(&scope, device);
    }
    if (status != ACCEL_OK) {
        free(memory);
        return status;
    }
    gpu_device_retain(device);
    *ptr = memory->allocation;
    *host_ptr = NULL;
    *made = memory;
    return ACCEL_OK;
}

/* In the queue's order; with the list of what operations hold if the driver does not order it. A fault that the driver
 * reports by the call is of earlier work: the memory is gone. */
static void give_back(accel_impl_queue *queue, accel_impl_memory *memory)
{
    const gpu_driver *driver = queue->device->driver;
    uint32_t class = GPU_CLASS_REFUSED;
    gpu_scope scope;

    if (memory->kind == GPU_MEMORY_ORDERED &&
        gpu_scope_enter(&scope, queue->device, "freeing memory in a queue") == ACCEL_OK) {
        class = gpu_error_class_of(driver, driver->free_async(memory->allocation, queue->stream), NULL);
        gpu_scope_leave(&scope, queue->device);
    }
    if (class == GPU_CLASS_REFUSED)
        gpu_retire_add(queue, &memory->retired);
    else
        gpu_memory_discard(memory);
}

typedef struct free_command {
    gpu_command command;
    accel_impl_memory *memory;
} free_command;

static void run_command(accel_impl_queue *queue, gpu_command *command)
{
    free_command *own = PLUGIN_OWNER(command, free_command, command);

    give_back(queue, own->memory);
    free(own);
}

void gpu_free_async(accel_impl_queue *queue, accel_impl_memory *memory)
{
    accel_status status;

    if (gpu_device_forked(queue->device))
        return;
    if (gpu_queue_admit(queue, &status) == GPU_DEFER) {
        free_command *own = gpu_command_make(queue, sizeof(*own), run_command);
        if (own == NULL) { /* must not fail: given back with the queue, at the latest */
            gpu_retire_add(queue, &memory->retired);
            return;
        }
        own->memory = memory;
        gpu_deferred_append(queue, &own->command);
        return;
    }
    give_back(queue, memory);
}
