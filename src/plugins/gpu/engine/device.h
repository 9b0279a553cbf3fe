/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices of a GPU backend, and what they share. Every other file of the engine stands on this one.
 *
 * Lifetimes: a queue, an allocation, a loaded object hold their device, a device its backend, each by a count of its
 * own. libaccel's handle is one reference; a queue that still has work outlives its handle. The last one out gives the
 * device's context back.
 *
 * In the child of a fork the driver is of no use: whatever gives something back checks gpu_device_forked first and
 * leaves it.
 */
#ifndef ACCEL_GPU_DEVICE_H
#define ACCEL_GPU_DEVICE_H

#include "plugins/gpu/driver/driver.h"
#include "plugins/gpu/engine/pinned.h"
#include "plugins/support/failure.h"
#include "plugins/support/history.h"
#include "plugins/support/list.h"
#include "plugins/support/reference.h"

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
    GPU_AWAITED = 64          /* ordinals for which the faults of others are remembered */
};

struct accel_impl_backend {
    plugin_reference references;
    const gpu_driver *driver;
    uint32_t device_count;
    gpu_pinned pinned;                        /* host memory that the driver copies from and to without help */
    _Atomic accel_status faults[GPU_AWAITED]; /* per ordinal: the status of its device's fault */
};

typedef struct gpu_object gpu_object;
typedef struct gpu_copier gpu_copier;
typedef struct gpu_lines gpu_lines;
typedef struct gpu_report gpu_report;
typedef struct gpu_stage gpu_stage;

/* What a device tells its queues and asks of them. It knows nothing else of queues. */
typedef struct gpu_listener gpu_listener;
struct gpu_listener {
    plugin_link link; /* of the device */
    const plugin_history *history;
    /* The device has failed for good. Under the listener_lock; perhaps more than once. */
    void (*faulted)(gpu_listener *);
    /* Has it nothing to do? Asks the driver. Under the listener_lock, with the context current. */
    bool (*is_quiet)(gpu_listener *);
    /* Has everything reached the driver that was deferred when the device's `deferrals` was this, or less? Under the
     * listener_lock. */
    bool (*has_submitted)(gpu_listener *, uint64_t deferrals);
};

struct accel_impl_device {
    /* Read by every operation; written once, before `ready`. */
    const gpu_driver *driver;
    gpu_context context;
    uint32_t *locks; /* device memory; NULL until a module was loaded; written under `object_lock` */

    plugin_reference references;
    void (*end)(accel_impl_device *); /* the last reference has gone */
    accel_impl_backend *backend;      /* retained */
    uint32_t ordinal;
    int number;          /* the driver's device */
    uint32_t generation; /* of forks, in which it was opened */
    char label[32];      /* "cuda:0", in texts */
    gpu_description description;
    int attributes[GPU_ATTRIBUTE_COUNT];

    _Atomic uint32_t ready;       /* 1: the context is retained */
    gpu_stream stream;            /* the engine's own, for what loads and reads */
    plugin_failure fault;         /* sticky: what ended the device for this process, or ACCEL_OK */
    _Atomic uint32_t retiring;    /* jobs of the retire thread that are not done */
    _Atomic uint32_t releasing;   /* memory that was released and has not gone back */
    _Atomic uint32_t holding;     /* operations that keep buffers alive, which may be released since */
    _Atomic uint64_t deferrals;   /* operations that its queues have deferred so far */
    _Atomic uint64_t peers;       /* bit per ordinal: access to its memory is on */
    _Atomic uint64_t unreachable; /* and: it cannot be */

    _Atomic(gpu_copier *) copier; /* NULL until a large copy needs it */

    pthread_mutex_t lock; /* guards what follows, and the change of ready, peers and copier; held around driver calls */
    gpu_stage *stages;    /* unused */
    gpu_report *reports;  /* all; grows at the front */

    pthread_mutex_t object_lock; /* guards what follows, and the making of locks; held while the driver compiles */
    gpu_object *objects;         /* loaded, or kept because their code ran */

    pthread_mutex_t listener_lock; /* guards the list; taken last, but for locks of listeners */
    plugin_list listeners;
};

static inline void gpu_device_retain(accel_impl_device *device)
{
    plugin_reference_retain(&device->references);
}
static inline void gpu_device_release(accel_impl_device *device)
{
    if (plugin_reference_release(&device->references))
        device->end(device);
}
static inline bool gpu_device_forked(const accel_impl_device *device)
{
    return GPU_UNLIKELY(device->generation != *gpu_host()->fork_generation);
}

void gpu_device_listen(accel_impl_device *, gpu_listener *);
void gpu_device_unlisten(accel_impl_device *, gpu_listener *);
/* Has everything reached the driver that was deferred when `deferrals` was this? */
bool gpu_device_has_submitted(accel_impl_device *, uint64_t deferrals);

/* GPU_CLASS_SUCCESS, ..., and the status that belongs to it (may be NULL). */
uint32_t gpu_error_class_of(const gpu_driver *, gpu_result, accel_status *);

/* A driver's call on the device failed while libaccel did `what` ("launch of kernel \"axpy\""): sets the error text
 * and returns the status. A fault or a loss stays with the device: its text names the last launches, and the listeners
 * learn of it. */
accel_status gpu_device_failed(accel_impl_device *, const char *what, gpu_result);
/* ACCEL_OK, or the device's sticky failure with its text. */
accel_status gpu_device_check(accel_impl_device *);
static inline bool gpu_device_has_failed(accel_impl_device *device)
{
    return plugin_failure_status(&device->fault) != ACCEL_OK;
}
/* properties.c: contract of accel_device_vtable; and bytes of a kernel's argument struct, at most. */
accel_status gpu_device_info(accel_impl_device *, accel_device_properties *);
size_t gpu_max_args_size(const accel_impl_device *);
/* The fault of a device among those of the bits, or ACCEL_OK. */
accel_status gpu_backend_fault(accel_impl_backend *, uint64_t ordinals);

#endif
