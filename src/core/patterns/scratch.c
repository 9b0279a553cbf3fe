/* SPDX-License-Identifier: Apache-2.0 */
#include "core/patterns/scratch.h"

#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/memory/buffer.h"

#include <pthread.h>

#define ALIGNMENT 256u

struct accel_scratch {
    pthread_mutex_t lock; /* held from enter to leave; guards the rest */
    accel_queue *queue;
    accel_impl_memory *memory;
    unsigned char *ptr;
    size_t bytes;
    accel_buffer *slot; /* NULL until a result goes to another device */
};

static bool is_ordered(const accel_queue *queue)
{
    return queue->backend->queue_vtable.allocate_async != NULL;
}

/* Behind the work that was submitted to the queue so far. */
static void give_back(accel_queue *queue, accel_scratch *scratch)
{
    accel_buffer_release(scratch->slot);
    scratch->slot = NULL;
    if (scratch->memory == NULL)
        return;
    if (!is_ordered(queue))
        queue->backend->device_vtable.free(queue->device->impl, scratch->memory);
    else if (atomic_load_explicit(&queue->fork_generation, memory_order_relaxed) == accel_guard_fork_generation)
        queue->backend->queue_vtable.free_async(queue->impl, scratch->memory);
    /* Else the queue is the parent's, and so is the memory. */
    scratch->memory = NULL;
}

static void end(accel_queue *queue)
{
    accel_scratch *scratch = queue->scratch;

    give_back(queue, scratch);
    pthread_mutex_destroy(&scratch->lock);
    accel_deallocate(scratch);
}

/* Made by the first call; NULL: out of memory. */
static accel_scratch *scratch_of(accel_queue *queue)
{
    accel_scratch *scratch = atomic_load_explicit(&queue->scratch, memory_order_acquire);
    if (scratch != NULL)
        return scratch;
    accel_scratch *made = accel_allocate(sizeof(*made));
    if (made == NULL)
        return NULL;
    pthread_mutex_init(&made->lock, NULL);
    made->queue = queue;
    atomic_store_explicit(&queue->end_scratch, end, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&queue->scratch, &scratch, made, memory_order_acq_rel,
                                                memory_order_acquire))
        return made;
    pthread_mutex_destroy(&made->lock); /* another thread was faster */
    accel_deallocate(made);
    return scratch;
}

static accel_status allocate(accel_queue *queue, size_t bytes, accel_impl_memory **memory, void **ptr)
{
    accel_memory_request request = {.struct_size = sizeof(request), .size = bytes, .alignment = ALIGNMENT};
    void *host_ptr = NULL;

    if (is_ordered(queue))
        return queue->backend->queue_vtable.allocate_async(queue->impl, &request, memory, ptr, &host_ptr);
    return queue->backend->device_vtable.allocate(queue->device->impl, &request, memory, ptr, &host_ptr);
}

static accel_status grow(const char *function, accel_queue *queue, accel_scratch *scratch, size_t bytes)
{
    const accel_device_properties *device = &queue->device->properties;
    accel_impl_memory *memory = NULL;
    void *ptr = NULL;
    accel_status status;

    if (device->max_allocation != 0 && bytes > device->max_allocation)
        return accel_error_set(ACCEL_LIMIT,
                               "%s: %zu bytes on \"%s\" for the results between two steps, which has at most %llu "
                               "(max_allocation); take fewer elements at a time",
                               function, bytes, device->name, (unsigned long long)device->max_allocation);
    status = allocate(queue, bytes, &memory, &ptr);
    if (status != ACCEL_OK) {
        char text[ACCEL_ERROR_SIZE];

        accel_error_save(text);
        accel_error_set(status, "%s: %zu bytes on \"%s\" for the results between two steps: %s", function, bytes,
                        device->name, text);
        return accel_device_failed(function, queue->device, status);
    }
    give_back(queue, scratch);
    scratch->memory = memory;
    scratch->ptr = ptr;
    scratch->bytes = bytes;
    return ACCEL_OK;
}

accel_status accel_scratch_enter(const char *function, accel_queue *queue, size_t bytes, accel_scratch **out)
{
    accel_scratch *scratch = scratch_of(queue);
    accel_status status = ACCEL_OK;

    if (scratch == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    pthread_mutex_lock(&scratch->lock);
    if (scratch->bytes < bytes)
        status = grow(function, queue, scratch, bytes);
    if (status == ACCEL_OK)
        status = accel_device_result(function, queue->device, queue->backend->queue_vtable.begin_steps(queue->impl));
    if (status != ACCEL_OK)
        pthread_mutex_unlock(&scratch->lock);
    else
        *out = scratch;
    return status;
}

void accel_scratch_leave(accel_scratch *scratch)
{
    accel_queue *queue = scratch->queue;

    queue->backend->queue_vtable.end_steps(queue->impl);
    pthread_mutex_unlock(&scratch->lock);
}

unsigned char *accel_scratch_memory(const accel_scratch *scratch)
{
    return scratch->ptr;
}

accel_status accel_scratch_slot(const char *function, accel_queue *queue, accel_scratch *scratch, size_t element_size,
                                accel_buffer **out)
{
    accel_buffer_desc desc = accel_buffer_1d(element_size, 1);
    accel_buffer *slot = NULL;

    if (scratch->slot == NULL || scratch->slot->element_size != element_size) {
        if (accel_buffer_wrap(queue->device, scratch->ptr, &desc, &slot) != ACCEL_OK)
            return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
        accel_buffer_release(scratch->slot);
        scratch->slot = slot;
    }
    *out = scratch->slot;
    return ACCEL_OK;
}
