/* SPDX-License-Identifier: Apache-2.0 */
#include "core/api/module.h"

#include "core/api/released.h"
#include "core/base/allocate.h"
#include "core/memory/buffer.h"
#include "core/api/device.h"
#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/base/text.h"

#include <string.h>

#define LISTED_NAMES 8u /* kernels that an error text lists before it says how many more there are */

static void discard(accel_module *module)
{
    accel_names_clear(&module->names);
    accel_deallocate(module->library);
    accel_deallocate(module->target);
    accel_deallocate(module->path);
    accel_deallocate(module);
}

/* The backend's words, with the object that they are about if they do not name it. */
static accel_status not_loaded(const char *function, accel_device *device, const accel_image *image,
                               accel_status status)
{
    const char *object = image->path != NULL ? image->path : image->library;

    if (strstr(accel_error_message(), object) == NULL)
        accel_error_set(status, "%s: \"%s\" (%s): %s", function, image->library, accel_kernel_file(image->path),
                        accel_error_message());
    return accel_device_failed(function, device, status);
}

accel_status accel_module_create(const char *function, accel_device *device, const accel_image *image,
                                 accel_module **out)
{
    accel_module *module;
    accel_image named = *image;
    accel_status status = accel_image_check(function, image);

    if (status != ACCEL_OK)
        return status;
    accel_guard_run_deferred();
    module = accel_allocate(sizeof(*module));
    if (module == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    module->library = accel_text_copy(image->library);
    module->target = accel_text_copy(image->target);
    module->path = accel_text_copy(image->path != NULL ? image->path : "");
    if (module->library == NULL || module->target == NULL || module->path == NULL ||
        accel_image_kernels(image, &module->names) != ACCEL_OK) {
        discard(module);
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    }
    named.kernels = (const char *const *)module->names.items;
    named.kernel_count = module->names.count;
    status = device->backend->device_vtable.module_load(device->impl, &named, &module->impl);
    status = accel_slot_made("module_load", status, module->impl);
    if (status != ACCEL_OK) {
        discard(module);
        return not_loaded(function, device, image, status);
    }
    accel_reference_init(&module->reference);
    module->device = accel_device_retain(device);
    module->backend = device->backend;
    module->fork_generation = accel_guard_fork_generation;
    *out = module;
    return ACCEL_OK;
}

void accel_module_give_to_device(accel_module *module)
{
    module->of_device = true;
    accel_device_release(module->device);
}

ACCEL_API accel_module *accel_module_retain(accel_module *module)
{
    if (module != NULL)
        accel_reference_retain(&module->reference);
    return module;
}

/* With its kernels. */
static void discard_all(void *object)
{
    accel_module *module = object;

    while (module->kernels != NULL) {
        accel_kernel *next = module->kernels->next;
        accel_kernel_destroy(module->kernels);
        module->kernels = next;
    }
    discard(module);
}

static void end(accel_module *module)
{
    accel_released released = {.object = module, .discard = discard_all, .reference = &module->reference};

    if (!accel_released_begin(module->backend, ACCEL_OBJECT_MODULE, &released)) {
        discard_all(module);
        return;
    }
    module->fork_generation = released.generation;
    module->device = &accel_device_of_released;
    for (accel_kernel *kernel = module->kernels; kernel != NULL; kernel = kernel->next) {
        kernel->root = kernel->origin.device = &accel_device_of_released;
        kernel->origin.fork_generation = released.generation;
    }
    accel_released_keep(&released);
}

static void destroy(void *object)
{
    accel_module *module = object;
    accel_device *device = module->of_device ? NULL : module->device;

    module->backend->module_vtable.unload(module->impl);
    end(module);
    accel_device_release(device);
}

ACCEL_API void accel_module_release(accel_module *module)
{
    if (module != NULL && accel_reference_release(&module->reference))
        accel_guard_destroy(&module->deferred, destroy, module);
}

static accel_status check(const char *function, const accel_module *module, const char *name, const void *out,
                          const char *what)
{
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (module == NULL)
        return accel_error_null(function, "module");
    if (name == NULL)
        return accel_error_null(function, "name");
    if (out == NULL)
        return accel_error_null(function, what);
    return accel_device_usable(function, "module", module->device, module->fork_generation);
}

static accel_kernel *find(accel_module *module, const char *name)
{
    accel_kernel *kernel = module->kernels;

    while (kernel != NULL && strcmp(kernel->name, name) != 0)
        kernel = kernel->next;
    return kernel;
}

static accel_status no_kernel(const char *function, const accel_module *module, const char *name)
{
    const accel_names *names = &module->names;
    const char *nearest = accel_nearest(name, (const char *const *)names->items, names->count);
    accel_text list = {0};

    for (size_t i = 0; i < names->count && i < LISTED_NAMES; ++i)
        accel_text_add(&list, i == 0 ? "\"%s\"" : ", \"%s\"", names->items[i]);
    if (names->count > LISTED_NAMES)
        accel_text_add(&list, " and %zu more", names->count - LISTED_NAMES);
    accel_error_set(ACCEL_NOT_FOUND, "%s: \"%s\" (%s) has no kernel \"%.200s\"%s%s%s; it has %zu: %s", function,
                    module->library, accel_kernel_file(module->path), name, nearest != NULL ? "; did you mean \"" : "",
                    nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "", names->count, accel_text_peek(&list));
    accel_text_clear(&list);
    return ACCEL_NOT_FOUND;
}

ACCEL_API accel_status accel_module_kernel(accel_module *module, const char *name, accel_kernel **out)
{
    static const char function[] = "accel_module_kernel";
    accel_kernel *kernel = NULL, *made = NULL;
    accel_status status = check(function, module, name, out, "kernel");

    if (status != ACCEL_OK)
        return status;
    accel_guard_lock();
    kernel = find(module, name);
    accel_guard_unlock();
    if (kernel == NULL) {
        accel_kernel_origin origin = {.module = module,
                                      .impl = module->impl,
                                      .device = module->device,
                                      .fork_generation = module->fork_generation,
                                      .library = module->library,
                                      .target = module->target,
                                      .path = module->path};
        status = accel_kernel_create(function, &origin, name, &made);
        if (status == ACCEL_NOT_FOUND && module->names.count != 0)
            return no_kernel(function, module, name);
        if (status != ACCEL_OK)
            return status;
        accel_guard_lock();
        kernel = find(module, name); /* another thread may have been faster: handles are one per name */
        if (kernel == NULL) {
            made->next = module->kernels;
            module->kernels = made;
            kernel = made;
            made = NULL;
        }
        accel_guard_unlock();
        accel_kernel_destroy(made);
    }
    *out = kernel;
    return ACCEL_OK;
}

ACCEL_API accel_status accel_module_global(accel_module *module, const char *name, accel_buffer **out)
{
    static const char function[] = "accel_module_global";
    void *ptr = NULL, *host_ptr = NULL;
    size_t size = 0;
    accel_status status = check(function, module, name, out, "buffer");

    if (status != ACCEL_OK)
        return status;
    status = module->backend->module_vtable.global(module->impl, name, &ptr, &host_ptr, &size);
    if (status == ACCEL_NOT_FOUND)
        return accel_error_set(ACCEL_NOT_FOUND,
                               "%s: \"%s\" (%s) has no global \"%.200s\" on \"%s\"; define it with ACCEL_GLOBAL or "
                               "ACCEL_CONSTANT in a source of the library, and give that name",
                               function, module->library, accel_kernel_file(module->path), name,
                               module->device->properties.name);
    if (status != ACCEL_OK)
        return accel_device_failed(function, module->device, status);
    return accel_buffer_of_module(function, module, module->device, ptr, host_ptr, size, out);
}
