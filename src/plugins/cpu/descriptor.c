/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel descriptor must say before the engine relies on it. */
#include "module.h"

#include <stdio.h>
#include <string.h>

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

/* Writes what is wrong with the descriptor's values, or returns false. */
static bool wrong_with(const accel_kernel_descriptor *d, const char *name, char *text, size_t size)
{
    bool by_thread = d->form == ACCEL_FORM_THREAD;
    if (d->form < ACCEL_FORM_BLOCK || d->form > ACCEL_FORM_THREAD_NOSYNC)
        snprintf(text, size, "its form is %u, which is unknown", d->form);
    else if ((d->flags & ~ACCEL_KERNEL_NO_ARGS) != 0)
        snprintf(text, size, "its flags are %#x, of which only %#x is known", d->flags, ACCEL_KERNEL_NO_ARGS);
    else if (by_thread ? d->run_thread == NULL : d->run_blocks == NULL)
        snprintf(text, size, "it has no entry for its form: %s is null", by_thread ? "run_thread" : "run_blocks");
    else if (d->args_size == 0 || d->args_size > ACCEL_MAX_ARGS_SIZE)
        snprintf(text, size, "the size of its arguments is %u, not 1 to %u bytes", d->args_size, ACCEL_MAX_ARGS_SIZE);
    else if (!is_power_of_two(d->args_align) || d->args_align > CPU_MAX_ARGS_ALIGN)
        snprintf(text, size, "the alignment of its arguments is %u, no power of two up to %u", d->args_align,
                 (unsigned)CPU_MAX_ARGS_ALIGN);
    else if (!block_is_whole(d->block))
        snprintf(text, size, "its fixed block of %u x %u x %u is not one of 1 to %u threads", d->block[0], d->block[1],
                 d->block[2], ACCEL_MAX_BLOCK_THREADS);
    else if (d->shared_bytes > CPU_MAX_SHARED_BYTES)
        snprintf(text, size, "it wants %u bytes of static shared memory, more than there is", d->shared_bytes);
    else if (d->name == NULL || strcmp(d->name, name) != 0)
        snprintf(text, size, "it bears another name");
    else
        return false;
    return true;
}

accel_status cpu_descriptor_check(const accel_kernel_descriptor *descriptor, size_t size, const char *name)
{
    char text[128];
    if (size < sizeof(*descriptor) || descriptor->struct_size < sizeof(*descriptor))
        snprintf(text, sizeof(text), "it has %zu bytes, this library needs %zu",
                 size < sizeof(descriptor->struct_size) + offsetof(accel_kernel_descriptor, struct_size) ||
                         size < descriptor->struct_size
                     ? size
                     : (size_t)descriptor->struct_size,
                 sizeof(*descriptor));
    else if (descriptor->magic != ACCEL_OBJECT_MAGIC)
        snprintf(text, sizeof(text), "it begins with %#x instead of %#x", descriptor->magic, ACCEL_OBJECT_MAGIC);
    else if (descriptor->abi != ACCEL_OBJECT_ABI)
        snprintf(text, sizeof(text), "it has object ABI %u, this library %u", descriptor->abi, ACCEL_OBJECT_ABI);
    else if (descriptor->grid_size > sizeof(accel_grid))
        snprintf(text, sizeof(text), "it was compiled with a newer accel_grid (%u bytes, here %zu)",
                 descriptor->grid_size, sizeof(accel_grid));
    else if (!wrong_with(descriptor, name, text, sizeof(text)))
        return ACCEL_OK;
    return cpu_host()->error(ACCEL_INCOMPATIBLE,
                             "kernel \"%s\": its descriptor cannot be used: %s; rebuild the object with this "
                             "version's accelcc",
                             name, text);
}
