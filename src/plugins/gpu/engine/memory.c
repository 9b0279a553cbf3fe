/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/memory.h"
#include "plugins/gpu/engine/context.h"

#include <stdlib.h>
#include <time.h>

static void give_back(accel_impl_device *device, gpu_retired *retired)
{
    gpu_memory_free(device, PLUGIN_OWNER(retired, accel_impl_memory, retired));
}

accel_status gpu_memory_make(accel_impl_device *device, uint32_t kind, accel_impl_memory **made)
{
    accel_impl_memory *memory = calloc(1, sizeof(*memory));

    if (memory == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "buffer of \"%s\": no memory for %zu bytes of the host",
                                 device->label, sizeof(*memory));
    memory->kind = kind;
    memory->device = device;
    memory->retired.give_back = give_back;
    *made = memory;
    return ACCEL_OK;
}

void gpu_memory_discard(accel_impl_memory *memory)
{
    accel_impl_device *device = memory->device;

    free(memory);
    gpu_device_release(device);
}

/* Gives it back to the driver, which may wait for the device. */
static void free_now(accel_impl_memory *memory)
{
    accel_impl_device *device = memory->device;
    gpu_scope scope;

    if (gpu_scope_enter_to_release(&scope, device, "freeing memory")) {
        if (memory->kind == GPU_MEMORY_HOST)
            device->driver->host_free(memory->allocation);
        else
            device->driver->memory_free(memory->allocation); /* ordered memory too: nothing uses it */
        gpu_scope_leave(&scope, device);
    }
    gpu_memory_discard(memory);
}

static bool free_job(gpu_job *job)
{
    accel_impl_memory *memory = PLUGIN_OWNER(job, accel_impl_memory, job);
    accel_impl_device *device = memory->device;

    if (!gpu_device_has_submitted(device, memory->deferrals))
        return false;
    gpu_device_retain(device);
    free_now(memory);
    atomic_fetch_sub_explicit(&device->releasing, 1, memory_order_release);
    gpu_retire_done(device);
    gpu_device_release(device);
    return true;
}

void gpu_memory_free(accel_impl_device *device, accel_impl_memory *memory)
{
    if (gpu_device_forked(device))
        return;
    if (memory->kind == GPU_MEMORY_HOST)
        gpu_pinned_remove(&device->backend->pinned, memory->allocation);
    if (gpu_device_is_quiet(device)) {
        free_now(memory);
        return;
    }
    memory->job.run = free_job;
    memory->deferrals = atomic_load_explicit(&device->deferrals, memory_order_relaxed);
    atomic_fetch_add_explicit(&device->releasing, 1, memory_order_relaxed);
    gpu_retire_post(device, &memory->job);
}

/* ---------------------------------------------------------------------------------------- allocating -- */

static gpu_result take(accel_impl_device *device, uint32_t flags, size_t size, void **allocation)
{
    const gpu_driver *driver = device->driver;

    if ((flags & (ACCEL_BUFFER_PINNED | ACCEL_BUFFER_MAPPED)) != 0)
        return driver->host_allocate(allocation, size,
                                     GPU_HOST_PORTABLE | ((flags & ACCEL_BUFFER_MAPPED) != 0 ? GPU_HOST_MAPPED : 0));
    if ((flags & ACCEL_BUFFER_MANAGED) != 0)
        return driver->managed_allocate(allocation, size, GPU_MANAGED_GLOBAL);
    return driver->memory_allocate(allocation, size);
}

static bool is_short(const gpu_driver *driver, gpu_result result)
{
    accel_status status;

    gpu_error_class_of(driver, result, &status);
    return result != 0 && status == ACCEL_OUT_OF_MEMORY;
}

static accel_status unsupported(accel_impl_device *device, uint32_t flags)
{
    const gpu_driver *driver = device->driver;

    if ((flags & ACCEL_BUFFER_MANAGED) != 0 &&
        (driver->managed_allocate == NULL || device->attributes[GPU_ATTRIBUTE_MANAGED] == 0))
        return gpu_host()->error(ACCEL_UNSUPPORTED,
                                 "\"%s\" has no managed memory (ACCEL_BUFFER_MANAGED); use a plain or a "
                                 "pinned buffer",
                                 device->label);
    if ((flags & ACCEL_BUFFER_MAPPED) != 0 && device->attributes[GPU_ATTRIBUTE_MAPPED] == 0)
        return gpu_host()->error(ACCEL_UNSUPPORTED,
                                 "\"%s\" cannot map memory of the host (ACCEL_BUFFER_MAPPED); use a plain "
                                 "or a pinned buffer",
                                 device->label);
    return ACCEL_OK;
}

/* Where host and device find what was allocated, at the wanted alignment. */
static accel_status locate(accel_impl_memory *memory, uint32_t flags, size_t room, void **ptr, void **host_ptr)
{
    accel_impl_device *device = memory->device;
    uintptr_t address = (uintptr_t)memory->allocation;
    size_t offset = room != 0 ? (size_t)(-address & (uintptr_t)(room - 1)) : 0;
    unsigned char *base = (unsigned char *)memory->allocation + offset;

    *ptr = base;
    *host_ptr = flags != 0 ? base : NULL;
    if ((flags & ACCEL_BUFFER_MAPPED) == 0)
        return ACCEL_OK;
    void *seen = NULL;
    gpu_result result = device->driver->host_device_pointer(&seen, memory->allocation, 0);
    if (result != 0)
        return gpu_device_failed(device, "mapping memory of the host", result);
    *ptr = (unsigned char *)seen + offset;
    return ACCEL_OK;
}

/* Is memory on its way that was released, or that an operation keeps alive and that may have been released? Work that the
 * driver has ends. What is deferred may wait for the caller's own next step, so it is not waited for once `late`. */
static bool may_come_back(accel_impl_device *device, bool late)
{
    bool submitted = gpu_device_has_submitted(device, UINT64_MAX);
    bool holding = !submitted || atomic_load_explicit(&device->holding, memory_order_acquire) != 0;
    bool releasing = atomic_load_explicit(&device->releasing, memory_order_acquire) != 0;

    return late ? releasing && submitted : releasing || holding;
}

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) * 1e-9;
}

static accel_status allocate(accel_impl_memory *memory, const accel_memory_request *request, void **ptr,
                             void **host_ptr)
{
    accel_impl_device *device = memory->device;
    size_t room = request->alignment > GPU_BASE_ALIGNMENT ? request->alignment : 0, size;

    if (__builtin_add_overflow(request->size, room, &size))
        return gpu_host()->error(ACCEL_LIMIT, "\"%s\": %zu bytes aligned to %zu are more than there can be",
                                 device->label, request->size, request->alignment);
    gpu_result result = take(device, request->flags, size, &memory->allocation);
    struct timespec begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (bool more = true; more && is_short(device->driver, result);) {
        more = may_come_back(device, seconds_since(&begin) > 1);
        gpu_thread_flush(&gpu_retire_thread);
        result = take(device, request->flags, size, &memory->allocation);
        if (more && is_short(device->driver, result))
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    }
    if (result != 0)
        return gpu_device_failed(device, "allocating memory", result);
    bool listed = memory->kind != GPU_MEMORY_HOST || gpu_pinned_add(&device->backend->pinned, memory->allocation, size);
    accel_status status =
        listed ? locate(memory, request->flags, room, ptr, host_ptr)
               : gpu_host()->error(ACCEL_OUT_OF_MEMORY, "\"%s\": no memory to list pinned memory", device->label);
    if (status == ACCEL_OK)
        return ACCEL_OK;
    if (memory->kind != GPU_MEMORY_HOST) {
        device->driver->memory_free(memory->allocation);
        return status;
    }
    if (listed)
        gpu_pinned_remove(&device->backend->pinned, memory->allocation);
    device->driver->host_free(memory->allocation);
    return status;
}

accel_status gpu_memory_allocate(accel_impl_device *device, const accel_memory_request *request,
                                 accel_impl_memory **made, void **ptr, void **host_ptr)
{
    bool of_host = (request->flags & (ACCEL_BUFFER_PINNED | ACCEL_BUFFER_MAPPED)) != 0;
    accel_impl_memory *memory = NULL;
    gpu_scope scope;
    accel_status status = unsupported(device, request->flags);

    if (status == ACCEL_OK)
        status = gpu_memory_make(device, of_host ? GPU_MEMORY_HOST : GPU_MEMORY_DEVICE, &memory);
    if (status != ACCEL_OK)
        return status;
    status = gpu_device_use(&scope, device, "allocating memory");
    if (status == ACCEL_OK) {
        status = allocate(memory, request, ptr, host_ptr);
        gpu_scope_leave(&scope, device);
    }
    if (status != ACCEL_OK) {
        free(memory);
        return status;
    }
    gpu_device_retain(device);
    *made = memory;
    return ACCEL_OK;
}
