/* SPDX-License-Identifier: Apache-2.0 */
/* Where patterns write their results. */
#ifndef ACCEL_CORE_PLACE_H
#define ACCEL_CORE_PLACE_H

#include "core/api/queue.h"
#include "core/memory/buffer.h"

/* Do kernels of the queue write to the buffer themselves? Not to memory that another queue, or another driver, takes back
 * while they run: a copy holds the buffer until it is done. */
static inline bool accel_place_is_direct(const accel_queue *queue, const accel_buffer *buffer)
{
    if (buffer->owner == ACCEL_OWNER_QUEUE && buffer->queue != queue)
        return false;
    if (buffer->device == queue->root)
        return true;
    if (queue->device->properties.kind != ACCEL_DEVICE_CPU || buffer->flags != 0)
        return false;
    return accel_device_on_host(buffer->device);
}

#endif
