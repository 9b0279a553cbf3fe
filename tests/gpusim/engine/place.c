/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"
#include "device.h"
#include "report.h"
#include "thread.h"

#include <string.h>
#include <unistd.h>

/* No block: ordinary memory of the host, or nothing at all. */
static sim_status check_unknown(const sim_place *place, const char *what)
{
    const char *function = sim_thread_here.function;
    if (sim_memory_is_remote(place->address) || sim_memory_was_freed(place->address))
        sim_violation(sim_memory_was_freed(place->address) ? "use after free" : "bounds",
                      "%s: the %s %p is in no block of memory", function, what, (void *)place->address);
    else if (place->side == SIM_SIDE_DEVICE)
        sim_violation("host access", "%s: the %s %p is ordinary memory of the host", function, what,
                      (void *)place->address);
    else
        return SIM_OK;
    return SIM_INVALID_VALUE;
}

sim_status sim_place_check(sim_place *place, const char *what, const sim_stream *stream, size_t width, size_t height,
                           size_t depth)
{
    const char *function = sim_thread_here.function;
    size_t extent = (depth - 1) * place->slice + (height - 1) * place->pitch + width;
    const sim_block *block = sim_memory_find(place->address);
    if (block == NULL)
        return check_unknown(place, what);
    bool remote = block->kind == SIM_MEMORY_DEVICE || block->kind == SIM_MEMORY_GLOBALS;
    size_t at = (uintptr_t)place->address - block->address;
    if (place->side == SIM_SIDE_HOST && remote)
        sim_violation("host access", "%s: the %s %p is memory of device %u", function, what, (void *)place->address,
                      block->context->device->ordinal);
    else if (block->ending && (block->stream == NULL || block->stream == stream))
        sim_violation("use after free", "%s: the %s %p was freed before", function, what, (void *)place->address);
    else if (block->kind == SIM_MEMORY_PINNED && !block->portable && block->context != stream->object.context)
        sim_violation("wrong context", "%s: the %s %p was locked for device %u alone, the stream is of device %u",
                      function, what, (void *)place->address, block->context->device->ordinal,
                      stream->object.context->device->ordinal);
    else if (extent > block->size - at)
        sim_violation("bounds", "%s: the %s reaches %zu bytes behind the end of a block of %zu", function, what,
                      extent - (block->size - at), block->size);
    else
        return SIM_OK;
    return SIM_INVALID_VALUE;
}

sim_status sim_place_begin(sim_place *place, const char *what)
{
    const sim_block *block = sim_memory_find(place->address);
    place->block = block;
    place->file = -1;
    if (block == NULL && (sim_memory_is_remote(place->address) || sim_memory_was_freed(place->address)))
        sim_violation("use after free", "the %s %p of a copy or fill was freed before its turn came", what,
                      (void *)place->address);
    else if (block != NULL && block->pending)
        sim_violation("use after free", "the %s %p of a copy or fill is not allocated yet when its turn comes", what,
                      (void *)place->address);
    else if (block != NULL && (block->kind == SIM_MEMORY_DEVICE || block->kind == SIM_MEMORY_GLOBALS)) {
        place->file = block->file;
        place->offset = block->offset + (int64_t)((uintptr_t)place->address - block->address);
        return SIM_OK;
    } else
        return SIM_OK;
    return SIM_ILLEGAL_ADDRESS;
}

bool sim_place_read(const sim_place *place, size_t from, void *to, size_t size)
{
    if (place->file < 0) {
        memcpy(to, place->address + from, size);
        return true;
    }
    for (size_t done = 0; done < size;) {
        ssize_t n = pread(place->file, (char *)to + done, size - done, place->offset + (off_t)(from + done));
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

bool sim_place_write(const sim_place *place, size_t from, const void *bytes, size_t size)
{
    if (place->file < 0) {
        memcpy(place->address + from, bytes, size);
        return true;
    }
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(place->file, (const char *)bytes + done, size - done, place->offset + (off_t)(from + done));
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}
