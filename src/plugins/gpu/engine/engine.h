/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GPU engine: everything of a GPU backend but the driver (driver.h). A plugin is its descriptor and a family,
 * linked with the engine.
 *
 * Lifetimes: a queue, an allocation, a loaded object hold their device, a device its backend, each by a count of its
 * own. libaccel's handle is one reference; a queue that still has work outlives its handle. The last one out gives the
 * device's context back.
 *
 * In the child of a fork the driver is of no use: whatever gives something back checks gpu_device_forked first and
 * leaves it.
 */
#ifndef ACCEL_GPU_ENGINE_H
#define ACCEL_GPU_ENGINE_H

#include "plugins/gpu/driver/driver.h"
#include "plugins/gpu/engine/failure.h"
#include "plugins/gpu/engine/pinned.h"

#include <pthread.h>
#include <stdatomic.h>

/* Host services live as long as the process, and are the same for every instance. Written by each open, before there is
 * any object. */
extern _Atomic(const accel_host_services *) gpu_host_services;
static inline const accel_host_services *gpu_host(void)
{
    return atomic_load_explicit(&gpu_host_services, memory_order_relaxed);
}

#define GPU_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

enum {
    GPU_BASE_ALIGNMENT = 256, /* what every driver gives */
    GPU_LOCKS = 1 << 16,      /* of a device's lock table */
    GPU_STAGE_BYTES = 256 << 10,
    GPU_AWAITED = 64 /* ordinals for which the faults of others are remembered */
};

struct accel_impl_backend {
    _Atomic uint32_t references;
    const gpu_driver *driver;
    uint32_t device_count;
    gpu_pinned pinned;                        /* host memory that the driver copies from and to without help */
    _Atomic accel_status faults[GPU_AWAITED]; /* per ordinal: gpu_failure_status of its device's fault */
};

typedef struct gpu_object gpu_object;
typedef struct gpu_stage gpu_stage;

/* Pinned host memory through which pageable memory is copied; one per non-blocking queue. */
struct gpu_stage {
    gpu_stage *next; /* of the unused ones of a device */
    unsigned char *memory;
};

struct accel_impl_device {
    /* Read by every operation; written once, before `ready`. */
    const gpu_driver *driver;
    gpu_context context;
    uint32_t *locks; /* device memory; NULL until a module was loaded; written under `lock` */

    _Atomic uint32_t references;
    accel_impl_backend *backend; /* retained */
    uint32_t ordinal;
    int number;          /* the driver's device */
    uint32_t generation; /* of forks, in which it was opened */
    char label[32];      /* "cuda:0", in texts */
    gpu_description description;
    int attributes[GPU_ATTRIBUTE_COUNT];

    _Atomic uint32_t ready;       /* 1: the context is retained */
    gpu_stream stream;            /* the engine's own, for what loads and reads */
    gpu_failure fault;            /* sticky: what ended the device for this process, or ACCEL_OK */
    _Atomic uint32_t retiring;    /* jobs of the retire thread that are not done */
    _Atomic uint64_t peers;       /* bit per ordinal: access to its memory is on */
    _Atomic uint64_t unreachable; /* and: it cannot be */

    pthread_mutex_t lock; /* guards what follows, and the change of ready and peers; held around driver calls */
    gpu_stage *stages;    /* unused */

    pthread_mutex_t object_lock; /* guards what follows, and the making of locks; held while the driver compiles */
    gpu_object *objects;         /* loaded, or kept because their code ran */

    pthread_mutex_t queue_lock; /* guards the list; taken last, but for a queue's failure */
    accel_impl_queue *queues;   /* that have not ended */
};

/* What a plugin's `open` does. */
accel_status gpu_backend_open(const gpu_family *, const accel_host_services *, accel_open_result *);
void gpu_backend_release(accel_impl_backend *);
/* The fault of a device among those of the bits, or ACCEL_OK. */
accel_status gpu_backend_fault(accel_impl_backend *, uint64_t ordinals);

accel_status gpu_device_open(accel_impl_backend *, uint32_t ordinal, accel_impl_device **);
void gpu_device_retain(accel_impl_device *);
void gpu_device_release(accel_impl_device *);
static inline bool gpu_device_forked(const accel_impl_device *device)
{
    return GPU_UNLIKELY(device->generation != *gpu_host()->fork_generation);
}
/* properties.c: contract of accel_device_vtable. */
accel_status gpu_device_info(accel_impl_device *, accel_device_properties *);
/* Bytes of a kernel's argument struct, at most. */
size_t gpu_max_args_size(const accel_impl_device *);

/* Has no queue of the device anything to do? Asks the driver, but not for wrapped streams, which count as busy; not for
 * submitting calls, nor in driver callbacks. */
bool gpu_device_is_quiet(accel_impl_device *);

/* If nothing runs, what is left to be given back takes no time: lets the reaper do it, so that a program that ends next
 * leaves nothing behind. A mark of the reaper may still be on its way; work is not waited for. */
void gpu_device_settle(accel_impl_device *);

extern const accel_device_vtable gpu_device_vtable;
extern const accel_queue_vtable gpu_queue_vtable;
extern const accel_event_vtable gpu_event_vtable;
extern const accel_module_vtable gpu_module_vtable;

/* device.c gathers these from the files of their nouns. */
accel_status gpu_queue_create(accel_impl_device *, uint32_t flags, int32_t priority, accel_impl_queue **);
accel_status gpu_queue_wrap(accel_impl_device *, void *native, accel_impl_queue **);
accel_status gpu_event_create(accel_impl_device *, uint32_t flags, accel_impl_event **);
accel_status gpu_module_load(accel_impl_device *, const accel_image *, accel_impl_module **);

#endif
