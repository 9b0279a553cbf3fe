/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A backend that is watched. Its tables are exchanged for those of this folder, and what its slots make is wrapped: core
 * carries a watch_queue as the plugin's accel_impl_queue, and so on. A backend that nobody watches knows nothing of this.
 */
#ifndef ACCEL_CORE_WATCH_H
#define ACCEL_CORE_WATCH_H

#include "core/plugins/backend.h"
#include "core/tools/timing.h"

typedef struct accel_watch {
    accel_tools tools;
    accel_impl_backend *inner;
    accel_backend_vtable backend; /* the plugin's, completed */
    accel_device_vtable device;
    accel_queue_vtable queue;
    accel_event_vtable event;
    accel_module_vtable module;
    char name[32];
} accel_watch;

typedef struct watch_device {
    accel_watch *watch;
    accel_impl_device *inner;
    uint64_t id, parent;
    uint32_t kind; /* enum accel_device_kind; set by `info`, before anybody else has the device */
    char name[64];
    _Atomic uint64_t in_use; /* bytes; relaxed */
    watch_origin origin;
} watch_device;

typedef struct watch_memory {
    accel_impl_memory *inner;
    uint64_t id, bytes;
} watch_memory;

typedef struct watch_queue {
    accel_watch *watch;
    accel_impl_queue *inner;
    watch_device *device;
    uint64_t id;
    watch_timeline timeline;
} watch_queue;

typedef struct watch_event {
    accel_watch *watch;
    accel_impl_event *inner;
    watch_device *device;
    uint64_t id;
    _Atomic uint64_t recorded; /* the operation that did it last; relaxed: a number */
} watch_event;

typedef struct watch_kernel watch_kernel;
typedef struct watch_module {
    accel_watch *watch;
    accel_impl_module *inner;
    watch_device *device;
    uint64_t id;
    _Atomic(watch_kernel *) kernels; /* pushed with release; none leaves before the module ends */
} watch_module;

struct watch_kernel {
    watch_kernel *next;
    watch_module *module;
    accel_impl_kernel *inner;
    uint64_t id;
    const char *name; /* lives as long as the process */
};

/* What core carries as the plugin's object is ours, and back. */
#define WATCH_OBJECT(noun)                                                                                             \
    static inline watch_##noun *watch_##noun##_of(accel_impl_##noun *impl)                                             \
    {                                                                                                                  \
        return (watch_##noun *)(void *)impl;                                                                           \
    }                                                                                                                  \
    static inline accel_impl_##noun *watch_##noun##_impl(watch_##noun *object)                                         \
    {                                                                                                                  \
        return (accel_impl_##noun *)(void *)object;                                                                    \
    }
WATCH_OBJECT(device)
WATCH_OBJECT(memory)
WATCH_OBJECT(queue)
WATCH_OBJECT(event)
WATCH_OBJECT(module)
WATCH_OBJECT(kernel)

/* The point of a timeline that the thread asked an event for last: a queue of another backend waits for it next. */
typedef struct watch_source {
    const accel_timeline *timeline;
    uint64_t value;
    uint64_t event, recorded;
} watch_source;
extern _Thread_local watch_source accel_watch_timeline_source;

/* Exchanges the tables of a backend that was opened just now, if the tools ask for anything. ACCEL_OUT_OF_MEMORY: it is as
 * it was. */
accel_status accel_watch_install(accel_backend *, const accel_tools *);

/* The slots, by table. Optional ones that the plugin lacks stay NULL. */
void accel_watch_fill_device(accel_device_vtable *, const accel_watch *);
void accel_watch_fill_queue(accel_queue_vtable *, const accel_watch *);
void accel_watch_fill_event(accel_event_vtable *);
void accel_watch_fill_module(accel_module_vtable *, const accel_watch *);

/* Wrap what the plugin made. Without memory they end it. */
accel_status accel_watch_device_make(accel_watch *, accel_impl_device **, const watch_device *parent, size_t ordinal);
accel_status accel_watch_queue_make(watch_device *, uint32_t flags, bool wrapped, accel_impl_queue **);
/* Memory comes into use, and goes: `end` frees the wrapper and returns the plugin's. */
void accel_watch_memory_begin(watch_device *, const accel_memory_request *, accel_impl_memory *, watch_memory *);
accel_impl_memory *accel_watch_memory_end(watch_device *, accel_impl_memory *);

/* The calling thread waited for a queue or an event from `begun` until now. */
void accel_watch_host_wait(const watch_device *, uint64_t queue, const watch_event *, uint64_t begun, accel_status);

#endif
