/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU engine: everything of a CPU backend but the way in which it runs blocks (executor.h). It is one
 * library beside the plugins, libaccelcpu.so, so that there is one engine in the process; a plugin is its descriptor and an
 * executor. What plugins take from the library is marked CPU_EXPORT.
 *
 * Lifetimes: a queue holds its device, a device its backend, each by a count of its own. libaccel's handle is one
 * reference; a queue that still has work outlives its handle, and the last one out frees the backend.
 */
#ifndef ACCEL_CPU_ENGINE_H
#define ACCEL_CPU_ENGINE_H

#include "plugins/cpu/dispatch/division.h"
#include "plugins/cpu/dispatch/executor.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/engine/isa.h"
#include "plugins/cpu/engine/process.h"
#include "plugins/cpu/engine/settings.h"

#include <stdatomic.h>

struct accel_impl_backend {
    _Atomic uint32_t references;
    const cpu_executor *executor; /* makes those of the devices, or serves them itself */
    uint32_t opened;              /* the process's, for cpu_process_close */
    _Atomic uint32_t generation;  /* of forks, see fork.h */
    uint8_t mask[CPU_MASK_BYTES]; /* CPUs of the process */
    bool narrowed;                /* they became fewer with the last fork */
    cpu_settings settings;
    cpu_isa_words isa;
    uint32_t isa_level; /* what runs here: cpu_isa_native_level */
};

struct accel_impl_device {
    _Atomic uint32_t references;
    accel_impl_backend *backend;  /* retained */
    const cpu_executor *executor; /* `own`, or the backend's */
    cpu_executor *own;            /* NULL: the backend's serves */
    _Atomic uint32_t generation;  /* of forks, see fork.h */
    uint8_t mask[CPU_MASK_BYTES]; /* CPUs of its threads */
    _Atomic uint32_t caches_state;
    cpu_caches caches; /* cpu_device_caches */
};

/* Of accel_impl_device.caches. */
enum { CPU_CACHES_UNREAD, CPU_CACHES_WRITTEN /* by another thread, now */, CPU_CACHES_READ };

/* What a plugin's `open` does. */
CPU_EXPORT accel_status cpu_backend_open(const cpu_executor *, const accel_host_services *, accel_open_result *);
void cpu_backend_release(accel_impl_backend *);

accel_status cpu_device_open(accel_impl_backend *, accel_impl_device **);
/* partition.c: contract of accel_device_vtable. The backend makes executors. */
accel_status cpu_device_partition(accel_impl_device *, const accel_partition_desc *, accel_impl_device **,
                                  size_t capacity, size_t *count);
/* The same, on a machine with that topology. */
accel_status cpu_device_partition_on(const cpu_topology *topology, accel_impl_device *, const accel_partition_desc *,
                                     accel_impl_device **, size_t capacity, size_t *count);
/* A device on these CPUs, which are among the process's. */
accel_status cpu_device_make(accel_impl_backend *, const uint8_t mask[CPU_MASK_BYTES], accel_impl_device **);
/* In the child of a fork, before anything runs on the device or its CPUs are asked for. Both may be called at any time. */
void cpu_backend_after_fork(accel_impl_backend *);
void cpu_device_after_fork(accel_impl_device *);
void cpu_device_retain(accel_impl_device *);
void cpu_device_release(accel_impl_device *);
/* Read from the system when they are first asked for: a program that starts does not wait for dozens of files. */
cpu_caches cpu_device_caches(accel_impl_device *);
accel_status cpu_device_memory(accel_impl_device *, size_t *free_bytes, size_t *total_bytes);

/* Limits of every CPU device. */
enum {
    CPU_BASE_ALIGNMENT = 256,
    CPU_PITCH_ALIGNMENT = 64,
    CPU_MAX_SHARED_BYTES = 16 << 20 /* of a block */
};

extern const accel_device_vtable cpu_device_vtable;
extern const accel_queue_vtable cpu_queue_vtable;
extern const accel_event_vtable cpu_event_vtable;
extern const accel_module_vtable cpu_module_vtable;

/* device.c gathers these from the files of their nouns. */
accel_status cpu_queue_create(accel_impl_device *, uint32_t flags, int32_t priority, accel_impl_queue **);
accel_status cpu_event_create(accel_impl_device *, uint32_t flags, accel_impl_event **);
accel_status cpu_module_load(accel_impl_device *, const accel_image *, accel_impl_module **);

#endif
