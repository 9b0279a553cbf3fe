/* SPDX-License-Identifier: Apache-2.0 */
/* The queues of a device, for accel_device_wait. */
#include "core/base/allocate.h"
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

/* References to the queues of the device, as many as there are; *count says how many. NULL without memory. */
static accel_queue **snapshot(accel_device *device, size_t *count)
{
    accel_device *root = device->root;
    accel_queue **queues;
    size_t listed = 0, taken = 0;

    accel_guard_lock();
    for (accel_queue *queue = root->queues; queue != NULL; queue = queue->next)
        ++listed;
    queues = accel_allocate_array(listed, sizeof(accel_queue *));
    for (accel_queue *queue = root->queues; queue != NULL && queues != NULL; queue = queue->next) {
        if (is_of(queue->device, device) && try_retain(queue))
            queues[taken++] = queue;
    }
    accel_guard_unlock();
    *count = taken;
    return queues;
}

/* Waits for every queue of the device and of its sub-devices; returns the first failure, after all were waited for. */
static accel_status wait_for_all(const char *function, accel_device *device)
{
    accel_status first = ACCEL_OK;
    char *text = NULL;
    size_t count;
    accel_queue **queues = snapshot(device, &count);

    if (queues == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    for (size_t i = 0; i < count; ++i) {
        accel_status status = accel_queue_check(function, queues[i]);
        if (status == ACCEL_OK)
            status = accel_device_result(function, queues[i]->device,
                                         queues[i]->backend->queue_vtable.wait(queues[i]->impl));
        if (status != ACCEL_OK && first == ACCEL_OK) {
            first = status;
            text = accel_text_copy(accel_error_message());
        }
        accel_queue_release(queues[i]);
    }
    accel_guard_run_deferred(); /* what host functions released */
    if (text != NULL)           /* a later failure, or a release, may have left another */
        accel_error_set(first, "%s", text);
    accel_deallocate(text);
    accel_deallocate(queues);
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
