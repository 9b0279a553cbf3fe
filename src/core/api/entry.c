/* SPDX-License-Identifier: Apache-2.0 */
#include "core/api/entry.h"

#include <string.h>

accel_status accel_entry_null(const char *function, const char *parameter)
{
    return accel_error_set(ACCEL_INVALID, "%s: parameter \"%s\" is NULL", function, parameter);
}

/* Memory and code of CPUs live on in the child of a fork; what a driver keeps does not. */
static bool survives_fork(const accel_device *device)
{
    return device->properties.kind == ACCEL_DEVICE_HOST || device->properties.kind == ACCEL_DEVICE_CPU;
}

static accel_status check_lost(const char *function, const accel_device *device)
{
    if (atomic_load_explicit(&device->root->lost, memory_order_relaxed) == 0)
        return ACCEL_OK;
    return accel_error_set(
        ACCEL_DEVICE_LOST,
        "%s: device \"%s\" was lost by an earlier operation and answers no more calls in this process; release "
        "its objects, and go on with another device or in a new process",
        function, device->properties.name);
}

accel_status accel_entry_usable(const char *function, const char *object, const accel_device *device,
                                uint32_t generation)
{
    if (generation != accel_guard_fork_generation && !survives_fork(device))
        return accel_error_set(
            ACCEL_FORKED,
            "%s: the %s of \"%s\" was made before fork, and drivers do not survive a fork; create a new instance "
            "in the child, or fork before accel_instance_create",
            function, object, device->properties.name);
    return check_lost(function, device);
}

accel_status accel_entry_check(const char *function, const char *object, const accel_device *device,
                               uint32_t generation)
{
    accel_status status = accel_guard_check(function);

    return status != ACCEL_OK ? status : accel_entry_usable(function, object, device, generation);
}

accel_status accel_entry_queue_query(const char *function, accel_queue *queue)
{
    if (queue == NULL)
        return accel_entry_null(function, "queue");
    if (atomic_load_explicit(&queue->fork_generation, memory_order_relaxed) != accel_guard_fork_generation) {
        accel_status status = accel_queue_after_fork(function, queue);
        if (status != ACCEL_OK)
            return status;
    }
    return check_lost(function, queue->device);
}

accel_status accel_entry_queue_slow(const char *function, accel_queue *queue)
{
    accel_status status = accel_guard_check(function);

    return status != ACCEL_OK ? status : accel_entry_queue_query(function, queue);
}

accel_status accel_entry_failed(const char *function, accel_device *device, accel_status status)
{
    if (status == ACCEL_DEVICE_LOST)
        atomic_store_explicit(&device->root->lost, 1, memory_order_relaxed);
    if (strstr(accel_error_message(), device->properties.name) != NULL)
        return accel_error_prefix(status, function);

    /* A plugin's words, which need not name the device. */
    const char *text = accel_error_message();
    size_t length = strlen(function);

    if (strncmp(text, function, length) == 0 && text[length] == ':')
        text += length + 1 + (text[length + 1] == ' ');
    if (text[0] == '\0')
        text = accel_status_name(status);
    return accel_error_set(status, "%s: \"%s\": %s", function, device->properties.name, text);
}

accel_status accel_entry_foreign_buffer(const char *function, const accel_queue *queue, const accel_device *buffers)
{
    if (buffers->backend == NULL)
        return accel_error_set(ACCEL_INVALID,
                               "%s: the buffer lies in memory of the \"host\", which has no queues (this one is of "
                               "\"%s\"); the program reads and writes it itself, through accel_buffer_ptr",
                               function, queue->device->properties.name);
    return accel_error_set(
        ACCEL_INVALID, "%s: the queue is of \"%s\", the buffer of \"%s\"%s; use a queue of the buffer's device",
        function, queue->device->properties.name, buffers->properties.name, accel_entry_elsewhere(queue, buffers));
}

void accel_entry_destroy(accel_deferred *link, void (*destroy)(void *object), void *object)
{
    if (accel_guard_inside()) {
        accel_guard_defer(link, destroy, object);
        return;
    }
    destroy(object);
    accel_guard_run_deferred();
}
