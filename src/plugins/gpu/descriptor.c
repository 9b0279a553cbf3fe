/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel descriptor must say before the engine relies on it. */
#include "module.h"

#include <stdio.h>

enum { MAX_ARGS_ALIGN = 4096 };

static bool is_power_of_two(uint32_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

static bool block_is_whole(const uint32_t block[3])
{
    if (block[0] == 0)
        return block[1] == 0 && block[2] == 0;
    uint64_t threads = 1;
    for (int i = 0; i < 3; ++i) {
        if (block[i] == 0 || block[i] > ACCEL_MAX_BLOCK_THREADS)
            return false;
        threads *= block[i];
    }
    return threads <= ACCEL_MAX_BLOCK_THREADS;
}

/* Bytes of both parameters, the second aligned as it is. */
static size_t parameter_bytes(const accel_kernel_descriptor *d)
{
    size_t align = _Alignof(accel_grid);
    return ((size_t)d->args_size + align - 1) / align * align + d->grid_size;
}

/* Writes what is wrong with the descriptor's values, or returns false. */
static bool wrong_with(const accel_kernel_descriptor *d, const accel_impl_device *device, char *text, size_t size)
{
    size_t limit = device->description.max_parameter_bytes;
    if (d->form < ACCEL_FORM_BLOCK || d->form > ACCEL_FORM_THREAD_NOSYNC)
        snprintf(text, size, "its form is %u, which is unknown", d->form);
    else if ((d->flags & ~ACCEL_KERNEL_NO_ARGS) != 0)
        snprintf(text, size, "its flags are %#x, of which only %#x is known", d->flags, ACCEL_KERNEL_NO_ARGS);
    else if (d->args_size == 0 || d->args_size > ACCEL_MAX_ARGS_SIZE)
        snprintf(text, size, "the size of its arguments is %u, not 1 to %u bytes", d->args_size, ACCEL_MAX_ARGS_SIZE);
    else if (!is_power_of_two(d->args_align) || d->args_align > MAX_ARGS_ALIGN)
        snprintf(text, size, "the alignment of its arguments is %u, no power of two up to %u", d->args_align,
                 (unsigned)MAX_ARGS_ALIGN);
    else if (!block_is_whole(d->block))
        snprintf(text, size, "its fixed block of %u x %u x %u is not one of 1 to %u threads", d->block[0], d->block[1],
                 d->block[2], ACCEL_MAX_BLOCK_THREADS);
    else if (limit != 0 && parameter_bytes(d) > limit)
        snprintf(text, size,
                 "its arguments of %u bytes and the grid of %u are more than the %zu that \"%s\" passes to a kernel",
                 d->args_size, d->grid_size, limit, device->label);
    else
        return false;
    return true;
}

accel_status gpu_descriptor_check(const accel_kernel_descriptor *descriptor, size_t size, const char *name,
                                  const accel_impl_device *device)
{
    char text[160];
    if (size < sizeof(*descriptor) || descriptor->struct_size < sizeof(*descriptor))
        snprintf(text, sizeof(text), "it has %zu bytes, this library needs %zu",
                 size < sizeof(*descriptor) ? size : (size_t)descriptor->struct_size, sizeof(*descriptor));
    else if (descriptor->magic != ACCEL_OBJECT_MAGIC)
        snprintf(text, sizeof(text), "it begins with %#x instead of %#x", descriptor->magic, ACCEL_OBJECT_MAGIC);
    else if (descriptor->abi != ACCEL_OBJECT_ABI)
        snprintf(text, sizeof(text), "it has object ABI %u, this library %u", descriptor->abi, ACCEL_OBJECT_ABI);
    else if (descriptor->grid_size > sizeof(accel_grid))
        snprintf(text, sizeof(text), "it was compiled with a newer accel_grid (%u bytes, here %zu)",
                 descriptor->grid_size, sizeof(accel_grid));
    else if (!wrong_with(descriptor, device, text, sizeof(text)))
        return ACCEL_OK;
    return gpu_host()->error(ACCEL_INCOMPATIBLE,
                             "kernel \"%s\": its descriptor cannot be used: %s; rebuild the object with this "
                             "version's accelcc",
                             name, text);
}
