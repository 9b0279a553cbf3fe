/* SPDX-License-Identifier: Apache-2.0 */
#include "core/patterns/place.h"

#include "core/base/error.h"

static const char *reason(const accel_queue *queue, const accel_buffer *buffer)
{
    const accel_buffer *whole = buffer->parent != NULL ? buffer->parent : buffer;

    if (whole->owner == ACCEL_OWNER_QUEUE && whole->queue != queue)
        return ", which another queue gives back in its own order";
    if (buffer->flags != 0)
        return ", which the driver of another device has pinned and gives back";
    return accel_queue_elsewhere(queue, buffer->device);
}

accel_status accel_place_check_instance(const char *function, const char *what, const accel_device *device,
                                        const accel_buffer *buffer)
{
    char text[320];

    if (buffer->device->instance == device->instance)
        return ACCEL_OK;
    return accel_error_set(
        ACCEL_INVALID,
        "%s: %s, a %s, is of another instance than the queue's \"%s\"; create it on a device of the queue's instance, and copy it",
        function, what, accel_buffer_text(buffer, text), device->properties.name);
}

accel_status accel_place_refused(const char *function, const char *what, const accel_queue *queue,
                                 const accel_buffer *buffer)
{
    char text[320];

    return accel_error_set(ACCEL_INVALID,
                           "%s: kernels of this queue of \"%s\" do not use %s, a %s%s; give a buffer of "
                           "accel_buffer_create on the queue's device, and copy it",
                           function, queue->device->properties.name, what, accel_buffer_text(buffer, text),
                           reason(queue, buffer));
}
