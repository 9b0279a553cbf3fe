/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of devices, and memory. */
#include "core/tools/watch.h"

#include "core/base/allocate.h"

#include <stdatomic.h>

static void close_device(accel_impl_device *impl)
{
    watch_device *device = watch_device_of(impl);
    accel_tool_object object = {.kind = ACCEL_OBJECT_DEVICE, .id = device->id, .device = device->id};

    accel_tools_released(device->watch->tools.mask, &object);
    if (device->origin.event != NULL)
        device->watch->event.destroy(device->origin.event);
    pthread_mutex_destroy(&device->origin.lock);
    device->watch->device.close(device->inner);
    accel_deallocate(device);
}

/* Called once, after the device was opened: what kind it is, tools learn too. */
static accel_status info(accel_impl_device *impl, accel_device_properties *properties)
{
    watch_device *device = watch_device_of(impl);
    accel_status status = device->watch->device.info(device->inner, properties);
    accel_tool_object object = {.kind = ACCEL_OBJECT_DEVICE,
                                .id = device->id,
                                .device = device->id,
                                .parent = device->parent,
                                .name = device->name,
                                .flags = properties->kind};

    if (status != ACCEL_OK)
        return status;
    device->kind = properties->kind;
    accel_tools_created(device->watch->tools.mask, &object);
    return ACCEL_OK;
}

static accel_status topology(accel_impl_device *impl, accel_device_properties *properties)
{
    return watch_device_of(impl)->watch->device.topology(watch_device_of(impl)->inner, properties);
}

static accel_status native(accel_impl_device *impl, void **handle)
{
    return watch_device_of(impl)->watch->device.native(watch_device_of(impl)->inner, handle);
}

static accel_status partition(accel_impl_device *impl, const accel_partition_desc *desc, accel_impl_device **devices,
                              size_t capacity, size_t *count)
{
    watch_device *device = watch_device_of(impl);
    size_t available = 0, made = 0;
    accel_status status = device->watch->device.partition(device->inner, desc, devices, capacity, &available);

    if (status != ACCEL_OK)
        return status;

    size_t written = available < capacity ? available : capacity;

    while (made < written && status == ACCEL_OK) {
        status = accel_watch_device_make(device->watch, &devices[made], device, made);
        made += status == ACCEL_OK;
    }
    if (status == ACCEL_OK) {
        *count = available;
        return ACCEL_OK;
    }
    for (size_t i = made + 1; i < written; ++i) /* the one that failed is closed */
        device->watch->device.close(devices[i]);
    while (made > 0)
        close_device(devices[--made]);
    return status;
}

static accel_status memory(accel_impl_device *impl, size_t *free_bytes, size_t *total_bytes)
{
    return watch_device_of(impl)->watch->device.memory(watch_device_of(impl)->inner, free_bytes, total_bytes);
}

static accel_status can_access(accel_impl_device *impl, accel_impl_device *peer, bool *yes)
{
    return watch_device_of(impl)->watch->device.can_access(watch_device_of(impl)->inner, watch_device_of(peer)->inner,
                                                           yes);
}

void accel_watch_memory_begin(watch_device *device, const accel_memory_request *request, accel_impl_memory *inner,
                              watch_memory *made)
{
    accel_tool_object object = {.kind = ACCEL_OBJECT_BUFFER, .device = device->id, .bytes = request->size};

    made->inner = inner;
    made->id = object.id = accel_tools_number();
    made->bytes = request->size;
    object.flags = request->flags;
    object.in_use = atomic_fetch_add_explicit(&device->in_use, made->bytes, memory_order_relaxed) + made->bytes;
    accel_tools_created(device->watch->tools.mask, &object);
}

accel_impl_memory *accel_watch_memory_end(watch_device *device, accel_impl_memory *impl)
{
    watch_memory *made = watch_memory_of(impl);
    accel_impl_memory *inner = made->inner;
    accel_tool_object object = {
        .kind = ACCEL_OBJECT_BUFFER, .id = made->id, .device = device->id, .bytes = made->bytes};

    object.in_use = atomic_fetch_sub_explicit(&device->in_use, made->bytes, memory_order_relaxed) - made->bytes;
    accel_tools_released(device->watch->tools.mask, &object);
    accel_deallocate(made);
    return inner;
}

static accel_status allocate(accel_impl_device *impl, const accel_memory_request *request, accel_impl_memory **out,
                             void **ptr, void **host_ptr)
{
    watch_device *device = watch_device_of(impl);
    watch_memory *made = accel_allocate(sizeof(*made));
    accel_impl_memory *inner = NULL;

    if (made == NULL)
        return ACCEL_OUT_OF_MEMORY;

    accel_status status = device->watch->device.allocate(device->inner, request, &inner, ptr, host_ptr);

    if (status != ACCEL_OK) {
        accel_deallocate(made);
        return status;
    }
    accel_watch_memory_begin(device, request, inner, made);
    *out = watch_memory_impl(made);
    return ACCEL_OK;
}

static void free_memory(accel_impl_device *impl, accel_impl_memory *given)
{
    watch_device *device = watch_device_of(impl);

    device->watch->device.free(device->inner, accel_watch_memory_end(device, given));
}

static accel_status queue_create(accel_impl_device *impl, uint32_t flags, int32_t priority, accel_impl_queue **queue)
{
    watch_device *device = watch_device_of(impl);
    accel_impl_queue *made = NULL;
    accel_status status = device->watch->device.queue_create(device->inner, flags, priority, &made);

    if (status == ACCEL_OK)
        status = accel_watch_queue_make(device, flags, false, &made);
    if (status == ACCEL_OK)
        *queue = made;
    return status;
}

static accel_status queue_wrap(accel_impl_device *impl, void *handle, accel_impl_queue **queue)
{
    watch_device *device = watch_device_of(impl);
    accel_impl_queue *made = NULL;
    accel_status status = device->watch->device.queue_wrap(device->inner, handle, &made);

    if (status == ACCEL_OK)
        status = accel_watch_queue_make(device, 0, true, &made);
    if (status == ACCEL_OK)
        *queue = made;
    return status;
}

static accel_status event_create(accel_impl_device *impl, uint32_t flags, accel_impl_event **out)
{
    watch_device *device = watch_device_of(impl);
    watch_event *event = accel_allocate(sizeof(*event));
    accel_tool_object object = {.kind = ACCEL_OBJECT_EVENT, .device = device->id, .flags = flags};

    if (event == NULL)
        return ACCEL_OUT_OF_MEMORY;

    accel_status status = device->watch->device.event_create(device->inner, flags, &event->inner);

    if (status != ACCEL_OK) {
        accel_deallocate(event);
        return status;
    }
    event->watch = device->watch;
    event->device = device;
    event->id = object.id = accel_tools_number();
    accel_tools_created(device->watch->tools.mask, &object);
    *out = watch_event_impl(event);
    return ACCEL_OK;
}

static uint32_t target_rank(accel_impl_device *impl, const char *target, const char *format, char *reason,
                            size_t reason_size)
{
    watch_device *device = watch_device_of(impl);

    return device->watch->device.target_rank(device->inner, target, format, reason, reason_size);
}

static uint32_t image_rank(accel_impl_device *impl, const accel_image *image, char *reason, size_t reason_size)
{
    watch_device *device = watch_device_of(impl);

    return device->watch->device.image_rank(device->inner, image, reason, reason_size);
}

static accel_status module_load(accel_impl_device *impl, const accel_image *image, accel_impl_module **out)
{
    watch_device *device = watch_device_of(impl);
    watch_module *module = accel_allocate(sizeof(*module));
    accel_tool_object object = {.kind = ACCEL_OBJECT_MODULE,
                                .device = device->id,
                                .name = accel_tools_text(image->library),
                                .target = accel_tools_text(image->target)};

    if (module == NULL)
        return ACCEL_OUT_OF_MEMORY;

    accel_status status = device->watch->device.module_load(device->inner, image, &module->inner);

    if (status != ACCEL_OK) {
        accel_deallocate(module);
        return status;
    }
    module->watch = device->watch;
    module->device = device;
    module->id = object.id = accel_tools_number();
    accel_tools_created(device->watch->tools.mask, &object);
    *out = watch_module_impl(module);
    return ACCEL_OK;
}

void accel_watch_fill_device(accel_device_vtable *vtable, const accel_watch *watch)
{
    vtable->close = close_device;
    vtable->info = info;
    vtable->topology = watch->device.topology != NULL ? topology : NULL;
    vtable->native = native;
    vtable->partition = partition;
    vtable->memory = memory;
    vtable->can_access = watch->device.can_access != NULL ? can_access : NULL;
    vtable->allocate = allocate;
    vtable->free = free_memory;
    vtable->queue_create = queue_create;
    vtable->queue_wrap = queue_wrap;
    vtable->event_create = event_create;
    vtable->target_rank = target_rank;
    vtable->image_rank = watch->device.image_rank != NULL ? image_rank : NULL;
    vtable->module_load = module_load;
}
