/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_fake_driver.h"
#include "core/plugins/services.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Atomic bool gpu_fake_peers = true;
_Atomic int gpu_fake_alive;
_Atomic bool gpu_fake_faulted[FAKE_DEVICES];
_Thread_local uintptr_t gpu_fake_current;

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char log_text[65536];

void gpu_fake_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&log_lock);
    size_t length = strlen(log_text);
    vsnprintf(log_text + length, sizeof(log_text) - length, format, arguments);
    pthread_mutex_unlock(&log_lock);
    va_end(arguments);
}

const char *gpu_fake_log(void)
{
    return log_text;
}

void gpu_fake_forget(void)
{
    pthread_mutex_lock(&log_lock);
    log_text[0] = '\0';
    pthread_mutex_unlock(&log_lock);
}

gpu_result gpu_fake_state(void)
{
    ck_assert_uint_ne(gpu_fake_current, 0); /* a context is gpu_fake_current */
    return gpu_fake_faulted[gpu_fake_current - 1] ? FAKE_FAULT : 0;
}

static gpu_result device_count(int *count)
{
    *count = FAKE_DEVICES;
    return 0;
}

static gpu_result device_get(int *device, int ordinal)
{
    *device = ordinal;
    return 0;
}

static gpu_result device_name(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "fake %d", device);
    return 0;
}

static gpu_result device_memory(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return 0;
}

static gpu_result device_attribute(int *value, int number, int device)
{
    (void)device;
    *value = 1;
    if (number == GPU_ATTRIBUTE_MAX_PITCH)
        *value = FAKE_MAX_PITCH;
    if (number == GPU_ATTRIBUTE_MAX_SHARED)
        *value = 48 << 10;
    if (number == GPU_ATTRIBUTE_MAX_SHARED_OPTIN)
        *value = 96 << 10;
    if (number == GPU_ATTRIBUTE_MEMORY_POOLS)
        *value = 0;
    return 0;
}

static gpu_result device_can_access_peer(int *yes, int device, int peer)
{
    *yes = gpu_fake_peers && device != peer;
    return 0;
}

static gpu_result device_describe(gpu_description *description, int device)
{
    (void)device;
    memset(description, 0, sizeof(*description));
    snprintf(description->architecture, sizeof(description->architecture), "fake_1");
    return 0;
}

static uint32_t target_rank(const char *architecture, const char *target, const char *format, char *reason, size_t size)
{
    (void)format;
    snprintf(reason, size, "it is fake");
    return strcmp(architecture, target) == 0;
}

static gpu_result context_retain(gpu_context *context, int device)
{
    ++gpu_fake_alive;
    *context = (gpu_context)((uintptr_t)device + 1);
    return 0;
}

static gpu_result context_release(int device)
{
    (void)device;
    --gpu_fake_alive;
    return 0;
}

static gpu_result context_get_current(gpu_context *context)
{
    *context = (gpu_context)gpu_fake_current;
    return 0;
}

static gpu_result context_set_current(gpu_context context)
{
    gpu_fake_current = (uintptr_t)context;
    return 0;
}

static gpu_result context_enable_peer(gpu_context peer)
{
    ck_assert_uint_ne((uintptr_t)peer, 0);
    gpu_fake_note("connect;");
    return 0;
}

static const char *error_name(gpu_result result)
{
    return result == FAKE_FAULT ? "FAKE_ILLEGAL_ADDRESS" : "FAKE_ERROR";
}

static const char *error_text(gpu_result result)
{
    return result == FAKE_FAULT ? "an illegal memory access" : "something else";
}

static const gpu_error_class error_classes[] = {{FAKE_NOT_READY, GPU_CLASS_NOT_READY, ACCEL_NOT_READY},
                                                {FAKE_FAULT, GPU_CLASS_FAULT, ACCEL_KERNEL_FAULT},
                                                {FAKE_SHORT, GPU_CLASS_REFUSED, ACCEL_OUT_OF_MEMORY},
                                                {FAKE_TOO_LARGE, GPU_CLASS_REFUSED, ACCEL_LIMIT}};

static gpu_driver driver = {
    .name = "fake",
    .product = "Fake",
    .error_classes = error_classes,
    .error_class_count = sizeof(error_classes) / sizeof(error_classes[0]),
    .error_name = error_name,
    .error_text = error_text,
    .device_count = device_count,
    .device_get = device_get,
    .device_name = device_name,
    .device_memory = device_memory,
    .device_attribute = device_attribute,
    .device_can_access_peer = device_can_access_peer,
    .device_describe = device_describe,
    .target_rank = target_rank,
    .context_retain = context_retain,
    .context_release = context_release,
    .context_get_current = context_get_current,
    .context_set_current = context_set_current,
    .context_enable_peer = context_enable_peer,
};

static accel_status open_driver(const gpu_family *own, const accel_host_services *host, const gpu_driver **opened,
                                uint32_t *usable)
{
    (void)own;
    (void)host;
    (void)usable;
    for (int i = 0; i < GPU_ATTRIBUTE_COUNT; ++i)
        driver.attribute_numbers[i] = i;
    gpu_fake_fill_streams(&driver);
    gpu_fake_fill_memory(&driver);
    gpu_fake_fill_modules(&driver);
    *opened = &driver;
    return ACCEL_OK;
}

static const gpu_family family = {.name = "fake", .open = open_driver};

gpu_fake gpu_fake_open(void)
{
    gpu_fake fake = {.plugin = {.struct_size = sizeof(accel_open_result)}};

    gpu_fake_alive = 0;
    for (int i = 0; i < FAKE_DEVICES; ++i)
        gpu_fake_faulted[i] = false;
    ck_assert_uint_eq(gpu_backend_open(&family, &accel_services, &fake.plugin), ACCEL_OK);
    for (uint32_t i = 0; i < FAKE_DEVICES; ++i)
        ck_assert_uint_eq(fake.plugin.backend_vtable->device_open(fake.plugin.backend, i, &fake.devices[i]), ACCEL_OK);
    ck_assert_int_eq(gpu_fake_alive, 0); /* no context yet */
    return fake;
}

void gpu_fake_close(gpu_fake *fake)
{
    for (int i = 0; i < FAKE_DEVICES; ++i)
        gpu_device_vtable.close(fake->devices[i]);
    fake->plugin.backend_vtable->close(fake->plugin.backend);
    /* What was released while the device worked goes back behind the work, by the engine's own thread. */
    for (int i = 0; i < 20000 && gpu_fake_alive != 0; ++i)
        usleep(1000);
    ck_assert_int_eq(gpu_fake_alive, 0);
}

accel_impl_queue *gpu_fake_queue(gpu_fake *fake, unsigned device, uint32_t flags)
{
    accel_impl_queue *queue = NULL;
    ck_assert_uint_eq(gpu_queue_create(fake->devices[device], flags, 0, &queue), ACCEL_OK);
    return queue;
}

accel_impl_event *gpu_fake_event(gpu_fake *fake, unsigned device, uint32_t flags)
{
    accel_impl_event *event = NULL;
    ck_assert_uint_eq(gpu_event_create(fake->devices[device], flags, &event), ACCEL_OK);
    return event;
}

accel_impl_memory *gpu_fake_memory(gpu_fake *fake, unsigned device, uint32_t flags, size_t size, void **ptr)
{
    accel_memory_request request = {.struct_size = sizeof(request), .flags = flags, .size = size, .alignment = 256};
    accel_impl_memory *memory = NULL;
    void *host_ptr;
    ck_assert_uint_eq(gpu_device_vtable.allocate(fake->devices[device], &request, &memory, ptr, &host_ptr), ACCEL_OK);
    return memory;
}

accel_impl_module *gpu_fake_module(gpu_fake *fake, unsigned device, accel_impl_kernel **kernel)
{
    accel_image image = {.struct_size = sizeof(image),
                         .library = "fake",
                         .target = "fake_1",
                         .format = "fake",
                         .data = "bytes",
                         .size = 5};
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    accel_impl_module *module = NULL;
    ck_assert_uint_eq(gpu_module_load(fake->devices[device], &image, &module), ACCEL_OK);
    ck_assert_uint_eq(gpu_module_vtable.kernel(module, "axpy", kernel, &properties), ACCEL_OK);
    return module;
}

accel_work gpu_fake_work(void)
{
    return accel_work_1d(3, 64, 1);
}

static void pass_gate(void *user, accel_status status)
{
    gpu_gate *gate = user;
    (void)status;
    gate->entered = true;
    while (!gate->open)
        usleep(200);
}

void gpu_gate_in(gpu_gate *gate, accel_impl_queue *queue)
{
    gate->entered = gate->open = false;
    ck_assert_uint_eq(gpu_queue_vtable.call(queue, pass_gate, gate), ACCEL_OK);
}

void gpu_gate_entered(gpu_gate *gate)
{
    while (!gate->entered)
        usleep(200);
}

bool gpu_becomes(_Atomic uint32_t *word, uint32_t value)
{
    for (int i = 0; i < 20000 && atomic_load(word) != value; ++i)
        usleep(1000);
    return atomic_load(word) == value;
}
