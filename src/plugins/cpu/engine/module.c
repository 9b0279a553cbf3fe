/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/module.h"
#include "plugins/support/descriptor.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a host object's descriptor must say besides. */
static bool wrong_with(const accel_descriptor *d, const char *name, char *text, size_t size)
{
    bool by_thread = d->form == ACCEL_FORM_THREAD;
    if (by_thread ? d->run_thread == NULL : d->run_blocks == NULL)
        snprintf(text, size, "it has no entry for its form: %s is null", by_thread ? "run_thread" : "run_blocks");
    else if (d->shared_bytes > CPU_MAX_SHARED_BYTES)
        snprintf(text, size, "it wants %u bytes of static shared memory, more than there is", d->shared_bytes);
    else if (d->name == NULL || strcmp(d->name, name) != 0)
        snprintf(text, size, "it bears another name");
    else
        return false;
    return true;
}

accel_status cpu_descriptor_check(const accel_descriptor *descriptor, size_t size, const char *name)
{
    char text[160];
    accel_status status = plugin_descriptor_check(cpu_host(), descriptor, size, name);

    if (status != ACCEL_OK || !wrong_with(descriptor, name, text, sizeof(text)))
        return status;
    return plugin_descriptor_refuse(cpu_host(), name, text);
}

static void unload(accel_impl_module *module)
{
    for (accel_impl_kernel *kernel = module->kernels, *next; kernel != NULL; kernel = next) {
        next = kernel->next;
        free(kernel);
    }
    cpu_device_release(module->device);
    free(module);
}

static accel_impl_kernel *find(accel_impl_module *module, const char *name)
{
    accel_impl_kernel *kernel = atomic_load_explicit(&module->kernels, memory_order_acquire);
    while (kernel != NULL && strcmp(kernel->descriptor->name, name) != 0)
        kernel = kernel->next;
    return kernel;
}

static accel_status make(accel_impl_module *module, const char *name, accel_impl_kernel **made)
{
    size_t length = strlen(name), size = 0;
    char *symbol = malloc(sizeof(ACCEL_DESCRIPTOR_PREFIX) + length);
    accel_impl_kernel *kernel = calloc(1, sizeof(*kernel));
    accel_status status = ACCEL_OK;
    if (symbol == NULL || kernel == NULL) {
        status = cpu_host()->error(ACCEL_OUT_OF_MEMORY, "kernel \"%s\": no memory for its record", name);
        goto done;
    }
    memcpy(symbol, ACCEL_DESCRIPTOR_PREFIX, sizeof(ACCEL_DESCRIPTOR_PREFIX));
    memcpy(symbol + sizeof(ACCEL_DESCRIPTOR_PREFIX) - 1, name, length + 1);
    kernel->descriptor = cpu_object_data(module->object, symbol, &size);
    if (kernel->descriptor == NULL) {
        status = cpu_host()->error(ACCEL_NOT_FOUND, "the object has no kernel \"%s\"", name);
        goto done;
    }
    status = cpu_descriptor_check(kernel->descriptor, size, name);
    if (status != ACCEL_OK)
        goto done;
    kernel->device = module->device;
    kernel->next = atomic_load_explicit(&module->kernels, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&module->kernels, &kernel->next, kernel, memory_order_release,
                                                  memory_order_relaxed))
        ;
    *made = kernel;
    kernel = NULL;
done:
    free(kernel);
    free(symbol);
    return status;
}

/* Every kernel, so that a descriptor that cannot be used is found now (semantics K6). */
static accel_status make_all(accel_impl_module *module, const accel_image *image)
{
    accel_status status = ACCEL_OK;
    for (size_t i = 0; i < image->kernel_count && status == ACCEL_OK; ++i) {
        accel_impl_kernel *kernel;
        status = make(module, image->kernels[i], &kernel);
    }
    return status;
}

accel_status cpu_module_load(accel_impl_device *device, const accel_image *image, accel_impl_module **made)
{
    accel_impl_module *module = calloc(1, sizeof(*module));
    if (module == NULL)
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "library \"%s\": no memory for a module", image->library);
    cpu_device_retain(device);
    module->device = device;
    const cpu_observer *observer = device->backend->executor->observer;
    accel_status status = cpu_object_load(image, &module->object);
    if (status == ACCEL_OK && observer != NULL)
        status = observer->object(image, module->object->handle);
    if (status == ACCEL_OK)
        status = make_all(module, image);
    if (status != ACCEL_OK) {
        unload(module);
        return status;
    }
    *made = module;
    return ACCEL_OK;
}

static accel_status kernel_of(accel_impl_module *module, const char *name, accel_impl_kernel **made,
                              accel_kernel_properties *properties)
{
    accel_impl_kernel *kernel = find(module, name);
    if (kernel == NULL) {
        accel_status status = make(module, name, &kernel);
        if (status != ACCEL_OK)
            return status;
    }
    const accel_descriptor *descriptor = kernel->descriptor;
    bool fixed = descriptor->block[0] != 0;
    plugin_descriptor_properties(descriptor, properties);
    properties->shared_bytes = descriptor->shared_bytes;
    properties->max_shared_bytes = CPU_MAX_SHARED_BYTES - descriptor->shared_bytes;
    properties->registers = 0;
    properties->local_bytes = 0;
    properties->max_threads =
        fixed ? descriptor->block[0] * descriptor->block[1] * descriptor->block[2] : ACCEL_MAX_BLOCK_THREADS;
    const cpu_observer *observer = kernel->device->backend->executor->observer;
    properties->warp_size = observer != NULL ? observer->warp_size(descriptor) : 1;
    *made = kernel;
    return ACCEL_OK;
}

static accel_status global(accel_impl_module *module, const char *name, void **ptr, void **host_ptr, size_t *size)
{
    size_t bytes = 0;
    void *data = cpu_object_data(module->object, name, &bytes);
    if (data == NULL || strncmp(name, ACCEL_DESCRIPTOR_PREFIX, strlen(ACCEL_DESCRIPTOR_PREFIX)) == 0)
        return cpu_host()->error(ACCEL_NOT_FOUND, "the object has no global \"%s\"", name);
    *ptr = data;
    *host_ptr = data;
    *size = bytes;
    return ACCEL_OK;
}

static accel_status suggest(accel_impl_kernel *kernel, size_t shared_bytes, accel_suggestion *suggestion)
{
    (void)shared_bytes; /* there is memory for any number of blocks */
    accel_impl_device *device = kernel->device;
    suggestion->threads = cpu_threads_of_block(kernel->descriptor);
    cpu_caches caches = cpu_device_caches(device);
    cpu_division_suggest(&caches, device->executor->parts(device->executor), suggestion);
    return ACCEL_OK;
}

static accel_status native(accel_impl_module *module, void **handle)
{
    *handle = module->object->handle;
    return ACCEL_OK;
}

static accel_status kernel_native(accel_impl_kernel *kernel, void **handle)
{
    const void *descriptor = kernel->descriptor;
    memcpy(handle, &descriptor, sizeof(descriptor));
    return ACCEL_OK;
}

const accel_module_vtable cpu_module_vtable = {
    .struct_size = sizeof(accel_module_vtable),
    .unload = unload,
    .native = native,
    .global = global,
    .kernel = kernel_of,
    .kernel_native = kernel_native,
    .suggest = suggest,
    .resident_blocks = NULL,
};
