/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of buffers: the process's own. */
#ifndef ACCEL_CPU_MEMORY_H
#define ACCEL_CPU_MEMORY_H

#include "plugins/cpu/dispatch/observer.h"
#include "plugins/cpu/fault/buffers.h"

#include <accel/plugin.h>

/* Released memory waits for a queue: see queue/retire.h. */
typedef struct cpu_memory_wait {
    struct cpu_memory_wait *next; /* of the same queue */
    accel_impl_memory *memory;
    uint64_t ticket; /* the last that it waits for; unused in a blocking queue: it waits for the operation that runs */
} cpu_memory_wait;

enum { CPU_MEMORY_WAITS = 4 };

struct accel_impl_memory {
    void *data;                   /* owned */
    const cpu_observer *observer; /* whose memory it is; NULL: the engine's own */
    cpu_buffer_note note;         /* while faults are reported */
    /* Once it is released. */
    uint32_t waits;                 /* those that stand in lists of queues */
    uint64_t number;                /* of the last queue that was asked; UINT64_MAX: all were */
    struct accel_impl_memory *next; /* of those about to be freed */
    cpu_memory_wait wait[CPU_MEMORY_WAITS];
};

/* Contract: accel_device_vtable. */
accel_status cpu_memory_allocate(accel_impl_device *, const accel_memory_request *, accel_impl_memory **, void **ptr,
                                 void **host_ptr);
/* Nothing uses it any more. */
void cpu_memory_free(accel_impl_memory *);

#endif
