/* SPDX-License-Identifier: Apache-2.0 */
/* Which buffers the kernels of a queue use themselves: results of patterns, and all of algorithms. */
#ifndef ACCEL_CORE_PLACE_H
#define ACCEL_CORE_PLACE_H

#include "core/api/queue.h"
#include "core/memory/buffer.h"

/* Do kernels of the queue use the buffer themselves? Not those of another instance, nor memory that another queue, or the driver of
 * a GPU, takes back while they run: a copy holds the buffer until it is done. */
static inline bool accel_place_is_direct(const accel_queue *queue, const accel_buffer *buffer)
{
    const accel_buffer *whole = buffer->parent != NULL ? buffer->parent : buffer;

    if (buffer->device->instance != queue->device->instance ||
        (whole->owner == ACCEL_OWNER_QUEUE && whole->queue != queue))
        return false;
    if (buffer->device == queue->root)
        return true;
    if (queue->device->properties.kind != ACCEL_DEVICE_CPU ||
        (buffer->flags != 0 && buffer->allocator->properties.kind != ACCEL_DEVICE_CPU))
        return false;
    return accel_device_on_host(buffer->device);
}

/* They do not: ACCEL_INVALID, with the reason and what would do. `what` is the parameter's name. */
accel_status accel_place_refused(const char *function, const char *what, const accel_queue *, const accel_buffer *);

/* Of a result that is copied where kernels do not write it: ACCEL_INVALID if it is of another instance than the device. */
accel_status accel_place_check_instance(const char *function, const char *what, const accel_device *,
                                        const accel_buffer *);

#endif
