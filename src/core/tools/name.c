/* SPDX-License-Identifier: Apache-2.0 */
/* Names that programs give to objects, for tools, and of buffers for backends that tell of memory. */
#include "core/tools/watch.h"

#include "core/api/event.h"
#include "core/api/module.h"
#include "core/api/queue.h"
#include "core/base/error.h"
#include "core/memory/buffer.h"

static const char function[] = "accel_object_name";

/* The number of the object that tools see, and its device; false if they see none. */
static bool find(uint32_t kind, void *object, const watch_device **device, uint64_t *id)
{
    const accel_backend *backend;

    switch (kind) {
    case ACCEL_OBJECT_DEVICE:
        backend = ((accel_device *)object)->backend;
        if (backend == NULL || !backend->watched)
            return false;
        *device = watch_device_of(((accel_device *)object)->impl);
        *id = (*device)->id;
        return true;
    case ACCEL_OBJECT_QUEUE:
        if (!((accel_queue *)object)->backend->watched)
            return false;
        *device = watch_queue_of(((accel_queue *)object)->impl)->device;
        *id = watch_queue_of(((accel_queue *)object)->impl)->id;
        return true;
    case ACCEL_OBJECT_EVENT:
        backend = ((accel_event *)object)->backend;
        if (backend == NULL || !backend->watched)
            return false;
        *device = watch_event_of(((accel_event *)object)->impl)->device;
        *id = watch_event_of(((accel_event *)object)->impl)->id;
        return true;
    case ACCEL_OBJECT_BUFFER:
        backend = ((accel_buffer *)object)->allocator->backend;
        if (backend == NULL || !backend->watched || ((accel_buffer *)object)->memory == NULL)
            return false;
        *device = watch_device_of(((accel_buffer *)object)->allocator->impl);
        *id = watch_memory_of(((accel_buffer *)object)->memory)->id;
        return true;
    case ACCEL_OBJECT_MODULE:
        if (!((accel_module *)object)->backend->watched)
            return false;
        *device = watch_module_of(((accel_module *)object)->impl)->device;
        *id = watch_module_of(((accel_module *)object)->impl)->id;
        return true;
    default:
        if (!((accel_kernel *)object)->root->backend->watched)
            return false;
        *device = watch_kernel_of(((accel_kernel *)object)->impl)->module->device;
        *id = watch_kernel_of(((accel_kernel *)object)->impl)->id;
        return true;
    }
}

static void tell_backend(const accel_buffer *buffer, const char *name)
{
    const accel_backend *backend = buffer->allocator->backend;

    if (backend != NULL && backend->backend_vtable.memory_named != NULL && buffer->memory != NULL)
        backend->backend_vtable.memory_named(buffer->ptr, name);
}

ACCEL_API accel_status accel_object_name(uint32_t kind, void *object, const char *name)
{
    const watch_device *device = NULL;
    accel_tool_object told = {.kind = kind};

    if (kind < ACCEL_OBJECT_DEVICE || kind > ACCEL_OBJECT_KERNEL)
        return accel_error_set(ACCEL_INVALID, "%s: kind is %u; enum accel_object_kind has %u to %u", function, kind,
                               ACCEL_OBJECT_DEVICE, ACCEL_OBJECT_KERNEL);
    if (object == NULL)
        return accel_error_null(function, "object");
    if (name == NULL)
        return accel_error_null(function, "name");
    if (kind == ACCEL_OBJECT_BUFFER)
        tell_backend(object, name);
    if (accel_tools_loaded() == 0 || !accel_tools_live() || !find(kind, object, &device, &told.id))
        return ACCEL_OK;
    told.device = device->id;
    told.name = accel_tools_text(name);
    accel_tools_named(device->watch->tools.mask, &told);
    return ACCEL_OK;
}
