/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/stubs.h"

#include "core/base/error.h"

#include <stdio.h>
#include <string.h>

static accel_status no_memory(accel_impl_device *device, size_t *free_bytes, size_t *total_bytes)
{
    (void)device, (void)free_bytes, (void)total_bytes;
    return accel_error_set(ACCEL_UNSUPPORTED, "the device's backend does not report how much memory there is");
}

static accel_status no_partition(accel_impl_device *device, const accel_partition_desc *desc,
                                 accel_impl_device **devices, size_t capacity, size_t *count)
{
    (void)device, (void)desc, (void)devices, (void)capacity, (void)count;
    return accel_error_set(ACCEL_UNSUPPORTED, "the device's backend has no sub-devices; use the whole device");
}

static accel_status no_queue_wrap(accel_impl_device *device, void *native, accel_impl_queue **queue)
{
    (void)device, (void)native, (void)queue;
    return accel_error_set(ACCEL_UNSUPPORTED, "the device's backend has no native queues; use accel_queue_create");
}

static accel_status no_device_native(accel_impl_device *device, void **native)
{
    (void)device, (void)native;
    return accel_error_set(ACCEL_UNSUPPORTED, "devices of this backend have no native handle");
}

static accel_status no_queue_native(accel_impl_queue *queue, void **native)
{
    (void)queue, (void)native;
    return accel_error_set(ACCEL_UNSUPPORTED, "queues of this backend have no native handle");
}

static accel_status no_begin_steps(accel_impl_queue *queue)
{
    (void)queue;
    return ACCEL_OK;
}

static void no_end_steps(accel_impl_queue *queue)
{
    (void)queue;
}

static accel_status no_event_native(accel_impl_event *event, void **native)
{
    (void)event, (void)native;
    return accel_error_set(ACCEL_UNSUPPORTED, "events of this backend have no native handle");
}

static accel_status no_module_native(accel_impl_module *module, void **native)
{
    (void)module, (void)native;
    return accel_error_set(ACCEL_UNSUPPORTED, "modules of this backend have no native handle");
}

static accel_status no_kernel_native(accel_impl_kernel *kernel, void **native)
{
    (void)kernel, (void)native;
    return accel_error_set(ACCEL_UNSUPPORTED, "kernels of this backend have no native handle");
}

static accel_status no_resident_blocks(accel_impl_kernel *kernel, uint32_t threads, size_t shared_bytes,
                                       uint64_t *blocks)
{
    (void)kernel, (void)threads, (void)shared_bytes, (void)blocks;
    return accel_error_set(
        ACCEL_UNSUPPORTED,
        "the device's backend does not report how many blocks it holds at once; choose the number of "
        "blocks yourself");
}

/* For optional slots that are missing or NULL. */
static const accel_device_vtable device_stubs = {
    .memory = no_memory,
    .partition = no_partition,
    .queue_wrap = no_queue_wrap,
    .native = no_device_native,
};
static const accel_queue_vtable queue_stubs = {
    .native = no_queue_native,
    .begin_steps = no_begin_steps,
    .end_steps = no_end_steps,
};
static const accel_event_vtable event_stubs = {.native = no_event_native};
static const accel_module_vtable module_stubs = {
    .native = no_module_native,
    .kernel_native = no_kernel_native,
    .resident_blocks = no_resident_blocks,
};

/* One slot of a vtable; all are pointers to functions, which have one size. */
typedef struct slot {
    const char *name;
    size_t offset;
    bool required;
} slot;
#define SLOT(vtable, member, required)                                                                                 \
    {                                                                                                                  \
#member, offsetof(accel_##vtable##_vtable, member), required                                                   \
    }

static const slot backend_slots[] = {
    SLOT(backend, close, true),           SLOT(backend, device_count, true),
    SLOT(backend, device_open, true),     SLOT(backend, object_released, false),
    SLOT(backend, object_misused, false), SLOT(backend, memory_named, false),
    SLOT(backend, object_made, false),    SLOT(backend, object_ended, false),
    SLOT(backend, memory_viewed, false),
};
static const slot device_slots[] = {
    SLOT(device, close, true),        SLOT(device, info, true),        SLOT(device, topology, false),
    SLOT(device, native, false),      SLOT(device, partition, false),  SLOT(device, memory, false),
    SLOT(device, can_access, false),  SLOT(device, allocate, true),    SLOT(device, free, true),
    SLOT(device, queue_create, true), SLOT(device, queue_wrap, false), SLOT(device, event_create, true),
    SLOT(device, target_rank, true),  SLOT(device, image_rank, false), SLOT(device, module_load, true),
};
static const slot queue_slots[] = {
    SLOT(queue, destroy, true),
    SLOT(queue, launch, true),
    SLOT(queue, copy, true),
    SLOT(queue, fill, true),
    SLOT(queue, call, true),
    SLOT(queue, record, true),
    SLOT(queue, wait_event, true),
    SLOT(queue, wait_timeline, true),
    SLOT(queue, wait, true),
    SLOT(queue, is_idle, true),
    SLOT(queue, allocate_async, false),
    SLOT(queue, free_async, false),
    SLOT(queue, after_fork, false),
    SLOT(queue, native, false),
    SLOT(queue, launch_watched, false),
    SLOT(queue, begin_steps, false),
    SLOT(queue, end_steps, false),
};
static const slot event_slots[] = {
    SLOT(event, destroy, true), SLOT(event, is_complete, true), SLOT(event, wait, true),
    SLOT(event, elapsed, true), SLOT(event, timeline, true),    SLOT(event, native, false),
};
static const slot module_slots[] = {
    SLOT(module, unload, true),           SLOT(module, native, false),        SLOT(module, global, true),
    SLOT(module, kernel, true),           SLOT(module, kernel_native, false), SLOT(module, suggest, false),
    SLOT(module, resident_blocks, false),
};

typedef void (*any_function)(void);

/* Slots are read and written as bytes: their types differ. */
static bool is_null(const unsigned char *vtable, size_t offset)
{
    static const unsigned char null[sizeof(any_function)] = {0};

    return memcmp(vtable + offset, null, sizeof(null)) == 0;
}

typedef struct completion {
    const char *name; /* of the vtable */
    void *ours;       /* to be filled */
    size_t size;
    const void *theirs; /* the plugin's; begins with struct_size */
    const void *stubs;  /* NULL: there are none */
    const slot *slots;
    size_t slot_count;
} completion;

static bool complete(const completion *all, char *reason, size_t reason_size)
{
    unsigned char *ours = all->ours;
    uint32_t size, ours_size = (uint32_t)all->size;

    if (all->theirs == NULL) {
        snprintf(reason, reason_size, "its open gave no %s vtable; fix the plugin", all->name);
        return false;
    }
    memcpy(&size, all->theirs, sizeof(size));
    if (size > all->size)
        size = ours_size;
    memset(ours, 0, all->size);
    memcpy(ours, all->theirs, size);
    memcpy(ours, &ours_size, sizeof(ours_size));
    for (size_t i = 0; i < all->slot_count; ++i) {
        const slot *current = &all->slots[i];
        if (current->offset + sizeof(any_function) > size) /* half a slot is none */
            memset(ours + current->offset, 0, sizeof(any_function));
        if (!is_null(ours, current->offset))
            continue;
        if (current->required) {
            snprintf(reason, reason_size, "slot \"%s\" of its %s vtable is required, but %s; fix or rebuild the plugin",
                     current->name, all->name, current->offset >= size ? "lies behind its struct_size" : "NULL");
            return false;
        }
        if (all->stubs != NULL)
            memcpy(ours + current->offset, (const unsigned char *)all->stubs + current->offset, sizeof(any_function));
    }
    return true;
}

bool accel_stubs_complete(accel_backend *backend, const accel_open_result *result, char *reason, size_t reason_size)
{
#define COMPLETION(vtable, stub_table)                                                                                 \
    {                                                                                                                  \
#vtable, &backend->vtable##_vtable, sizeof(backend->vtable##_vtable), result->vtable##_vtable, stub_table,     \
            vtable##_slots, sizeof(vtable##_slots) / sizeof(vtable##_slots[0])                                         \
    }
    const completion all[] = {
        COMPLETION(backend, NULL),       COMPLETION(device, &device_stubs), COMPLETION(queue, &queue_stubs),
        COMPLETION(event, &event_stubs), COMPLETION(module, &module_stubs),
    };
#undef COMPLETION
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i) {
        if (!complete(&all[i], reason, reason_size))
            return false;
    }
    if ((backend->backend_vtable.object_released == NULL) != (backend->backend_vtable.object_misused == NULL)) {
        snprintf(reason, reason_size,
                 "slots \"object_released\" and \"object_misused\" of its backend vtable have to be filled both or "
                 "neither");
        return false;
    }
    if ((backend->queue_vtable.allocate_async == NULL) != (backend->queue_vtable.free_async == NULL)) {
        snprintf(reason, reason_size,
                 "slots \"allocate_async\" and \"free_async\" of its queue vtable have to be filled both or neither");
        return false;
    }
    return true;
}
