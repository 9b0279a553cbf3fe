/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_backend.h"

#include "core/api/instance.h"
#include "assertions.h"
#include "core/api/module.h"

#include <stdio.h>
#include <string.h>

static fake_backend the_fake;
static accel_instance instance;
static accel_backend backend;
static accel_device device;
static struct accel_module module;
static char nowhere[] = "";

static accel_status queue_create(accel_impl_device *impl, uint32_t flags, int32_t priority, accel_impl_queue **out)
{
    (void)impl, (void)flags, (void)priority;
    *out = (accel_impl_queue *)(void *)&the_fake;
    return ACCEL_OK;
}

static void queue_destroy(accel_impl_queue *impl)
{
    (void)impl;
}

static accel_status launch(accel_impl_queue *impl, accel_impl_kernel *kernel, const accel_work *work, const void *args)
{
    (void)impl, (void)kernel;
    ++the_fake.launches;
    the_fake.launched = *work;
    the_fake.launched_args = args;
    return the_fake.answer;
}

static accel_status kernel_lookup(accel_impl_module *impl, const char *name, accel_impl_kernel **out,
                                  accel_kernel_properties *properties)
{
    (void)impl, (void)name;
    *out = (accel_impl_kernel *)(void *)&the_fake;
    *properties = the_fake.kernel;
    return ACCEL_OK;
}

static accel_status suggest(accel_impl_kernel *impl, size_t shared_bytes, accel_suggestion *out)
{
    (void)impl, (void)shared_bytes;
    if (the_fake.suggestion.threads == 0)
        return ACCEL_UNSUPPORTED;
    *out = the_fake.suggestion;
    return ACCEL_OK;
}

/* Its place in the list, counted from the end. */
static uint32_t listed_rank(const char *target, const char *format, char *reason, size_t reason_size)
{
    char name[128];
    size_t count = 0, place = 0;

    snprintf(name, sizeof(name), "%s.%s", target, format);
    while (the_fake.targets[count] != NULL)
        ++count;
    while (place < count && strcmp(the_fake.targets[place], name) != 0)
        ++place;
    snprintf(reason, reason_size, "%s %s", place < count ? "runs" : "does not run", name);
    return (uint32_t)(count - place);
}

/* Targets are called "rank-N", unless the test lists them. */
static uint32_t target_rank(accel_impl_device *impl, const char *target, const char *format, char *reason,
                            size_t reason_size)
{
    unsigned rank = 0;

    (void)impl;
    if (the_fake.targets != NULL)
        return listed_rank(target, format, reason, reason_size);
    if (strcmp(format, "so") == 0 && sscanf(target, "rank-%u", &rank) == 1 && rank != 0)
        snprintf(reason, reason_size, "rank %u", rank);
    else
        snprintf(reason, reason_size, "unknown target %s.%s", target, format);
    return rank;
}

fake_backend *fake_open(char **kernel_path)
{
    static char *no_path[] = {NULL};

    memset(&the_fake, 0, sizeof(the_fake));
    memset(&instance, 0, sizeof(instance));
    memset(&backend, 0, sizeof(backend));
    memset(&device, 0, sizeof(device));
    memset(&module, 0, sizeof(module));
    accel_reference_init(&instance.reference); /* never given back: the instance is static */
    instance.kernel_path = kernel_path != NULL ? kernel_path : no_path;
    backend.instance = &instance;
    backend.state = ACCEL_BACKEND_USABLE;
    backend.queue_vtable.launch = launch;
    backend.queue_vtable.destroy = queue_destroy;
    backend.device_vtable.queue_create = queue_create;
    backend.device_vtable.target_rank = target_rank;
    backend.module_vtable.kernel = kernel_lookup;
    backend.module_vtable.suggest = suggest;
    accel_reference_init(&device.reference);
    device.instance = &instance;
    device.backend = &backend;
    device.root = &device;
    device.properties.kind = ACCEL_DEVICE_CPU;
    snprintf(device.properties.name, sizeof(device.properties.name), "fake:0");
    snprintf(device.properties.architecture, sizeof(device.properties.architecture), "imaginary");
    snprintf(device.properties.targets, sizeof(device.properties.targets), "rank-9 rank-1");
    accel_reference_init(&module.reference);
    module.device = &device;
    module.backend = &backend;
    module.library = module.target = module.path = nowhere;
    the_fake.device = &device;
    the_fake.module = &module;
    the_fake.kernel = (accel_kernel_properties)ACCEL_KERNEL_PROPERTIES_INIT;
    the_fake.kernel.form = ACCEL_KERNEL_FORM_BLOCK;

    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;

    desc.flags = ACCEL_QUEUE_BLOCKING;
    ck_assert_uint_eq(accel_queue_create(&device, &desc, &the_fake.queue), ACCEL_OK);
    return &the_fake;
}

void fake_close(void)
{
    accel_queue_release(the_fake.queue);
}

accel_kernel *fake_kernel(const char *name)
{
    accel_kernel *kernel = NULL;

    accel_kernel_origin origin = {.module = &module, .device = &device, .library = "", .target = "", .path = ""};

    ck_assert_uint_eq(accel_kernel_create("test", &origin, name, &kernel), ACCEL_OK);
    return kernel;
}
