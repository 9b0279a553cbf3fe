/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a device, and host memory pinned for it. Drivers wait for the device when they free; so a release hands
 * memory to the retire thread while a queue of the device has work (semantics O3), and an allocation that finds none left
 * waits for that thread before it gives up. Drivers do not know of operations that are deferred: memory is given to them
 * once what was deferred before the release has reached them (O4).
 */
#ifndef ACCEL_GPU_MEMORY_H
#define ACCEL_GPU_MEMORY_H

#include "plugins/gpu/engine/retire.h"

enum {
    GPU_MEMORY_DEVICE,
    GPU_MEMORY_HOST,
    GPU_MEMORY_ORDERED /* of allocate_async */
};

struct accel_impl_memory {
    uint32_t kind;
    void *allocation;
    accel_impl_device *device; /* retained */
    gpu_retired retired;       /* in a queue's list */
    gpu_job job;               /* the retire thread's */
    uint64_t deferrals;        /* the device's when it was released: what was deferred until then may use it */
};

/* Contracts of accel_device_vtable. */
accel_status gpu_memory_allocate(accel_impl_device *, const accel_memory_request *, accel_impl_memory **, void **ptr,
                                 void **host_ptr);
/* Nothing of libaccel's work needs it any more. */
void gpu_memory_free(accel_impl_device *, accel_impl_memory *);

/* For memory of a queue (queue/memory.c): an empty record; with its device retained: the record goes. */
accel_status gpu_memory_make(accel_impl_device *, uint32_t kind, accel_impl_memory **);
void gpu_memory_discard(accel_impl_memory *);

#endif
