/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/support/descriptor.h"
#include "plugins/gpu/engine/module.h"

/* Bytes of both parameters, the second aligned as it is. */
static size_t parameter_bytes(const accel_kernel_descriptor *d)
{
    size_t align = _Alignof(accel_grid);
    return ((size_t)d->args_size + align - 1) / align * align + d->grid_size;
}

/* The object is sound; it is the device that takes less. */
static accel_status refuse_size(const accel_kernel_descriptor *descriptor, const char *name,
                                const accel_impl_device *device)
{
    const char *more = device->description.more_parameters;

    return gpu_host()->error(ACCEL_LIMIT,
                             "kernel \"%s\": its argument struct has %u bytes, and \"%s\" takes at most %zu, its "
                             "max_args_size; make the struct smaller, or hand it a pointer%s%s",
                             name, descriptor->args_size, device->label, gpu_max_args_size(device),
                             more != NULL ? ", or " : "", more != NULL ? more : "");
}

accel_status gpu_descriptor_check(const accel_kernel_descriptor *descriptor, size_t size, const char *name,
                                  const accel_impl_device *device)
{
    char text[160];
    size_t limit = device->description.max_parameter_bytes;
    if (descriptor_is_wrong(descriptor, size, text, sizeof(text)))
        return descriptor_refuse(gpu_host(), name, text);
    if (limit == 0 || parameter_bytes(descriptor) <= limit)
        return ACCEL_OK;
    return refuse_size(descriptor, name, device);
}
