/* SPDX-License-Identifier: Apache-2.0 */
#include "core/launch/kernel.h"

#include "core/base/allocate.h"
#include "core/api/device.h"
#include "core/api/released.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"

#include <string.h>

static size_t least(size_t limit, size_t other)
{
    return other != 0 && other < limit ? other : limit; /* 0: the device does not know */
}

/* Puts the limits of device and kernel where accel_launch reads them. */
static void cache_limits(accel_kernel *kernel, const accel_device_properties *device)
{
    accel_kernel_properties *properties = &kernel->properties;
    const uint32_t *fixed = properties->fixed_block;
    size_t max_threads = least(least(ACCEL_MAX_BLOCK_THREADS, device->max_block_threads), properties->max_threads);
    bool is_fixed = (fixed[0] | fixed[1] | fixed[2]) != 0;

    kernel->no_args = properties->args_size == 0;
    kernel->args_size = kernel->no_args ? (uint32_t)sizeof(accel_no_args) : (uint32_t)properties->args_size;
    kernel->max_threads = (uint32_t)max_threads;
    kernel->max_shared = properties->max_shared_bytes;
    kernel->min_dims = properties->pattern != 0 ? ACCEL_NO_DIMS : 1;
    kernel->work_flags = (device->features & ACCEL_FEATURE_COOPERATIVE) != 0 ? ACCEL_WORK_COOPERATIVE : 0;
    for (uint32_t d = 0; d < 3; ++d) {
        kernel->max_blocks[d] = (uint32_t)least(UINT32_MAX, device->max_blocks[d]);
        if (is_fixed) {
            properties->fixed_block[d] = fixed[d] != 0 ? fixed[d] : 1;
            kernel->threads_low[d] = fixed[d];
            kernel->threads_range[d] = 0;
            if (fixed[d] != 1 && properties->pattern == 0)
                kernel->min_dims = (uint8_t)(d + 1);
        } else {
            kernel->threads_low[d] = 1;
            kernel->threads_range[d] = (uint32_t)least(max_threads, device->max_threads[d]) - 1;
        }
    }
}

static accel_status check_properties(const char *function, const accel_kernel_origin *origin, const char *name,
                                     const accel_kernel_properties *properties)
{
    uint64_t block =
        (uint64_t)properties->fixed_block[0] * (properties->fixed_block[1] != 0 ? properties->fixed_block[1] : 1);

    if (properties->args_size > ACCEL_MAX_ARGS_SIZE)
        return accel_error_set(
            ACCEL_INCOMPATIBLE,
            "%s: kernel \"%s\" of \"%s\" has an argument struct of %zu bytes; the limit is %u: pass a "
            "pointer to the rest",
            function, name, origin->library, properties->args_size, ACCEL_MAX_ARGS_SIZE);
    if (block > ACCEL_MAX_BLOCK_THREADS || block * properties->fixed_block[2] > ACCEL_MAX_BLOCK_THREADS)
        return accel_error_set(
            ACCEL_INCOMPATIBLE,
            "%s: kernel \"%s\" of \"%s\" is compiled for blocks of %u x %u x %u threads; the limit is %u", function,
            name, origin->library, properties->fixed_block[0], properties->fixed_block[1], properties->fixed_block[2],
            ACCEL_MAX_BLOCK_THREADS);
    return ACCEL_OK;
}

accel_status accel_kernel_create(const char *function, const accel_kernel_origin *origin, const char *name,
                                 accel_kernel **out)
{
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    accel_impl_kernel *impl = NULL;
    accel_kernel *kernel;
    accel_status status = origin->device->backend->module_vtable.kernel(origin->impl, name, &impl, &properties);

    status = accel_slot_made("kernel", status, impl);
    if (status != ACCEL_OK) {
        accel_error_set(status, "%s: \"%s\" (%s): %s", function, origin->library, accel_kernel_file(origin->path),
                        accel_error_message());
        return accel_device_failed(function, origin->device, status);
    }
    status = check_properties(function, origin, name, &properties);
    if (status != ACCEL_OK)
        return status;
    kernel = accel_allocate_aligned(ACCEL_CACHE_LINE, sizeof(*kernel));
    if (kernel == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    memset(kernel, 0, sizeof(*kernel));
    kernel->name = accel_text_copy(name);
    if (kernel->name == NULL) {
        accel_deallocate(kernel);
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    }
    kernel->impl = impl;
    kernel->root = origin->device->root;
    kernel->origin = *origin;
    kernel->properties = properties;
    kernel->properties.struct_size = sizeof(properties);
    kernel->properties.name = kernel->name;
    kernel->properties.target = origin->target;
    kernel->properties.path = origin->path;
    cache_limits(kernel, &origin->device->properties);
    *out = kernel;
    return ACCEL_OK;
}

void accel_kernel_destroy(accel_kernel *kernel)
{
    if (kernel == NULL)
        return;
    accel_deallocate(atomic_load_explicit(&kernel->divisions, memory_order_relaxed));
    accel_deallocate(kernel->name);
    accel_deallocate(kernel);
}

/* A kernel lives as long as its module: references to it are references to the module. */
ACCEL_API accel_kernel *accel_kernel_retain(accel_kernel *kernel)
{
    if (kernel != NULL)
        accel_module_retain(kernel->origin.module);
    return kernel;
}

ACCEL_API void accel_kernel_release(accel_kernel *kernel)
{
    if (kernel != NULL)
        accel_module_release(kernel->origin.module);
}

const char *accel_kernel_use(const accel_kernel *kernel)
{
    switch (kernel->properties.pattern) {
    case ACCEL_PATTERN_REDUCE:
        return "run it with accel_reduce";
    case ACCEL_PATTERN_SCAN:
    case ACCEL_PATTERN_SCAN_FINAL:
        return "run it with accel_scan";
    case ACCEL_PATTERN_SCATTER:
        return "give it to accel_scatter_create";
    default:
        return "run it with accel_launch";
    }
}

accel_status accel_kernel_check_plain(const char *function, const accel_kernel *kernel)
{
    if (kernel->properties.pattern == 0)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID, "%s: kernel \"%s\" is a pattern; %s", function, kernel->name,
                           accel_kernel_use(kernel));
}

ACCEL_API accel_status accel_kernel_info(const accel_kernel *kernel, accel_kernel_properties *out)
{
    if (kernel == NULL)
        return accel_error_null("accel_kernel_info", "kernel");
    if (out == NULL)
        return accel_error_null("accel_kernel_info", "properties");
    if (accel_is_released(kernel->origin.fork_generation))
        return accel_released_use("accel_kernel_info", kernel->origin.fork_generation);
    return accel_struct_export("accel_kernel_info", "accel_kernel_properties", out, &kernel->properties,
                               sizeof(kernel->properties));
}
