/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer: memory of a device, of the host, of the caller, of a module, or a part of another buffer. */
#ifndef ACCEL_CORE_BUFFER_H
#define ACCEL_CORE_BUFFER_H

#include "core/api/device.h"

/* Who frees the memory. */
typedef enum accel_buffer_owner {
    ACCEL_OWNER_NONE,   /* wrapped memory, and buffers without elements */
    ACCEL_OWNER_HOST,   /* libaccel allocated it: host memory where there is no CPU device */
    ACCEL_OWNER_DEVICE, /* device.free of `allocator` */
    ACCEL_OWNER_QUEUE,  /* the queue's order: buffers of create_async */
    ACCEL_OWNER_PARENT, /* views */
    ACCEL_OWNER_MODULE  /* globals */
} accel_buffer_owner;

/* Immutable after creation. */
struct accel_buffer {
    accel_reference reference;
    accel_deferred deferred;
    accel_buffer_owner owner;
    uint32_t flags;            /* ACCEL_BUFFER_* */
    accel_device *device;      /* whose memory it is: a root device, or the host. Retained */
    accel_device *allocator;   /* the device the caller named; for host memory a CPU, if there is one. Retained */
    accel_impl_memory *memory; /* OWNER_DEVICE, OWNER_QUEUE */
    void *allocation;          /* OWNER_HOST */
    accel_queue *queue;        /* OWNER_QUEUE, retained */
    accel_buffer *parent;      /* OWNER_PARENT: never itself a view; retained */
    accel_module *module;      /* OWNER_MODULE, retained */
    uint32_t fork_generation;
    uint32_t dims;
    bool is_told;   /* a view of which the backend is told */
    void *ptr;      /* the first element, as kernels see it */
    void *host_ptr; /* as the host sees it, or NULL */
    size_t element_size;
    size_t extent[ACCEL_MAX_DIMS];
    size_t pitch[ACCEL_MAX_DIMS];
    size_t dense_bytes; /* of all elements where they lie without gaps, else 0 */
};

/* Tells the backend what the program does with a view (enum accel_view_use); only if is_told. */
void accel_buffer_tell(const accel_buffer *, uint32_t use);
/* Tells the backend that finds errors, if there is one, of memory of the host that it did not allocate. */
void accel_buffer_tell_host(const accel_buffer *);
/* True if an extent is 0. */
bool accel_buffer_empty(const accel_buffer *);
/* "buffer of 4x8 elements of 8 bytes on "cuda:0"", for error texts. */
const char *accel_buffer_text(const accel_buffer *, char text[320]);
/* Checks a caller's extent for an operation on the buffer's origin; NULL is all. Writes the extent in elements. */
accel_status accel_buffer_extent(const char *function, const char *parameter, const accel_buffer *,
                                 const size_t given[], size_t extent[ACCEL_MAX_DIMS]);
/* A one-dimensional buffer of bytes over a module's global. */
accel_status accel_buffer_of_module(const char *function, accel_module *, accel_device *, void *ptr, void *host_ptr,
                                    size_t size, accel_buffer **);

/* What an operation keeps alive (plugin.h: accel_hold) is a reference to a buffer under another name, so that holding
 * allocates nothing. */
/* A new reference to the buffer, as a hold; NULL for NULL. */
static inline accel_hold *accel_hold_buffer(accel_buffer *buffer)
{
    return (accel_hold *)accel_buffer_retain(buffer);
}
/* Gives it back, as the host service hold_release does; NULL is allowed. */
static inline void accel_hold_release(accel_hold *hold)
{
    accel_buffer_release((accel_buffer *)hold);
}

#endif
