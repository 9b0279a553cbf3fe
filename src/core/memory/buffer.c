/* SPDX-License-Identifier: Apache-2.0 */
/* Making and ending buffers; views and queries are in buffer_view.c. */
#include "core/memory/buffer.h"

#include "core/base/allocate.h"
#include "core/api/queue.h"
#include "core/api/released.h"
#include "core/base/error.h"
#include "core/memory/extent.h"
#include "core/api/instance.h"
#include "core/base/struct_size.h"

#include <stdio.h>
#include <string.h>

#define HOST_ALIGNMENT 64u    /* M1 */
#define DEVICE_ALIGNMENT 256u /* M1 */
#define PAGE_ALIGNMENT 4096u
#define PAGE_ALIGNED_FROM 65536u /* bytes from which a host buffer begins on a page */

static const char *flag_name(uint32_t flag)
{
    return flag == ACCEL_BUFFER_PINNED   ? "ACCEL_BUFFER_PINNED"
           : flag == ACCEL_BUFFER_MAPPED ? "ACCEL_BUFFER_MAPPED"
                                         : "ACCEL_BUFFER_MANAGED";
}

static accel_status check_flags(const char *function, const accel_device *device, uint32_t flags)
{
    static const struct {
        uint32_t flag, feature;
    } kinds[] = {{ACCEL_BUFFER_PINNED, ACCEL_FEATURE_PINNED},
                 {ACCEL_BUFFER_MAPPED, ACCEL_FEATURE_MAPPED},
                 {ACCEL_BUFFER_MANAGED, ACCEL_FEATURE_MANAGED}};

    if (flags == 0)
        return ACCEL_OK;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i) {
        if (flags != kinds[i].flag)
            continue;
        if (device->backend != NULL && (device->properties.features & kinds[i].feature) != 0)
            return ACCEL_OK;
        return accel_error_set(ACCEL_UNSUPPORTED,
                               "%s: device \"%s\" has no %s memory (see features of accel_device_info); use flags 0",
                               function, device->properties.name, flag_name(flags));
    }
    return accel_error_set(
        ACCEL_INVALID,
        "%s: flags 0x%x; give 0 or one of ACCEL_BUFFER_PINNED, ACCEL_BUFFER_MAPPED and ACCEL_BUFFER_MANAGED", function,
        flags);
}

/* What create, create_async and wrap have in common: a checked layout, in a buffer without memory. `row_alignment`: of rows whose
 * pitch the caller left open. */
static accel_status make(const char *function, accel_device *device, const accel_buffer_desc *given,
                         size_t row_alignment, accel_buffer **out, size_t *bytes)
{
    accel_buffer_desc desc;
    accel_buffer *buffer;
    size_t pitch[ACCEL_MAX_DIMS];
    accel_status status;

    if (given == NULL)
        return accel_error_null(function, "desc");
    status = accel_struct_import(function, "accel_buffer_desc", &desc, sizeof(desc), given);
    if (status == ACCEL_OK)
        status = check_flags(function, device, desc.flags);
    if (status == ACCEL_OK)
        status = accel_extent_layout(function, &desc, row_alignment, pitch, bytes);
    if (status == ACCEL_OK)
        status = accel_device_usable(function, "device", device, device->fork_generation);
    if (status != ACCEL_OK)
        return status;
    accel_guard_run_deferred();

    buffer = accel_allocate(sizeof(*buffer));
    if (buffer == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    accel_reference_init(&buffer->reference);
    buffer->flags = desc.flags;
    buffer->device =
        accel_device_retain((desc.flags & ACCEL_BUFFER_PINNED) != 0 ? device->instance->host : device->root);
    buffer->allocator = accel_device_retain(device);
    buffer->fork_generation = accel_guard_fork_generation;
    buffer->element_size = desc.element_size;
    buffer->dims = desc.dims;
    memcpy(buffer->extent, desc.extent, desc.dims * sizeof(size_t));
    memcpy(buffer->pitch, pitch, sizeof(pitch));
    buffer->dense_bytes = accel_extent_dense(buffer->dims, buffer->extent, buffer->pitch, buffer->element_size);
    *out = buffer;
    return ACCEL_OK;
}

/* Ends what `make` began. */
static void discard(accel_buffer *buffer)
{
    accel_device_release(buffer->device);
    accel_device_release(buffer->allocator);
    accel_deallocate(buffer);
}

static accel_status check_size(const char *function, const accel_device *device, size_t bytes)
{
    if (device->properties.max_allocation == 0 || bytes <= device->properties.max_allocation)
        return ACCEL_OK;
    return accel_error_set(ACCEL_LIMIT,
                           "%s: %zu bytes; a buffer of \"%s\" has at most %llu (max_allocation); divide "
                           "the data among several",
                           function, bytes, device->properties.name,
                           (unsigned long long)device->properties.max_allocation);
}

static accel_status allocation_failed(const char *function, accel_device *device, size_t bytes, accel_status status)
{
    char text[512];

    if (status == ACCEL_OUT_OF_MEMORY) {
        const char *why = accel_error_message();
        snprintf(text, sizeof(text), "%s", why[0] != '\0' ? why : "the plugin does not say why");
        accel_error_set(status, "%s: %zu bytes on \"%s\": %s", function, bytes, device->properties.name, text);
    }
    return accel_device_failed(function, device, status);
}

static accel_memory_request request(const accel_buffer *buffer, size_t bytes)
{
    const accel_device_properties *properties = &buffer->allocator->properties;
    accel_memory_request memory = {.struct_size = sizeof(memory), .flags = buffer->flags, .size = bytes};

    memory.alignment = properties->kind == ACCEL_DEVICE_CPU ? HOST_ALIGNMENT : DEVICE_ALIGNMENT;
    if (memory.alignment < properties->base_alignment)
        memory.alignment = properties->base_alignment;
    return memory;
}

/* Kernels of CPUs may be given addresses of host memory: a CPU's backend knows when they are done with it (O4). Without a
 * CPU device only copies reach it, and they hold the buffer. */
static accel_device *host_allocator(const accel_instance *instance)
{
    for (size_t i = 0; i < instance->device_count; ++i) {
        if (instance->devices[i]->properties.kind == ACCEL_DEVICE_CPU)
            return instance->devices[i];
    }
    return NULL;
}

static accel_status allocate_on_host(const char *function, accel_buffer *buffer, size_t bytes)
{
    accel_device *host = buffer->allocator, *cpu = host_allocator(host->instance);
    size_t alignment = bytes >= PAGE_ALIGNED_FROM ? PAGE_ALIGNMENT : HOST_ALIGNMENT;

    if (cpu == NULL) {
        buffer->allocation = accel_allocate_aligned(alignment, bytes);
        if (buffer->allocation == NULL)
            return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
        buffer->ptr = buffer->host_ptr = buffer->allocation;
        buffer->owner = ACCEL_OWNER_HOST;
        return ACCEL_OK;
    }

    accel_memory_request memory = {.struct_size = sizeof(memory), .size = bytes, .alignment = alignment};
    accel_status status =
        cpu->backend->device_vtable.allocate(cpu->impl, &memory, &buffer->memory, &buffer->ptr, &buffer->host_ptr);

    if (status != ACCEL_OK)
        return allocation_failed(function, host, bytes, status);
    buffer->allocator = accel_device_retain(cpu);
    accel_device_release(host);
    buffer->owner = ACCEL_OWNER_DEVICE;
    return ACCEL_OK;
}

static accel_status allocate(const char *function, accel_buffer *buffer, size_t bytes)
{
    accel_device *device = buffer->allocator;
    accel_status status = check_size(function, device, bytes);

    if (status != ACCEL_OK)
        return status;
    if (device->backend == NULL)
        return allocate_on_host(function, buffer, bytes);

    accel_memory_request memory = request(buffer, bytes);

    status = device->backend->device_vtable.allocate(device->impl, &memory, &buffer->memory, &buffer->ptr,
                                                     &buffer->host_ptr);
    status = accel_slot_made("allocate", status, buffer->ptr);
    if (status != ACCEL_OK)
        return allocation_failed(function, device, bytes, status);
    buffer->owner = ACCEL_OWNER_DEVICE;
    return ACCEL_OK;
}

ACCEL_API accel_status accel_buffer_create(accel_device *device, const accel_buffer_desc *desc, accel_buffer **out)
{
    static const char function[] = "accel_buffer_create";
    accel_buffer *buffer = NULL;
    size_t bytes;
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (device == NULL)
        return accel_error_null(function, "device");
    if (out == NULL)
        return accel_error_null(function, "buffer");
    status = make(function, device, desc, device->properties.pitch_alignment, &buffer, &bytes);
    if (status != ACCEL_OK)
        return status;
    status = bytes != 0 ? allocate(function, buffer, bytes) : ACCEL_OK;
    if (status != ACCEL_OK) {
        discard(buffer);
        return status;
    }
    accel_buffer_tell_host(buffer);
    *out = buffer;
    return ACCEL_OK;
}

/* On a queue whose backend orders no allocations: plain memory, which goes back in order all the same. */
static accel_status allocate_async(const char *function, accel_buffer *buffer, size_t bytes)
{
    accel_queue *queue = buffer->queue;
    accel_status status = check_size(function, queue->device, bytes);

    if (status != ACCEL_OK)
        return status;
    if (queue->backend->queue_vtable.allocate_async == NULL) {
        status = allocate(function, buffer, bytes);
    } else {
        accel_memory_request memory = request(buffer, bytes);
        status = queue->backend->queue_vtable.allocate_async(queue->impl, &memory, &buffer->memory, &buffer->ptr,
                                                             &buffer->host_ptr);
        if (status != ACCEL_OK)
            return allocation_failed(function, queue->device, bytes, status);
    }
    if (status == ACCEL_OK)
        buffer->owner = ACCEL_OWNER_QUEUE;
    return status;
}

ACCEL_API accel_status accel_buffer_create_async(accel_queue *queue, const accel_buffer_desc *desc, accel_buffer **out)
{
    static const char function[] = "accel_buffer_create_async";
    accel_buffer *buffer = NULL;
    size_t bytes;
    accel_status status = accel_queue_check(function, queue);

    if (status != ACCEL_OK)
        return status;
    if (out == NULL)
        return accel_error_null(function, "buffer");
    status = make(function, queue->device, desc, queue->device->properties.pitch_alignment, &buffer, &bytes);
    if (status != ACCEL_OK)
        return status;
    if (buffer->flags != 0) {
        status = accel_error_set(ACCEL_UNSUPPORTED,
                                 "%s: flags hold %s; a queue orders plain device memory only: use accel_buffer_create",
                                 function, flag_name(buffer->flags));
        discard(buffer);
        return status;
    }
    buffer->queue = queue;
    status = bytes != 0 ? allocate_async(function, buffer, bytes) : ACCEL_OK;
    if (status != ACCEL_OK) {
        discard(buffer);
        return status;
    }
    accel_queue_retain(queue);
    accel_buffer_tell_host(buffer);
    *out = buffer;
    return ACCEL_OK;
}

ACCEL_API accel_status accel_buffer_wrap(accel_device *device, void *ptr, const accel_buffer_desc *desc,
                                         accel_buffer **out)
{
    static const char function[] = "accel_buffer_wrap";
    accel_buffer *buffer = NULL;
    size_t bytes;
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (device == NULL)
        return accel_error_null(function, "device");
    if (out == NULL)
        return accel_error_null(function, "buffer");
    status = make(function, device, desc, 1, &buffer, &bytes);
    if (status != ACCEL_OK)
        return status;
    if (ptr == NULL && bytes != 0) {
        discard(buffer);
        return accel_error_null(function, "ptr");
    }
    if (bytes > UINTPTR_MAX - (uintptr_t)ptr) {
        discard(buffer);
        return accel_error_set(ACCEL_LIMIT,
                               "%s: %zu bytes from %p on reach beyond the address space; pass the address of the "
                               "memory's first element and the extents that it has",
                               function, bytes, ptr);
    }
    buffer->ptr = ptr;
    if (accel_device_on_host(device) || buffer->flags != 0)
        buffer->host_ptr = ptr;
    accel_buffer_tell_host(buffer);
    *out = buffer;
    return ACCEL_OK;
}

accel_status accel_buffer_of_module(const char *function, accel_module *module, accel_device *device, void *ptr,
                                    void *host_ptr, size_t size, accel_buffer **out)
{
    accel_buffer_desc desc = accel_buffer_1d(1, size);
    accel_buffer *buffer = NULL;
    size_t bytes;
    accel_status status = make(function, device, &desc, 1, &buffer, &bytes);

    if (status != ACCEL_OK)
        return status;
    buffer->ptr = ptr;
    buffer->host_ptr = host_ptr;
    buffer->owner = ACCEL_OWNER_MODULE;
    buffer->module = accel_module_retain(module);
    *out = buffer;
    return ACCEL_OK;
}

ACCEL_API accel_buffer *accel_buffer_retain(accel_buffer *buffer)
{
    if (buffer != NULL)
        accel_reference_retain(&buffer->reference);
    return buffer;
}

static void free_memory(accel_buffer *buffer)
{
    buffer->allocator->backend->device_vtable.free(buffer->allocator->impl, buffer->memory);
}

static void end(void *object)
{
    accel_buffer *buffer = object, *parent = buffer->parent;
    accel_device *device = buffer->device, *allocator = buffer->allocator;
    accel_module *module = buffer->module;
    accel_queue *queue = buffer->queue;
    accel_released released = {.object = buffer, .discard = accel_deallocate, .reference = &buffer->reference};

    if (accel_released_begin(allocator->backend, ACCEL_OBJECT_BUFFER, &released)) {
        buffer->fork_generation = released.generation;
        buffer->device = buffer->allocator = &accel_device_of_released;
        accel_released_keep(&released);
    } else {
        accel_deallocate(buffer);
    }
    accel_buffer_release(parent);
    accel_module_release(module);
    accel_device_release(device);
    accel_device_release(allocator);
    accel_queue_release(queue);
}

static void free_and_end(void *object)
{
    free_memory(object);
    end(object);
}

/* Runs in the queue's order, perhaps on a driver's thread that may not free. */
static void free_in_order(void *user, accel_status status)
{
    accel_buffer *buffer = user;
    bool may_call = buffer->allocator->properties.kind == ACCEL_DEVICE_CPU;

    (void)status;
    accel_guard_enter();
    accel_guard_defer(&buffer->deferred, free_and_end, buffer);
    accel_guard_leave(may_call);
}

/* May the queue be used, also after a fork? A release leaves the text of the thread's last failure alone. */
static bool takes_back(accel_queue *queue)
{
    char text[ACCEL_ERROR_SIZE];

    if (atomic_load_explicit(&queue->fork_generation, memory_order_relaxed) == accel_guard_fork_generation)
        return true;
    accel_error_save(text);
    accel_status status = accel_queue_after_fork("accel_buffer_release", queue);
    accel_error_restore(text);
    return status == ACCEL_OK;
}

/* Memory of create_async goes back behind everything that its queue was given so far. */
static void return_to_queue(accel_buffer *buffer)
{
    accel_queue *queue = buffer->queue;
    const accel_queue_vtable *vtable = &queue->backend->queue_vtable;

    if (!takes_back(queue)) {
        end(buffer); /* the memory stays with the queue, whose work will never be done in this process */
    } else if (vtable->allocate_async != NULL) {
        vtable->free_async(queue->impl, buffer->memory);
        end(buffer);
    } else if (accel_queue_blocking(queue) || vtable->call(queue->impl, free_in_order, buffer) != ACCEL_OK) {
        free_and_end(buffer); /* nothing is pending; or the queue takes nothing any more, so nothing runs */
    }
}

static void destroy(void *object)
{
    accel_buffer *buffer = object;

    switch (buffer->owner) {
    case ACCEL_OWNER_QUEUE:
        return_to_queue(buffer);
        return;
    case ACCEL_OWNER_DEVICE:
        free_and_end(buffer);
        return;
    case ACCEL_OWNER_HOST:
        accel_deallocate(buffer->allocation);
        break;
    case ACCEL_OWNER_PARENT:
        if (buffer->is_told)
            accel_buffer_tell(buffer, ACCEL_VIEW_ENDED);
        buffer->is_told = false;
        break;
    case ACCEL_OWNER_NONE:
    case ACCEL_OWNER_MODULE:
        break;
    }
    end(buffer);
}

ACCEL_API void accel_buffer_release(accel_buffer *buffer)
{
    if (buffer != NULL && accel_reference_release(&buffer->reference))
        accel_guard_destroy(&buffer->deferred, destroy, buffer);
}
