/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCEL_GPU_EVENT_H
#define ACCEL_GPU_EVENT_H

#include "plugins/gpu/queue/record.h"

struct accel_impl_event {
    uint32_t flags;       /* ACCEL_EVENT_* */
    uint32_t generation;  /* of forks */
    pthread_mutex_t lock; /* guards the pointer, and changes of a record that the event alone has */
    gpu_record *latest;   /* retained; never NULL */
};

/* Contract of accel_device_vtable. */
accel_status gpu_event_create(accel_impl_device *, uint32_t flags, accel_impl_event **);

/* A new reference to the latest record. */
gpu_record *gpu_event_latest(accel_impl_event *);

extern const accel_event_vtable gpu_event_vtable;

#endif
