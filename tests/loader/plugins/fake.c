/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A backend that does nothing, made from accel/plugin.h alone, in as many variants as a loader can meet. What is wrong with
 * a variant is set by macros at compile time (tests/loader/meson.build), or by the environment when it is opened:
 *   FAKE_STATE    open fails with this ACCEL_BACKEND_* state
 *   FAKE_STATUS   the status that it fails with; ACCEL_UNAVAILABLE unless set
 *   FAKE_SILENT   without a text
 *   FAKE_DEVICES  number of devices, instead of FAKE_DEVICE_COUNT
 *   FAKE_BAD      ordinal of a device that does not open
 *   FAKE_NOTHING  slots that make an object succeed and make none
 *   FAKE_TRACE    file that gets a line for each open, close, device_open, device_close
 */
#include <accel/plugin.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FAKE_NAME
#define FAKE_NAME "fake"
#endif
#ifndef FAKE_ABI
#define FAKE_ABI ACCEL_PLUGIN_ABI
#endif
#ifndef FAKE_KIND
#define FAKE_KIND ACCEL_DEVICE_OTHER
#endif
#ifndef FAKE_DEVICE_COUNT
#define FAKE_DEVICE_COUNT 1
#endif

struct accel_impl_backend {
    uint32_t device_count;
};
struct accel_impl_device {
    uint32_t ordinal;
    bool share;
};

static const accel_host_services *_Atomic services; /* instances may be made by several threads at once */

static void trace(const char *what, uint32_t number)
{
    const char *path = getenv("FAKE_TRACE");
    char line[64];

    if (path == NULL)
        return;
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int length = snprintf(line, sizeof(line), FAKE_NAME " %s %u\n", what, number);
    if (file >= 0 && write(file, line, (size_t)length) != length)
        abort();
    if (file >= 0)
        close(file);
}

static uint32_t number_from(const char *name, uint32_t otherwise)
{
    const char *value = getenv(name);

    return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : otherwise;
}

static void backend_close(accel_impl_backend *backend)
{
    trace("close", 0);
    free(backend);
}

static uint32_t device_count(accel_impl_backend *backend)
{
    return backend->device_count;
}

static accel_status device_open(accel_impl_backend *backend, uint32_t ordinal, accel_impl_device **out)
{
    (void)backend;
    if (getenv("FAKE_NOTHING") != NULL && ordinal == 1)
        return ACCEL_OK;
    if (ordinal == number_from("FAKE_BAD", UINT32_MAX))
        return services->error(ACCEL_DRIVER, "device %u fell off the bus; reseat it", ordinal);

    accel_impl_device *device = calloc(1, sizeof(*device));

    if (device == NULL)
        return services->error(ACCEL_OUT_OF_MEMORY, "no memory for device %u", ordinal);
    device->ordinal = ordinal;
    trace("device_open", ordinal);
    *out = device;
    return ACCEL_OK;
}

static void device_close(accel_impl_device *device)
{
    trace(device->share ? "share_close" : "device_close", device->ordinal);
    free(device);
}

static accel_status device_info(accel_impl_device *device, accel_device_properties *properties)
{
    properties->kind = FAKE_KIND;
    properties->ordinal = device->ordinal;
    memset(properties->description, 'd', sizeof(properties->description)); /* without an end, as plugins should not */
    strcpy(properties->architecture, "fake_1");
    properties->memory_bytes = 1 << 20;
    properties->base_alignment = 256;
    return ACCEL_OK;
}

#ifndef FAKE_BARE
static accel_status device_memory(accel_impl_device *device, size_t *free_bytes, size_t *total_bytes)
{
    (void)device;
    *free_bytes = 1 << 19;
    *total_bytes = 1 << 20;
    return ACCEL_OK;
}

static accel_status device_partition(accel_impl_device *device, const accel_partition_desc *desc,
                                     accel_impl_device **devices, size_t capacity, size_t *count)
{
    size_t shares = desc->by == ACCEL_PARTITION_EQUAL ? desc->share_count : 2;

    for (size_t i = 0; i < shares && i < capacity; ++i) {
        devices[i] = calloc(1, sizeof(*devices[i]));
        if (devices[i] == NULL) {
            while (i > 0)
                free(devices[--i]);
            return services->error(ACCEL_OUT_OF_MEMORY, "no memory for share %zu", i);
        }
        devices[i]->ordinal = device->ordinal;
        devices[i]->share = true;
    }
    *count = shares;
    return ACCEL_OK;
}

static accel_status device_can_access(accel_impl_device *device, accel_impl_device *peer, bool *yes)
{
    *yes = device->ordinal + 1 == peer->ordinal;
    return ACCEL_OK;
}
#endif

static uint32_t device_target_rank(accel_impl_device *device, const char *target, const char *format, char *reason,
                                   size_t reason_size)
{
    (void)device, (void)target, (void)format;
    snprintf(reason, reason_size, "it runs nothing");
    return 0;
}

static accel_status refuse(void)
{
    if (getenv("FAKE_NOTHING") != NULL)
        return ACCEL_OK;
    return services->error(ACCEL_UNSUPPORTED, "the fake backend does nothing");
}

static accel_status device_allocate(accel_impl_device *device, const accel_memory_request *request,
                                    accel_impl_memory **memory, void **ptr, void **host_ptr)
{
    (void)device, (void)request, (void)memory, (void)ptr, (void)host_ptr;
    return refuse();
}

static void device_free(accel_impl_device *device, accel_impl_memory *memory)
{
    (void)device, (void)memory;
}

static accel_status device_queue_create(accel_impl_device *device, uint32_t flags, int32_t priority,
                                        accel_impl_queue **queue)
{
    (void)device, (void)flags, (void)priority, (void)queue;
    return refuse();
}

static accel_status device_event_create(accel_impl_device *device, uint32_t flags, accel_impl_event **event)
{
    (void)device, (void)flags, (void)event;
    return refuse();
}

static accel_status device_module_load(accel_impl_device *device, const accel_image *image, accel_impl_module **module)
{
    (void)device, (void)image, (void)module;
    return refuse();
}

/* Queues, events and modules are never made: their slots only have to be there. */
static void queue_destroy(accel_impl_queue *queue)
{
    (void)queue;
}

static accel_status queue_launch(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                                 const void *args)
{
    (void)queue, (void)kernel, (void)work, (void)args;
    return refuse();
}

#ifndef FAKE_NO_COPY
static accel_status queue_copy(accel_impl_queue *queue, const accel_copy_params *params)
{
    (void)queue, (void)params;
    return refuse();
}
#endif

static accel_status queue_fill(accel_impl_queue *queue, const accel_fill_params *params)
{
    (void)queue, (void)params;
    return refuse();
}

static accel_status queue_call(accel_impl_queue *queue, accel_host_fn function, void *user)
{
    (void)queue, (void)function, (void)user;
    return refuse();
}

static accel_status queue_event(accel_impl_queue *queue, accel_impl_event *event)
{
    (void)queue, (void)event;
    return refuse();
}

static accel_status queue_wait_timeline(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value)
{
    (void)queue, (void)timeline, (void)value;
    return refuse();
}

static accel_status queue_wait(accel_impl_queue *queue)
{
    (void)queue;
    return refuse();
}

static accel_status queue_is_idle(accel_impl_queue *queue, bool *idle)
{
    (void)queue, (void)idle;
    return refuse();
}

static void event_destroy(accel_impl_event *event)
{
    (void)event;
}

static accel_status event_is_complete(accel_impl_event *event, bool *complete)
{
    (void)event, (void)complete;
    return refuse();
}

static accel_status event_wait(accel_impl_event *event)
{
    (void)event;
    return refuse();
}

static accel_status event_elapsed(accel_impl_event *start, accel_impl_event *end, uint64_t *nanoseconds)
{
    (void)start, (void)end, (void)nanoseconds;
    return refuse();
}

static accel_status event_timeline(accel_impl_event *event, accel_timeline **timeline, uint64_t *value)
{
    (void)event, (void)timeline, (void)value;
    return refuse();
}

static void module_unload(accel_impl_module *module)
{
    (void)module;
}

static accel_status module_kernel(accel_impl_module *module, const char *name, accel_impl_kernel **kernel,
                                  accel_kernel_properties *properties)
{
    (void)module, (void)name, (void)kernel, (void)properties;
    return refuse();
}

static accel_status module_global(accel_impl_module *module, const char *name, void **ptr, void **host_ptr,
                                  size_t *size)
{
    (void)module, (void)name, (void)ptr, (void)host_ptr, (void)size;
    return refuse();
}

static const accel_backend_vtable backend_vtable = {
    .struct_size = (uint32_t)sizeof(backend_vtable),
    .close = backend_close,
    .device_count = device_count,
    .device_open = device_open,
};

static const accel_device_vtable device_vtable = {
    .struct_size = (uint32_t)sizeof(device_vtable),
    .close = device_close,
    .info = device_info,
#ifndef FAKE_BARE
    .partition = device_partition,
    .memory = device_memory,
    .can_access = device_can_access,
#endif
    .allocate = device_allocate,
    .free = device_free,
    .queue_create = device_queue_create,
    .event_create = device_event_create,
    .target_rank = device_target_rank,
    .module_load = device_module_load,
};

static const accel_queue_vtable queue_vtable = {
    .struct_size = (uint32_t)sizeof(queue_vtable),
    .destroy = queue_destroy,
    .launch = queue_launch,
#ifndef FAKE_NO_COPY
    .copy = queue_copy,
#endif
    .fill = queue_fill,
    .call = queue_call,
    .record = queue_event,
    .wait_event = queue_event,
    .wait_timeline = queue_wait_timeline,
    .wait = queue_wait,
    .is_idle = queue_is_idle,
};

#ifdef FAKE_OLD_VTABLE
#define EVENT_SIZE offsetof(accel_event_vtable, timeline) /* as if the plugin were older than a required slot */
#else
#define EVENT_SIZE sizeof(accel_event_vtable)
#endif
static const accel_event_vtable event_vtable = {
    .struct_size = (uint32_t)EVENT_SIZE,
    .destroy = event_destroy,
    .is_complete = event_is_complete,
    .wait = event_wait,
    .elapsed = event_elapsed,
    .timeline = event_timeline,
};

/* A plugin newer than libaccel has more slots, which libaccel leaves alone. */
static const struct newer_module_vtable {
    accel_module_vtable known;
    accel_status (*newer)(void);
} module_vtable = {
    .known =
        {
#ifdef FAKE_NEW_VTABLE
            .struct_size = (uint32_t)sizeof(struct newer_module_vtable),
#else
            .struct_size = (uint32_t)sizeof(accel_module_vtable),
#endif
            .unload = module_unload,
            .kernel = module_kernel,
            .global = module_global,
        },
    .newer = refuse,
};

#ifdef FAKE_UNDEFINED
accel_status fake_is_nowhere(void);
#endif

static accel_status open_backend(const accel_host_services *host, const accel_open_params *params,
                                 accel_open_result *result)
{
    (void)params;
    services = host;
    trace("open", 0);
#ifdef FAKE_UNDEFINED
    if (fake_is_nowhere() != ACCEL_OK)
        return ACCEL_INTERNAL;
#endif
    if (getenv("FAKE_STATE") != NULL) {
        accel_status status = number_from("FAKE_STATUS", ACCEL_UNAVAILABLE);
        result->state = number_from("FAKE_STATE", 0);
        if (getenv("FAKE_SILENT") == NULL)
            host->error(status, "no luck with state %u", result->state);
        return status;
    }

    accel_impl_backend *backend = calloc(1, sizeof(*backend));

    if (backend == NULL)
        return host->error(ACCEL_OUT_OF_MEMORY, "no memory for the backend");
    backend->device_count = number_from("FAKE_DEVICES", FAKE_DEVICE_COUNT);
#ifdef FAKE_VARIABLES
    trace("gear", (uint32_t)strtoul(host->config("ACCEL_FAKE_GEAR"), NULL, 10));
    trace("has a file", host->config("ACCEL_FAKE_FILE") != NULL);
#endif
    result->backend = backend;
    result->backend_vtable = &backend_vtable;
    result->device_vtable = &device_vtable;
    result->queue_vtable = &queue_vtable;
    result->event_vtable = &event_vtable;
#ifdef FAKE_NO_MODULES
    (void)module_vtable;
#else
    result->module_vtable = &module_vtable.known;
#endif
    return ACCEL_OK;
}

#define EXPORTED __attribute__((visibility("default")))
#ifdef FAKE_SMALL
#define DESCRIPTOR_SIZE (sizeof(accel_plugin) - sizeof(void *))
#elif defined(FAKE_MORE)
#define DESCRIPTOR_SIZE sizeof(larger_plugin)
#else
#define DESCRIPTOR_SIZE sizeof(accel_plugin)
#endif
#define KNOWN_FIELDS                                                                                                   \
    {                                                                                                                  \
        .abi = FAKE_ABI, .struct_size = (uint32_t)DESCRIPTOR_SIZE, .name = FAKE_NAME, .build = "made for tests",       \
        .open = open_backend                                                                                           \
    }

#if defined(FAKE_NO_DESCRIPTOR)
EXPORTED accel_status (*const fake_open)(const accel_host_services *, const accel_open_params *,
                                         accel_open_result *) = open_backend;
#elif defined(FAKE_MORE)
/* Bytes that this libaccel does not know, and what they hold. */
typedef struct larger_plugin {
    accel_plugin known;
    uint64_t more;
} larger_plugin;
EXPORTED const larger_plugin accel_plugin_descriptor = {.known = KNOWN_FIELDS, .more = FAKE_MORE};
#elif defined(FAKE_NO_OPEN)
EXPORTED const accel_plugin accel_plugin_descriptor = {
    .abi = FAKE_ABI, .struct_size = (uint32_t)DESCRIPTOR_SIZE, .name = FAKE_NAME, .build = "made for tests"};
accel_status (*const fake_open)(const accel_host_services *, const accel_open_params *,
                                accel_open_result *) = open_backend; /* for no one: it is hidden */
#elif defined(FAKE_VARIABLES)
#ifndef FAKE_DEFAULT
#define FAKE_DEFAULT "3"
#endif
#ifndef FAKE_SECOND
#define FAKE_SECOND "ACCEL_FAKE_FILE"
#endif
#ifndef FAKE_BUILD
#define FAKE_BUILD "made for tests"
#endif
typedef struct plugin_with_variables {
    accel_plugin plugin;
    accel_plugin_variable variables[2];
} plugin_with_variables;
EXPORTED const plugin_with_variables accel_plugin_descriptor = {
    .plugin = {.abi = FAKE_ABI,
               .struct_size = (uint32_t)sizeof(accel_plugin),
               .name = FAKE_NAME,
               .build = FAKE_BUILD,
               .variables_offset = (uint32_t)offsetof(plugin_with_variables, variables),
               .variable_count = 2,
               .open = open_backend},
    .variables = {{.struct_size = (uint32_t)sizeof(accel_plugin_variable),
                   .flags = ACCEL_VARIABLE_NUMBER,
                   .minimum = 1,
                   .maximum = 5,
                   .name = "ACCEL_FAKE_GEAR",
                   .default_value = FAKE_DEFAULT,
                   .meaning = "which gear the fake is in"},
                  {.struct_size = (uint32_t)sizeof(accel_plugin_variable),
                   .flags = ACCEL_VARIABLE_FILE,
                   .name = FAKE_SECOND,
                   .meaning = "what the fake reads"}},
};
#else
EXPORTED const accel_plugin accel_plugin_descriptor = KNOWN_FIELDS;
#endif
