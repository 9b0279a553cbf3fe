/* SPDX-License-Identifier: Apache-2.0 */
#include "../descriptor.h"
#include "module.h"

#include <stdio.h>

/* Bytes of both parameters, the second aligned as it is. */
static size_t parameter_bytes(const accel_kernel_descriptor *d)
{
    size_t align = _Alignof(accel_grid);
    return ((size_t)d->args_size + align - 1) / align * align + d->grid_size;
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
    snprintf(text, sizeof(text),
             "its arguments of %u bytes and the grid of %u are more than the %zu that \"%s\" passes to a kernel",
             descriptor->args_size, descriptor->grid_size, limit, device->label);
    return descriptor_refuse(gpu_host(), name, text);
}
