/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/stage.h"

#include <stdlib.h>

accel_status gpu_stage_get(accel_impl_device *device, gpu_stage **got)
{
    static const char what[] = "pinning memory to copy through";
    void *memory = NULL;

    pthread_mutex_lock(&device->lock);
    gpu_stage *stage = device->stages;
    if (stage != NULL)
        device->stages = stage->next;
    pthread_mutex_unlock(&device->lock);
    if (stage != NULL) {
        *got = stage;
        return ACCEL_OK;
    }
    stage = malloc(sizeof(*stage));
    if (stage == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "\"%s\": %s: no memory for %zu bytes", device->label, what,
                                 sizeof(*stage));
    gpu_result result = device->driver->host_allocate(&memory, GPU_STAGE_BYTES, GPU_HOST_PORTABLE);
    if (result != 0) {
        free(stage);
        return gpu_device_failed(device, what, result);
    }
    stage->memory = memory;
    pthread_mutex_init(&stage->lock, NULL);
    *got = stage;
    return ACCEL_OK;
}

void gpu_stage_put(accel_impl_device *device, gpu_stage *stage)
{
    pthread_mutex_lock(&device->lock);
    stage->next = device->stages;
    device->stages = stage;
    pthread_mutex_unlock(&device->lock);
}

static void end(accel_impl_device *device, bool give_back)
{
    for (gpu_stage *stage = device->stages, *next; stage != NULL; stage = next) {
        next = stage->next;
        if (give_back)
            device->driver->host_free(stage->memory);
        pthread_mutex_destroy(&stage->lock);
        free(stage);
    }
    device->stages = NULL;
}

void gpu_stages_end(accel_impl_device *device)
{
    end(device, true);
}

void gpu_stages_forget(accel_impl_device *device)
{
    end(device, false);
}
