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

static const char *wrong_with(const accel_kernel_descriptor *descriptor, const char *name)
{
    bool by_thread = descriptor->form == ACCEL_FORM_THREAD;
    if (descriptor->form < ACCEL_FORM_BLOCK || descriptor->form > ACCEL_FORM_THREAD_NOSYNC)
        return "its form is unknown";
    if (by_thread ? descriptor->run_thread == NULL : descriptor->run_blocks == NULL)
        return "it has no entry for its form";
    if (descriptor->args_size == 0 || descriptor->args_size > ACCEL_MAX_ARGS_SIZE)
        return "the size of its arguments is out of range";
    if (!is_power_of_two(descriptor->args_align) || descriptor->args_align > CPU_MAX_ARGS_ALIGN)
        return "the alignment of its arguments is no power of two, or too large";
    if (!block_is_whole(descriptor->block))
        return "its fixed block is not one of 1 to 1024 threads";
    if (descriptor->shared_bytes > CPU_MAX_SHARED_BYTES)
        return "it wants more static shared memory than there is";
    if (descriptor->name == NULL || strcmp(descriptor->name, name) != 0)
        return "it bears another name";
    return NULL;
}

accel_status cpu_descriptor_check(const accel_kernel_descriptor *descriptor, size_t size, const char *name)
{
    char text[96];
    const char *reason = text;
    if (size < sizeof(*descriptor) || descriptor->struct_size < sizeof(*descriptor))
        snprintf(text, sizeof(text), "it has %zu bytes, this library needs %zu", size, sizeof(*descriptor));
    else if (descriptor->magic != ACCEL_OBJECT_MAGIC)
        snprintf(text, sizeof(text), "it begins with %#x instead of %#x", descriptor->magic, ACCEL_OBJECT_MAGIC);
    else if (descriptor->abi != ACCEL_OBJECT_ABI)
        snprintf(text, sizeof(text), "it has object ABI %u, this library %u", descriptor->abi, ACCEL_OBJECT_ABI);
    else if (descriptor->grid_size > sizeof(accel_grid))
        snprintf(text, sizeof(text), "it was compiled with a newer accel_grid (%u bytes, here %zu)", descriptor->grid_size,
                 sizeof(accel_grid));
    else
        reason = wrong_with(descriptor, name);
    if (reason == NULL)
        return ACCEL_OK;
    return cpu_host()->error(ACCEL_INCOMPATIBLE, "kernel \"%s\": its descriptor cannot be used: %s; rebuild the object with this "
                                                 "version's accelcc",
                             name, reason);
}
