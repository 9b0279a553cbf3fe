/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a device, and host memory pinned for it. Drivers wait for the device when they free; so a release hands
 * memory to the reaper while a queue of the device has work (semantics O3), and an allocation that finds none left waits
 * for the reaper before it gives up.
 */
#ifndef ACCEL_GPU_MEMORY_H
#define ACCEL_GPU_MEMORY_H

#include "plugins/gpu/engine/engine.h"
#include "plugins/gpu/queue/retire.h"
#include "plugins/gpu/engine/thread.h"

enum {
    GPU_MEMORY_DEVICE,
    GPU_MEMORY_HOST,
    GPU_MEMORY_ORDERED /* of allocate_async */
};

struct accel_impl_memory {
    uint32_t kind;
    void *allocation;
    accel_impl_device *device; /* retained */
    gpu_retired keep;          /* in a queue's list */
    gpu_job job;               /* the reaper's */
};

accel_status gpu_memory_allocate(accel_impl_device *, const accel_memory_request *, accel_impl_memory **, void **ptr,
                                 void **host_ptr);
/* Nothing of libaccel's work needs it any more. */
void gpu_memory_free(accel_impl_device *, accel_impl_memory *);

#endif
