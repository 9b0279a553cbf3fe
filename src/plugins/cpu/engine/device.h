/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: CPUs, and the executor that runs kernels on them. */
#ifndef ACCEL_CPU_DEVICE_H
#define ACCEL_CPU_DEVICE_H

#include "plugins/cpu/dispatch/division.h"
#include "plugins/cpu/engine/backend.h"
#include "plugins/cpu/transfer/routes.h"

struct accel_impl_device {
    plugin_reference references;
    accel_impl_backend *backend;  /* retained */
    const cpu_executor *executor; /* `own`, or the backend's */
    cpu_executor *own;            /* NULL: the backend's serves */
    _Atomic uint32_t generation;  /* of forks, see fork.h */
    uint8_t mask[CPU_MASK_BYTES]; /* CPUs of its threads */
    _Atomic uint32_t caches_state;
    cpu_caches caches; /* cpu_device_caches */
    cpu_routes routes; /* of its copies and fills */
};

/* Of accel_impl_device.caches. */
enum { CPU_CACHES_UNREAD, CPU_CACHES_WRITTEN /* by another thread, now */, CPU_CACHES_READ };

accel_status cpu_device_open(accel_impl_backend *, accel_impl_device **);
/* partition.c: contract of accel_device_vtable. The backend makes executors. */
accel_status cpu_device_partition(accel_impl_device *, const accel_partition_desc *, accel_impl_device **,
                                  size_t capacity, size_t *count);
/* The same, on a machine with that topology. */
accel_status cpu_device_partition_on(const cpu_topology *, accel_impl_device *, const accel_partition_desc *,
                                     accel_impl_device **, size_t capacity, size_t *count);
/* A device on these CPUs, which are among the process's. */
accel_status cpu_device_make(accel_impl_backend *, const uint8_t mask[CPU_MASK_BYTES], accel_impl_device **);
/* In the child of a fork, before anything runs on the device or its CPUs are asked for. At any time. */
void cpu_device_after_fork(accel_impl_device *);
void cpu_device_retain(accel_impl_device *);
void cpu_device_release(accel_impl_device *);
/* Read from the system when they are first asked for: a program that starts does not wait for dozens of files. */
cpu_caches cpu_device_caches(accel_impl_device *);

/* Contracts: accel_device_vtable. */
accel_status cpu_device_info(accel_impl_device *, accel_device_properties *);
accel_status cpu_device_topology(accel_impl_device *, accel_device_properties *);
accel_status cpu_device_memory(accel_impl_device *, size_t *free_bytes, size_t *total_bytes);

/* Limits of every CPU device. */
enum {
    CPU_BASE_ALIGNMENT = 256,
    CPU_PITCH_ALIGNMENT = 64,
    CPU_MAX_SHARED_BYTES = 16 << 20 /* of a block */
};

#endif
