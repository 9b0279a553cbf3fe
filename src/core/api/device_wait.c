/* SPDX-License-Identifier: Apache-2.0 */
/* The queues of a device, for accel_device_wait. */
#include "core/base/error.h"
#include "core/api/queue.h"

static bool is_of(const accel_device *device, const accel_device *ancestor)
{
    while (device != NULL && device != ancestor)
        device = device->parent;
    return device != NULL;
}

/* A reference, unless the last one is gone already: its release waits for the list's lock. */
static bool try_retain(accel_queue *queue)
{
    uint32_t count = atomic_load_explicit(&queue->reference.count, memory_order_relaxed);

    while (count != 0) {
        if (atomic_compare_exchange_weak_explicit(&queue->reference.count, &count, count + 1, memory_order_relaxed,
                                                  memory_order_relaxed))
            return true;
    }
    return false;
}

/* A reference to the next queue of the device behind `queue` (NULL: the first one of all), or NULL. Queues that are made
 * meanwhile come before the first one. */
static accel_queue *next_of(accel_device *device, accel_queue *queue)
{
    accel_guard_lock();
    queue = queue != NULL ? queue->next : device->root->queues;
    while (queue != NULL && !(is_of(queue->device, device) && try_retain(queue)))
        queue = queue->next;
    accel_guard_unlock();
    return queue;
}

/* Waits for every queue of the device and of its sub-devices; returns the first failure, after all were waited for. It needs
 * no memory: whatever it returns, they were. */
static accel_status wait_for_all(const char *function, accel_device *device)
{
    accel_status first = ACCEL_OK;
    char text[ACCEL_ERROR_SIZE];

    for (accel_queue *queue = next_of(device, NULL), *next; queue != NULL; queue = next) {
        accel_status status = accel_queue_check(function, queue);
        if (status == ACCEL_OK)
            status = accel_device_result(function, queue->device, queue->backend->queue_vtable.wait(queue->impl));
        if (status != ACCEL_OK && first == ACCEL_OK) {
            first = status;
            accel_error_save(text);
        }
        next = next_of(device, queue); /* this one is held, and so stays in the list */
        accel_queue_release(queue);
    }
    accel_guard_run_deferred(); /* what host functions released */
    if (first != ACCEL_OK)      /* a later failure, or a release, may have left another text */
        accel_error_restore(text);
    return first;
}

ACCEL_API accel_status accel_device_wait(accel_device *device)
{
    static const char function[] = "accel_device_wait";

    if (device == NULL)
        return accel_error_null(function, "device");

    accel_status status = accel_device_check(function, "device", device, device->fork_generation);

    if (status != ACCEL_OK || device->backend == NULL) /* the host has no queues */
        return status;
    return wait_for_all(function, device);
}
