/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the device, which is the host's. */
#include "skeleton.h"

#include <stdlib.h>

accel_status skeleton_allocate(accel_impl_device *device, const accel_memory_request *request,
                               accel_impl_memory **memory, void **ptr, void **host_ptr)
{
    (void)device;
    const size_t alignment = request->alignment < 64 ? 64 : request->alignment;
    accel_impl_memory *made = calloc(1, sizeof *made);
    if (made != NULL)
        made->block = aligned_alloc(alignment, (request->size + alignment - 1) / alignment * alignment);
    if (made == NULL || made->block == NULL) {
        free(made);
        return skeleton_host->error(ACCEL_OUT_OF_MEMORY, "skeleton: no %zu bytes are left; release buffers",
                                    request->size);
    }
    *memory = made;
    *ptr = *host_ptr = made->block;
    return ACCEL_OK;
}

static void give_back(accel_impl_memory *memory)
{
    while (memory != NULL) {
        accel_impl_memory *next = memory->next;
        free(memory->block);
        free(memory);
        memory = next;
    }
}

/* Rule O4: memory goes back after the work that was submitted before. Here: once nothing is pending. */
void skeleton_free(accel_impl_device *device, accel_impl_memory *memory)
{
    pthread_mutex_lock(&device->lock);
    memory->next = device->released;
    device->released = memory;
    memory = device->pending == 0 ? device->released : NULL;
    if (device->pending == 0)
        device->released = NULL;
    pthread_mutex_unlock(&device->lock);
    give_back(memory);
}

void skeleton_pending(int change)
{
    accel_impl_memory *memory = NULL;
    pthread_mutex_lock(&skeleton_device.lock);
    skeleton_device.pending += (size_t)change;
    if (skeleton_device.pending == 0) {
        memory = skeleton_device.released;
        skeleton_device.released = NULL;
    }
    pthread_mutex_unlock(&skeleton_device.lock);
    give_back(memory);
}
