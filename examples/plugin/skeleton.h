/* SPDX-License-Identifier: Apache-2.0 */
/* The skeleton's objects. A backend replaces what talks to the host by what talks to its hardware. */
#ifndef SKELETON_H
#define SKELETON_H

#include <accel/plugin.h>

#include <pthread.h>
#include <stdatomic.h>

extern const accel_host_services *_Atomic skeleton_host; /* libaccel's services, the same for every instance */

struct accel_impl_memory {
    accel_impl_memory *next; /* among those released while work was pending */
    void *block;
};

/* There is one device, and it lives as long as the process, because pending work may outlive libaccel's interest in it. */
struct accel_impl_device {
    pthread_mutex_t lock; /* guards what follows */
    size_t pending;       /* operations of all queues */
    accel_impl_memory *released;
};
extern accel_impl_device skeleton_device;

/* One record of an event, shared by the event and the queue in which it is pending. */
typedef struct record {
    _Atomic int references;
    accel_timeline *timeline;
    uint64_t value; /* of the timeline, once the record is complete */
    bool timed;
    uint64_t nanoseconds; /* written before the value is reached */
} record;

struct accel_impl_event {
    bool timed;
    pthread_mutex_t lock; /* guards latest */
    record *latest;
};

typedef enum operation_kind { LAUNCH, COPY, FILL, CALL, RECORD, WAIT } operation_kind;

typedef struct operation {
    struct operation *next;
    operation_kind kind;
    accel_hold *holds[2];
    const accel_descriptor *kernel;
    accel_work work;
    accel_copy_params copy;
    accel_fill_params fill;
    accel_host_fn function;
    void *user;
    record *record;
    accel_timeline *timeline;
    uint64_t value;
    _Alignas(64) unsigned char bytes[]; /* arguments or pattern */
} operation;

struct accel_impl_queue {
    uint32_t flags;
    accel_timeline *timeline; /* value n: n operations are done */
    pthread_mutex_t lock;     /* guards what follows */
    pthread_cond_t changed;
    operation *head, **tail;
    uint64_t submitted;
    bool closing;
    accel_status status; /* the first failure that no wait has reported */
    char text[256];
};

struct accel_impl_module {
    void *library;
};

/* memory.c */
accel_status skeleton_allocate(accel_impl_device *device, const accel_memory_request *request,
                               accel_impl_memory **memory, void **ptr, void **host_ptr);
void skeleton_free(accel_impl_device *device, accel_impl_memory *memory);
/* Counts the operations that are pending. */
void skeleton_pending(int change);

/* event.c */
accel_status skeleton_event_create(accel_impl_device *device, uint32_t flags, accel_impl_event **event);
record *skeleton_latest(accel_impl_event *event); /* with a reference; NULL if there is none */
void skeleton_record_release(record *old);
extern const accel_event_vtable skeleton_event_vtable;

/* execute.c */
void *skeleton_queue_thread(void *queue); /* runs operations until the queue is closed and empty, and frees it */
void skeleton_operation_free(operation *op);

/* queue.c */
accel_status skeleton_queue_create(accel_impl_device *device, uint32_t flags, int32_t priority,
                                   accel_impl_queue **queue);
extern const accel_queue_vtable skeleton_queue_vtable;

/* module.c */
accel_status skeleton_module_load(accel_impl_device *device, const accel_image *image, accel_impl_module **module);
extern const accel_module_vtable skeleton_module_vtable;

#endif
