/* SPDX-License-Identifier: Apache-2.0 */
#include "core/memory/port.h"
#include "core/base/allocate.h"
#include "core/base/error.h"

#include <pthread.h>

static const char function[] = "accel_copy";

struct accel_port {
    accel_device *device;  /* which owns the port */
    pthread_mutex_t lock;  /* held from enter to leave; guards the rest */
    accel_impl_queue *now; /* blocking; NULL until it is needed, like the rest */
    accel_impl_queue *later;
    unsigned char *stage;
    accel_impl_memory *pinned; /* the stage's; NULL: it is plain memory */
};

/* The device ends, and no copy is in its port. */
static void end(accel_device *device)
{
    accel_port *port = device->port;

    if (port->now != NULL)
        device->backend->queue_vtable.destroy(port->now);
    if (port->later != NULL)
        device->backend->queue_vtable.destroy(port->later);
    if (port->pinned != NULL)
        device->backend->device_vtable.free(device->impl, port->pinned);
    else
        accel_deallocate(port->stage);
    pthread_mutex_destroy(&port->lock);
    accel_deallocate(port);
    device->port = NULL;
}

accel_port *accel_port_of(accel_device *device)
{
    accel_guard_lock();
    accel_port *port = device->port;
    accel_guard_unlock();
    if (port != NULL)
        return port;

    accel_port *made = accel_allocate(sizeof(*made));

    if (made == NULL)
        return NULL;
    made->device = device;
    pthread_mutex_init(&made->lock, NULL);
    accel_guard_lock();
    if (device->port == NULL) {
        device->port = made;
        device->end_port = end;
        made = NULL;
    }
    port = device->port;
    accel_guard_unlock();
    if (made != NULL) { /* another thread was faster */
        pthread_mutex_destroy(&made->lock);
        accel_deallocate(made);
    }
    return port;
}

/* By address, so that two copies between the same devices do not wait for each other. */
void accel_port_enter(accel_port *first, accel_port *second)
{
    if (second != NULL && (uintptr_t)second < (uintptr_t)first) {
        accel_port *swap = first;
        first = second;
        second = swap;
    }
    pthread_mutex_lock(&first->lock);
    if (second != NULL)
        pthread_mutex_lock(&second->lock);
}

void accel_port_leave(accel_port *first, accel_port *second)
{
    pthread_mutex_unlock(&first->lock);
    if (second != NULL)
        pthread_mutex_unlock(&second->lock);
}

static accel_status result(const accel_port *port, accel_status status)
{
    return accel_device_result(function, port->device, status);
}

static accel_status make_queue(const accel_port *port, uint32_t flags, accel_impl_queue **queue)
{
    const accel_device *device = port->device;

    if (*queue != NULL)
        return ACCEL_OK;
    return result(port, device->backend->device_vtable.queue_create(device->impl, flags, 0, queue));
}

accel_status accel_port_copy(accel_port *port, const accel_copy_params *params)
{
    const accel_queue_vtable *vtable = &port->device->backend->queue_vtable;
    accel_status status = make_queue(port, ACCEL_QUEUE_BLOCKING, &port->now);
    char text[ACCEL_ERROR_SIZE];

    if (status != ACCEL_OK)
        return status;
    status = vtable->copy(port->now, params);
    if (status == ACCEL_OK)
        return ACCEL_OK;
    accel_device_failed(function, port->device, status);
    accel_error_save(text);
    vtable->wait(port->now); /* the queue keeps the failure until then */
    accel_error_restore(text);
    return status;
}

accel_status accel_port_begin_copy(accel_port *port, const accel_copy_params *params)
{
    accel_status status = make_queue(port, 0, &port->later);

    if (status != ACCEL_OK)
        return status;
    return result(port, port->device->backend->queue_vtable.copy(port->later, params));
}

accel_status accel_port_wait(accel_port *port)
{
    return port->later != NULL ? result(port, port->device->backend->queue_vtable.wait(port->later)) : ACCEL_OK;
}

accel_status accel_port_stage(accel_port *port, unsigned char **stage)
{
    enum { SIZE = ACCEL_PORT_CHUNKS * ACCEL_PORT_CHUNK, ALIGNMENT = 4096 };
    const accel_device *device = port->device;

    if (port->stage == NULL && (device->properties.features & ACCEL_FEATURE_PINNED) != 0) {
        accel_memory_request request = {
            .struct_size = sizeof(request), .flags = ACCEL_BUFFER_PINNED, .size = SIZE, .alignment = ALIGNMENT};
        void *ptr = NULL, *host_ptr = NULL;
        accel_status status = result(
            port, device->backend->device_vtable.allocate(device->impl, &request, &port->pinned, &ptr, &host_ptr));

        if (status != ACCEL_OK)
            return status;
        port->stage = host_ptr;
    }
    if (port->stage == NULL) {
        port->stage = accel_allocate_aligned(ALIGNMENT, SIZE);
        if (port->stage == NULL)
            return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    }
    *stage = port->stage;
    return ACCEL_OK;
}
