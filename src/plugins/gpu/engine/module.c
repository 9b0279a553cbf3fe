/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/module.h"
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/engine/kernel.h"

#include <stdlib.h>
#include <string.h>

struct accel_impl_module {
    accel_impl_device *device; /* retained */
    gpu_object *object;
};

/* The device's lock table, with its first module: a launch allocates nothing. */
static accel_status make_locks(accel_impl_device *device)
{
    static const char what[] = "making the lock table of atomics";
    const gpu_driver *driver = device->driver;
    void *locks = NULL;

    if (device->locks != NULL)
        return ACCEL_OK;
    gpu_result result = driver->memory_allocate(&locks, GPU_LOCKS * sizeof(uint32_t));
    if (result != 0)
        return gpu_device_failed(device, what, result);
    result = driver->fill_32(locks, 0, GPU_LOCKS, device->stream);
    if (result == 0)
        result = driver->stream_synchronize(device->stream);
    if (result != 0) {
        driver->memory_free(locks);
        return gpu_device_failed(device, what, result);
    }
    device->locks = locks;
    return ACCEL_OK;
}

accel_status gpu_module_load(accel_impl_device *device, const accel_image *image, accel_impl_module **made)
{
    accel_impl_module *module = calloc(1, sizeof(*module));
    gpu_scope scope;

    if (module == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "library \"%s\": no memory for a module", image->library);
    accel_status status = gpu_device_use(&scope, device, "loading a kernel object");
    if (status == ACCEL_OK) {
        pthread_mutex_lock(&device->object_lock);
        status = make_locks(device);
        if (status == ACCEL_OK)
            status = gpu_object_load(device, image, &module->object);
        pthread_mutex_unlock(&device->object_lock);
        gpu_scope_leave(&scope, device);
    }
    if (status != ACCEL_OK) {
        free(module);
        return status;
    }
    gpu_device_retain(device);
    module->device = device;
    *made = module;
    return ACCEL_OK;
}

static void unload(accel_impl_module *module)
{
    accel_impl_device *device = module->device;

    if (gpu_device_forked(device))
        return;
    pthread_mutex_lock(&device->object_lock);
    gpu_object_release(device, module->object);
    pthread_mutex_unlock(&device->object_lock);
    free(module);
    gpu_device_release(device);
}

static accel_status kernel_of(accel_impl_module *module, const char *name, accel_impl_kernel **made,
                              accel_kernel_properties *properties)
{
    accel_impl_device *device = module->device;
    accel_impl_kernel *kernel;
    gpu_scope scope;
    accel_status status = gpu_device_use(&scope, device, "looking for a kernel");

    if (status != ACCEL_OK)
        return status;
    pthread_mutex_lock(&device->object_lock);
    status = gpu_kernel_find(device, module->object, name, &kernel);
    pthread_mutex_unlock(&device->object_lock);
    gpu_scope_leave(&scope, device);
    if (status != ACCEL_OK)
        return status;
    gpu_kernel_properties(device, kernel, properties);
    *made = kernel;
    return ACCEL_OK;
}

static accel_status global(accel_impl_module *module, const char *name, void **ptr, void **host_ptr, size_t *size)
{
    static const char what[] = "looking for a global";
    accel_impl_device *device = module->device;
    void *found = NULL;
    size_t bytes = 0;
    gpu_scope scope;
    accel_status status = gpu_device_use(&scope, device, what);

    if (status != ACCEL_OK)
        return status;
    gpu_result result = device->driver->code_global(&found, &bytes, module->object->code, name);
    gpu_scope_leave(&scope, device);
    gpu_error_class_of(device->driver, result, &status);
    if (status == ACCEL_NOT_FOUND ||
        (result == 0 && strncmp(name, ACCEL_DESCRIPTOR_PREFIX, strlen(ACCEL_DESCRIPTOR_PREFIX)) == 0))
        return gpu_host()->error(ACCEL_NOT_FOUND, "the object has no global \"%s\"", name);
    if (result != 0)
        return gpu_device_failed(device, what, result);
    *ptr = found;
    *host_ptr = NULL;
    *size = bytes;
    return ACCEL_OK;
}

static accel_impl_device *device_of(const accel_impl_kernel *kernel)
{
    return kernel->object->device;
}

static accel_status suggest(accel_impl_kernel *kernel, size_t shared_bytes, accel_suggestion *suggestion)
{
    return gpu_kernel_suggest(device_of(kernel), kernel, shared_bytes, suggestion);
}

static accel_status resident_blocks(accel_impl_kernel *kernel, uint32_t threads, size_t shared_bytes, uint64_t *blocks)
{
    return gpu_kernel_resident_blocks(device_of(kernel), kernel, threads, shared_bytes, blocks);
}

static accel_status native(accel_impl_module *module, void **handle)
{
    *handle = module->object->code;
    return ACCEL_OK;
}

static accel_status kernel_native(accel_impl_kernel *kernel, void **handle)
{
    *handle = kernel->function;
    return ACCEL_OK;
}

const accel_module_vtable gpu_module_vtable = {
    .struct_size = sizeof(accel_module_vtable),
    .unload = unload,
    .native = native,
    .global = global,
    .kernel = kernel_of,
    .kernel_native = kernel_native,
    .suggest = suggest,
    .resident_blocks = resident_blocks,
};
