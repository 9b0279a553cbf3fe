/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of modules and kernels. */
#include "core/tools/watch.h"

#include "core/base/allocate.h"

#include <stdatomic.h>

static void unload(accel_impl_module *impl)
{
    watch_module *module = watch_module_of(impl);
    watch_kernel *kernel = atomic_load_explicit(&module->kernels, memory_order_acquire);
    accel_tool_object object = {.device = module->device->id};

    object.kind = ACCEL_OBJECT_KERNEL;
    while (kernel != NULL) {
        watch_kernel *next = kernel->next;
        object.id = kernel->id;
        accel_tools_released(module->watch->tools.mask, &object);
        accel_deallocate(kernel);
        kernel = next;
    }
    object.kind = ACCEL_OBJECT_MODULE;
    object.id = module->id;
    accel_tools_released(module->watch->tools.mask, &object);
    module->watch->module.unload(module->inner);
    accel_deallocate(module);
}

static accel_status native(accel_impl_module *impl, void **handle)
{
    return watch_module_of(impl)->watch->module.native(watch_module_of(impl)->inner, handle);
}

static accel_status global(accel_impl_module *impl, const char *name, void **ptr, void **host_ptr, size_t *size)
{
    return watch_module_of(impl)->watch->module.global(watch_module_of(impl)->inner, name, ptr, host_ptr, size);
}

static accel_status kernel_of(accel_impl_module *impl, const char *name, accel_impl_kernel **out,
                              accel_kernel_properties *properties)
{
    watch_module *module = watch_module_of(impl);
    watch_kernel *kernel = accel_allocate(sizeof(*kernel));
    accel_tool_object object = {.kind = ACCEL_OBJECT_KERNEL,
                                .device = module->device->id,
                                .parent = module->id,
                                .name = accel_tools_text(name)};

    if (kernel == NULL)
        return ACCEL_OUT_OF_MEMORY;

    accel_status status = module->watch->module.kernel(module->inner, name, &kernel->inner, properties);

    if (status != ACCEL_OK) {
        accel_deallocate(kernel);
        return status;
    }
    kernel->module = module;
    kernel->name = object.name;
    kernel->id = object.id = accel_tools_number();
    kernel->next = atomic_load_explicit(&module->kernels, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&module->kernels, &kernel->next, kernel, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    accel_tools_created(module->watch->tools.mask, &object);
    *out = watch_kernel_impl(kernel);
    return ACCEL_OK;
}

static accel_status kernel_native(accel_impl_kernel *impl, void **handle)
{
    return watch_kernel_of(impl)->module->watch->module.kernel_native(watch_kernel_of(impl)->inner, handle);
}

static accel_status suggest(accel_impl_kernel *impl, size_t shared_bytes, accel_suggestion *suggestion)
{
    watch_kernel *kernel = watch_kernel_of(impl);

    return kernel->module->watch->module.suggest(kernel->inner, shared_bytes, suggestion);
}

static accel_status resident_blocks(accel_impl_kernel *impl, uint32_t threads, size_t shared_bytes, uint64_t *blocks)
{
    watch_kernel *kernel = watch_kernel_of(impl);

    return kernel->module->watch->module.resident_blocks(kernel->inner, threads, shared_bytes, blocks);
}

void accel_watch_fill_module(accel_module_vtable *vtable, const accel_watch *watch)
{
    vtable->unload = unload;
    vtable->native = native;
    vtable->global = global;
    vtable->kernel = kernel_of;
    vtable->kernel_native = kernel_native;
    vtable->suggest = watch->module.suggest != NULL ? suggest : NULL;
    vtable->resident_blocks = resident_blocks;
}
