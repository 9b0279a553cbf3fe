/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A backend as of the first plugin ABI, with its own copy of the headers of that day: frozen, never to be edited. It
 * must load and work for as long as ACCEL_PLUGIN_ABI is 1. Every operation runs in the call that submits it.
 */
#include <accel/plugin.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const accel_host_services *host;

struct accel_impl_backend {
    int unused;
};
struct accel_impl_device {
    int unused;
};
struct accel_impl_memory {
    void *block;
};
struct accel_impl_queue {
    accel_status status;
};
struct accel_impl_event {
    bool recorded;
    accel_status status;
};
struct accel_impl_module {
    void *library;
    accel_impl_kernel *kernels;
};
struct accel_impl_kernel {
    accel_impl_kernel *next;
    accel_kernel_descriptor descriptor;
};

static void *make(size_t size)
{
    void *object = calloc(1, size);
    if (object == NULL)
        (void)host->error(ACCEL_OUT_OF_MEMORY, "no memory");
    return object;
}

/* ---------------------------------------------------------------------------------------------- queue -- */

static void queue_destroy(accel_impl_queue *queue)
{
    free(queue);
}

static accel_status queue_launch(accel_impl_queue *queue, accel_impl_kernel *kernel, accel_launch_params *params)
{
    accel_launch_context context;
    if (queue->status != ACCEL_OK)
        return ACCEL_OK;
    memset(&context, 0, sizeof context);
    context.struct_size = (uint32_t)sizeof context;
    context.grid = &params->grid;
    for (int d = 0; d < 3; ++d) {
        context.grid_extent[d] = params->blocks[d];
        context.block_extent[d] = params->threads[d];
        context.elem_extent[d] = params->grid.elems[d];
    }
    kernel->descriptor.run_blocks(&context, params->args, 0,
                                  (size_t)params->blocks[0] * params->blocks[1] * params->blocks[2]);
    return ACCEL_OK;
}

static void copy_rows(const accel_copy_params *copy, uint32_t d, char *dst, const char *src)
{
    if (d + 1 == copy->dims || d + 1 == ACCEL_MAX_DIMS)
        memcpy(dst, src, copy->extent[d]);
    else
        for (size_t i = 0; i < copy->extent[d]; ++i)
            copy_rows(copy, d + 1, dst + i * copy->dst_pitch[d], src + i * copy->src_pitch[d]);
}

static accel_status queue_copy(accel_impl_queue *queue, const accel_copy_params *params)
{
    if (queue->status == ACCEL_OK)
        copy_rows(params, 0, (char *)params->dst, (const char *)params->src);
    host->hold_release(params->holds[0]);
    host->hold_release(params->holds[1]);
    return ACCEL_OK;
}

static void fill_rows(const accel_fill_params *fill, uint32_t d, char *dst)
{
    bool row = d + 1 == fill->dims || d + 1 == ACCEL_MAX_DIMS;

    for (size_t i = 0; i < fill->extent[d]; i += row ? fill->pattern_size : 1) {
        if (row)
            memcpy(dst + i, fill->pattern, fill->pattern_size);
        else
            fill_rows(fill, d + 1, dst + i * fill->pitch[d]);
    }
}

static accel_status queue_fill(accel_impl_queue *queue, const accel_fill_params *params)
{
    if (queue->status == ACCEL_OK)
        fill_rows(params, 0, (char *)params->dst);
    host->hold_release(params->hold);
    return ACCEL_OK;
}

static accel_status queue_call(accel_impl_queue *queue, accel_host_fn function, void *user)
{
    function(user, queue->status);
    return ACCEL_OK;
}

static accel_status queue_record(accel_impl_queue *queue, accel_impl_event *event)
{
    event->recorded = true;
    event->status = queue->status;
    return ACCEL_OK;
}

static accel_status queue_wait_event(accel_impl_queue *queue, accel_impl_event *event)
{
    if (queue->status == ACCEL_OK)
        queue->status = event->status;
    return ACCEL_OK;
}

static accel_status queue_wait_timeline(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value)
{
    accel_status status = host->timeline_wait(timeline, value);
    if (queue->status == ACCEL_OK)
        queue->status = status;
    return ACCEL_OK;
}

static accel_status queue_wait(accel_impl_queue *queue)
{
    accel_status status = queue->status;
    queue->status = ACCEL_OK;
    return status == ACCEL_OK ? ACCEL_OK : host->error(status, "an earlier operation failed");
}

static accel_status queue_is_idle(accel_impl_queue *queue, bool *yes)
{
    (void)queue;
    *yes = true;
    return ACCEL_OK;
}

static const accel_queue_vtable queue_vtable = {
    .struct_size = sizeof(accel_queue_vtable),
    .destroy = queue_destroy,
    .launch = queue_launch,
    .copy = queue_copy,
    .fill = queue_fill,
    .call = queue_call,
    .record = queue_record,
    .wait_event = queue_wait_event,
    .wait_timeline = queue_wait_timeline,
    .wait = queue_wait,
    .is_idle = queue_is_idle,
};

/* ---------------------------------------------------------------------------------------------- event -- */

static void event_destroy(accel_impl_event *event)
{
    free(event);
}

static accel_status event_is_complete(accel_impl_event *event, bool *yes)
{
    (void)event;
    *yes = true;
    return ACCEL_OK;
}

static accel_status event_wait(accel_impl_event *event)
{
    return event->status == ACCEL_OK ? ACCEL_OK : host->error(event->status, "an earlier operation failed");
}

static accel_status event_elapsed(accel_impl_event *start, accel_impl_event *end, uint64_t *nanoseconds)
{
    (void)start;
    (void)end;
    (void)nanoseconds;
    return host->error(ACCEL_INVALID, "this backend times nothing");
}

static accel_status event_timeline(accel_impl_event *event, accel_timeline **timeline, uint64_t *value)
{
    *timeline = NULL;
    *value = 0;
    if (!event->recorded || host->timeline_create(timeline) != ACCEL_OK)
        return ACCEL_OK;
    *value = 1;
    host->timeline_signal(*timeline, 1, event->status);
    return ACCEL_OK;
}

static const accel_event_vtable event_vtable = {
    .struct_size = sizeof(accel_event_vtable),
    .destroy = event_destroy,
    .is_complete = event_is_complete,
    .wait = event_wait,
    .elapsed = event_elapsed,
    .timeline = event_timeline,
};

/* --------------------------------------------------------------------------------------------- module -- */

static void module_unload(accel_impl_module *module)
{
    for (accel_impl_kernel *kernel = module->kernels, *next; kernel != NULL; kernel = next) {
        next = kernel->next;
        free(kernel);
    }
    free(module);
}

static accel_status module_kernel(accel_impl_module *module, const char *name, accel_impl_kernel **result,
                                  accel_kernel_properties *properties)
{
    char symbol[128] = ACCEL_DESCRIPTOR_PREFIX;
    strncat(symbol, name, sizeof symbol - sizeof ACCEL_DESCRIPTOR_PREFIX);
    const accel_kernel_descriptor *descriptor = (const accel_kernel_descriptor *)dlsym(module->library, symbol);
    if (descriptor == NULL)
        return host->error(ACCEL_NOT_FOUND, "no kernel \"%s\"", name);
    if (descriptor->magic != ACCEL_OBJECT_MAGIC || descriptor->abi != ACCEL_OBJECT_ABI || descriptor->run_blocks == NULL)
        return host->error(ACCEL_INCOMPATIBLE, "kernel \"%s\" is of another kind", name);
    accel_impl_kernel *kernel = (accel_impl_kernel *)make(sizeof *kernel);
    if (kernel == NULL)
        return ACCEL_OUT_OF_MEMORY;
    kernel->descriptor = *descriptor;
    kernel->next = module->kernels;
    module->kernels = kernel;
    properties->form = descriptor->form;
    properties->args_size = descriptor->args_size;
    properties->args_align = descriptor->args_align;
    properties->max_threads = ACCEL_MAX_BLOCK_THREADS;
    properties->warp_size = 1;
    *result = kernel;
    return ACCEL_OK;
}

static accel_status module_global(accel_impl_module *module, const char *name, void **ptr, void **host_ptr, size_t *size)
{
    (void)module;
    (void)ptr;
    (void)host_ptr;
    (void)size;
    return host->error(ACCEL_NOT_FOUND, "no global \"%s\"", name);
}

static const accel_module_vtable module_vtable = {
    .struct_size = sizeof(accel_module_vtable),
    .unload = module_unload,
    .kernel = module_kernel,
    .global = module_global,
};

/* --------------------------------------------------------------------------------------------- device -- */

static void device_close(accel_impl_device *device)
{
    free(device);
}

static accel_status device_info(accel_impl_device *device, accel_device_properties *properties)
{
    (void)device;
    properties->kind = ACCEL_DEVICE_CPU;
    strcpy(properties->description, "the first plugin ABI");
    strcpy(properties->architecture, "any");
    strcpy(properties->targets, "first");
    properties->features = ACCEL_FEATURE_HOST_MEMORY;
    properties->compute_units = 1;
    properties->warp_size = 1;
    properties->max_block_threads = ACCEL_MAX_BLOCK_THREADS;
    for (int d = 0; d < 3; ++d) {
        properties->max_threads[d] = ACCEL_MAX_BLOCK_THREADS;
        properties->max_blocks[d] = 65535;
    }
    properties->max_args_size = ACCEL_MAX_ARGS_SIZE;
    properties->base_alignment = 256;
    properties->pitch_alignment = 64;
    properties->numa_node = properties->pci_domain = properties->pci_bus = properties->pci_device = -1;
    return ACCEL_OK;
}

static uint32_t device_target_rank(accel_impl_device *device, const char *target, const char *format, char *reason,
                                   size_t reason_size)
{
    (void)device;
    if (reason_size > 0)
        reason[0] = '\0';
    return strcmp(format, "so") == 0 && strcmp(target, "first") == 0;
}

static accel_status device_allocate(accel_impl_device *device, const accel_memory_request *request,
                                    accel_impl_memory **memory, void **ptr, void **host_ptr)
{
    (void)device;
    accel_impl_memory *block = (accel_impl_memory *)make(sizeof *block);
    if (block == NULL)
        return ACCEL_OUT_OF_MEMORY;
    block->block = aligned_alloc(request->alignment, (request->size + request->alignment - 1) / request->alignment * request->alignment);
    if (block->block == NULL) {
        free(block);
        return host->error(ACCEL_OUT_OF_MEMORY, "no %zu bytes", request->size);
    }
    *memory = block;
    *ptr = *host_ptr = block->block;
    return ACCEL_OK;
}

static void device_free(accel_impl_device *device, accel_impl_memory *memory)
{
    (void)device;
    free(memory->block);
    free(memory);
}

static accel_status device_queue_create(accel_impl_device *device, uint32_t flags, int32_t priority, accel_impl_queue **queue)
{
    (void)device;
    (void)flags;
    (void)priority;
    *queue = (accel_impl_queue *)make(sizeof **queue);
    return *queue == NULL ? ACCEL_OUT_OF_MEMORY : ACCEL_OK;
}

static accel_status device_event_create(accel_impl_device *device, uint32_t flags, accel_impl_event **event)
{
    (void)device;
    (void)flags;
    *event = (accel_impl_event *)make(sizeof **event);
    return *event == NULL ? ACCEL_OUT_OF_MEMORY : ACCEL_OK;
}

static accel_status device_module_load(accel_impl_device *device, const accel_image *image, accel_impl_module **result)
{
    (void)device;
    if (image->path == NULL)
        return host->error(ACCEL_UNSUPPORTED, "only files");
    accel_impl_module *module = (accel_impl_module *)make(sizeof *module);
    if (module == NULL)
        return ACCEL_OUT_OF_MEMORY;
    module->library = dlopen(image->path, RTLD_NOW | RTLD_LOCAL);
    if (module->library == NULL) {
        free(module);
        return host->error(ACCEL_INCOMPATIBLE, "%s", dlerror());
    }
    *result = module;
    return ACCEL_OK;
}

static const accel_device_vtable device_vtable = {
    .struct_size = sizeof(accel_device_vtable),
    .close = device_close,
    .info = device_info,
    .target_rank = device_target_rank,
    .allocate = device_allocate,
    .free = device_free,
    .queue_create = device_queue_create,
    .event_create = device_event_create,
    .module_load = device_module_load,
};

/* -------------------------------------------------------------------------------------------- backend -- */

static void backend_close(accel_impl_backend *backend)
{
    free(backend);
}

static uint32_t backend_device_count(accel_impl_backend *backend)
{
    (void)backend;
    return 1;
}

static accel_status backend_device_open(accel_impl_backend *backend, uint32_t ordinal, accel_impl_device **device)
{
    (void)backend;
    (void)ordinal;
    *device = (accel_impl_device *)make(sizeof **device);
    return *device == NULL ? ACCEL_OUT_OF_MEMORY : ACCEL_OK;
}

static const accel_backend_vtable backend_vtable = {
    .struct_size = sizeof(accel_backend_vtable),
    .close = backend_close,
    .device_count = backend_device_count,
    .device_open = backend_device_open,
};

static accel_status backend_open(const accel_host_services *services, const accel_open_params *params, accel_open_result *result)
{
    (void)params;
    host = services;
    result->backend = (accel_impl_backend *)make(sizeof *result->backend);
    if (result->backend == NULL)
        return ACCEL_OUT_OF_MEMORY;
    result->backend_vtable = &backend_vtable;
    result->device_vtable = &device_vtable;
    result->queue_vtable = &queue_vtable;
    result->event_vtable = &event_vtable;
    result->module_vtable = &module_vtable;
    return ACCEL_OK;
}

extern const accel_plugin accel_plugin_descriptor;
__attribute__((visibility("default"))) const accel_plugin accel_plugin_descriptor = {
    .abi = ACCEL_PLUGIN_ABI,
    .struct_size = sizeof(accel_plugin),
    .name = "first",
    .build = "the first plugin ABI",
    .open = backend_open,
};
