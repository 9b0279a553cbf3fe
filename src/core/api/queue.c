/* SPDX-License-Identifier: Apache-2.0 */
#include "core/api/queue.h"

#include "core/api/released.h"
#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"

#include <sched.h>
#include <string.h>

static void enlist(accel_queue *queue)
{
    accel_device *root = queue->root;

    accel_guard_lock();
    queue->previous = NULL;
    queue->next = root->queues;
    if (root->queues != NULL)
        root->queues->previous = queue;
    root->queues = queue;
    accel_guard_unlock();
}

static void delist(accel_queue *queue)
{
    accel_device *root = queue->root;

    accel_guard_lock();
    if (queue->previous != NULL)
        queue->previous->next = queue->next;
    else
        root->queues = queue->next;
    if (queue->next != NULL)
        queue->next->previous = queue->previous;
    accel_guard_unlock();
}

/* The object around what `make` gave; on failure `queue` is left for the caller to free. */
static void complete(accel_queue *queue, accel_device *device, uint32_t flags)
{
    queue->launch = device->backend->queue_vtable.launch;
    queue->root = device->root;
    queue->flags = flags;
    queue->backend = device->backend;
    queue->device = accel_device_retain(device);
    atomic_init(&queue->fork_generation, accel_guard_fork_generation);
    atomic_init(&queue->fork_claimed, accel_guard_fork_generation);
    atomic_init(&queue->fork_settled, accel_guard_fork_generation);
    accel_reference_init(&queue->reference);
    enlist(queue);
}

static accel_queue *blank(void)
{
    accel_queue *queue = accel_allocate_aligned(ACCEL_CACHE_LINE, sizeof(*queue));

    return queue != NULL ? memset(queue, 0, sizeof(*queue)) : NULL;
}

static accel_status check_device(const char *function, const accel_device *device, const void *out)
{
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (device == NULL)
        return accel_error_null(function, "device");
    if (out == NULL)
        return accel_error_null(function, "queue");
    if (device->backend == NULL)
        return accel_error_set(
            ACCEL_UNSUPPORTED,
            "%s: \"host\" is memory only and has no queues; use a queue of the device that the copy goes to or comes "
            "from, or of a CPU backend",
            function);
    return accel_device_usable(function, "device", device, device->fork_generation);
}

ACCEL_API accel_status accel_queue_create(accel_device *device, const accel_queue_desc *given, accel_queue **out)
{
    accel_queue_desc desc;
    accel_queue *queue;
    accel_status status = check_device("accel_queue_create", device, out);

    if (status != ACCEL_OK)
        return status;
    status = accel_struct_import("accel_queue_create", "accel_queue_desc", &desc, sizeof(desc), given);
    if (status != ACCEL_OK)
        return status;
    if ((desc.flags & ~(uint32_t)(ACCEL_QUEUE_BLOCKING | ACCEL_QUEUE_PROFILING)) != 0)
        return accel_error_set(
            ACCEL_INVALID, "accel_queue_create: flags 0x%x; known are ACCEL_QUEUE_BLOCKING and ACCEL_QUEUE_PROFILING",
            desc.flags);
    if (desc.priority < device->properties.min_priority)
        desc.priority = device->properties.min_priority;
    if (desc.priority > device->properties.max_priority)
        desc.priority = device->properties.max_priority;
    accel_guard_run_deferred();

    queue = blank();
    if (queue == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, "accel_queue_create");
    status = device->backend->device_vtable.queue_create(device->impl, desc.flags, desc.priority, &queue->impl);
    status = accel_slot_made("queue_create", status, queue->impl);
    if (status != ACCEL_OK) {
        accel_deallocate(queue);
        return accel_device_failed("accel_queue_create", device, status);
    }
    complete(queue, device, desc.flags);
    *out = queue;
    return ACCEL_OK;
}

ACCEL_API accel_status accel_queue_wrap(accel_device *device, void *native, accel_queue **out)
{
    accel_queue *queue;
    accel_status status = check_device("accel_queue_wrap", device, out);

    if (status != ACCEL_OK)
        return status;
    accel_guard_run_deferred();
    queue = blank();
    if (queue == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, "accel_queue_wrap");
    /* A NULL stream is a stream: the driver's default one. */
    status = device->backend->device_vtable.queue_wrap(device->impl, native, &queue->impl);
    if (status != ACCEL_OK) {
        accel_deallocate(queue);
        return accel_device_failed("accel_queue_wrap", device, status);
    }
    complete(queue, device, 0);
    *out = queue;
    return ACCEL_OK;
}

ACCEL_API accel_queue *accel_queue_retain(accel_queue *queue)
{
    if (queue != NULL)
        accel_reference_retain(&queue->reference);
    return queue;
}

static void discard(accel_queue *queue)
{
    accel_released released = {.object = queue, .discard = accel_deallocate, .reference = &queue->reference};

    if (!accel_released_begin(queue->backend, ACCEL_OBJECT_QUEUE, &released)) {
        accel_deallocate(queue);
        return;
    }
    atomic_store_explicit(&queue->fork_generation, released.generation, memory_order_relaxed);
    queue->device = queue->root = &accel_device_of_released;
    accel_released_keep(&released);
}

static void destroy(void *object)
{
    accel_queue *queue = object;
    accel_device *device = queue->device;

    delist(queue);
    if (queue->scratch != NULL)
        queue->end_scratch(queue);
    queue->backend->queue_vtable.destroy(queue->impl);
    discard(queue);
    accel_device_release(device);
}

ACCEL_API void accel_queue_release(accel_queue *queue)
{
    if (queue != NULL && accel_reference_release(&queue->reference))
        accel_guard_destroy(&queue->deferred, destroy, queue);
}

ACCEL_API accel_status accel_queue_wait(accel_queue *queue)
{
    accel_status status = accel_queue_check("accel_queue_wait", queue);

    if (status != ACCEL_OK)
        return status;
    status = queue->backend->queue_vtable.wait(queue->impl);
    if (!accel_queue_blocking(queue))
        accel_guard_run_deferred(); /* what its host functions released */
    return accel_device_result("accel_queue_wait", queue->device, status);
}

ACCEL_API accel_status accel_queue_is_idle(accel_queue *queue, bool *out)
{
    accel_status status = accel_queue_check_query("accel_queue_is_idle", queue);
    bool idle = false;

    if (status != ACCEL_OK)
        return status;
    if (out == NULL)
        return accel_error_null("accel_queue_is_idle", "yes");
    status = queue->backend->queue_vtable.is_idle(queue->impl, &idle);
    if (status == ACCEL_OK)
        *out = idle;
    return accel_device_result("accel_queue_is_idle", queue->device, status);
}

/* The caller's function on its way through the plugin. */
typedef struct host_call {
    accel_host_fn function;
    void *user;
    bool may_call; /* may the thread that runs it call into a driver afterwards? */
} host_call;

static void run_host_call(host_call call, accel_status status)
{
    accel_guard_enter();
    call.function(call.user, status);
    accel_guard_leave(call.may_call);
}

static void run_here(void *user, accel_status status)
{
    run_host_call(*(host_call *)user, status);
}

static void run_and_free(void *user, accel_status status)
{
    host_call call = *(host_call *)user;

    accel_deallocate(user);
    run_host_call(call, status);
}

ACCEL_API accel_status accel_queue_call(accel_queue *queue, accel_host_fn function, void *user)
{
    accel_status status = accel_queue_check("accel_queue_call", queue);

    if (status != ACCEL_OK)
        return status;
    if (function == NULL)
        return accel_error_null("accel_queue_call", "function");

    host_call call = {function, user, queue->device->properties.kind == ACCEL_DEVICE_CPU};

    if (accel_queue_blocking(queue)) {
        accel_queue_retain(queue); /* the function may release the caller's reference before the slot has returned */
        status = accel_device_result("accel_queue_call", queue->device,
                                     queue->backend->queue_vtable.call(queue->impl, run_here, &call));
        accel_queue_release(queue);
        return status;
    }

    host_call *pending = accel_allocate(sizeof(*pending));
    if (pending == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, "accel_queue_call");
    *pending = call;
    accel_queue_retain(queue); /* likewise */
    status = queue->backend->queue_vtable.call(queue->impl, run_and_free, pending);
    if (status != ACCEL_OK) {
        accel_deallocate(pending);
        accel_device_failed("accel_queue_call", queue->device, status);
    }
    accel_queue_release(queue);
    return status;
}

ACCEL_API accel_device *accel_queue_device(const accel_queue *queue)
{
    return queue != NULL ? queue->device : NULL;
}

accel_status accel_queue_after_fork(const char *function, accel_queue *queue)
{
    const uint32_t generation = atomic_load_explicit(&queue->fork_generation, memory_order_relaxed);

    if (accel_is_released(generation))
        return accel_released_use(function, generation);

    uint32_t now = accel_guard_fork_generation;
    uint32_t claimed = atomic_load_explicit(&queue->fork_claimed, memory_order_relaxed);

    if (claimed != now && atomic_compare_exchange_strong_explicit(&queue->fork_claimed, &claimed, now,
                                                                  memory_order_relaxed, memory_order_relaxed)) {
        /* A queue that was of no use in the parent is of none here. */
        if (queue->fork_status == ACCEL_OK)
            queue->fork_status = queue->backend->queue_vtable.after_fork != NULL
                                     ? queue->backend->queue_vtable.after_fork(queue->impl)
                                     : ACCEL_FORKED;
        if (queue->fork_status == ACCEL_OK)
            atomic_store_explicit(&queue->fork_generation, now, memory_order_relaxed);
        atomic_store_explicit(&queue->fork_settled, now, memory_order_release);
    }
    while (atomic_load_explicit(&queue->fork_settled, memory_order_acquire) != now)
        sched_yield();
    if (queue->fork_status == ACCEL_OK)
        return ACCEL_OK;
    return accel_error_set(
        ACCEL_FORKED,
        "%s: the queue of \"%s\" was made before fork and cannot be used in the child (work was pending, or the "
        "backend's driver does not survive a fork); create a new queue, on a GPU a new instance",
        function, queue->device->properties.name);
}

accel_status accel_queue_check_query(const char *function, accel_queue *queue)
{
    if (queue == NULL)
        return accel_error_null(function, "queue");
    if (atomic_load_explicit(&queue->fork_generation, memory_order_relaxed) != accel_guard_fork_generation) {
        accel_status status = accel_queue_after_fork(function, queue);
        if (status != ACCEL_OK)
            return status;
    }
    return accel_device_check_lost(function, queue->device);
}

accel_status accel_queue_check_slow(const char *function, accel_queue *queue)
{
    accel_status status = accel_guard_check(function);

    return status != ACCEL_OK ? status : accel_queue_check_query(function, queue);
}

accel_status accel_queue_foreign_buffer(const char *function, const accel_queue *queue, const accel_device *buffers)
{
    if (buffers->backend == NULL)
        return accel_error_set(ACCEL_INVALID,
                               "%s: the buffer lies in memory of the \"host\", which has no queues (this one is of "
                               "\"%s\"); the program reads and writes it itself, through accel_buffer_ptr",
                               function, queue->device->properties.name);
    return accel_error_set(
        ACCEL_INVALID, "%s: the queue is of \"%s\", the buffer of \"%s\"%s; use a queue of the buffer's device",
        function, queue->device->properties.name, buffers->properties.name, accel_queue_elsewhere(queue, buffers));
}
