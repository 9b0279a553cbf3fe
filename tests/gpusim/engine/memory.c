/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"
#include "block.h"
#include "address.h"
#include "fault.h"
#include "load.h"
#include "module.h"
#include "report.h"
#include "stream.h"
#include "thread.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ----------------------------------------------------------------------------------------------- looking -- */

enum { FREED = 1024 };
static struct {
    uintptr_t address;
    size_t size;
} freed[FREED];
static size_t freed_count;

static void remember(const sim_block *block)
{
    freed[freed_count % FREED].address = block->address;
    freed[freed_count++ % FREED].size = block->size;
}

bool sim_memory_was_freed(const void *ptr)
{
    for (size_t i = 0; i < FREED && i < freed_count; ++i)
        if ((uintptr_t)ptr - freed[i].address < freed[i].size)
            return true;
    return false;
}

sim_block *sim_memory_find(const void *ptr)
{
    return sim_block_find((uintptr_t)ptr);
}

bool sim_memory_is_remote(const void *ptr)
{
    uintptr_t address = (uintptr_t)ptr;
    uintptr_t first = sim_devices[0].base;
    if (address >= first && address < sim_devices[sim_settings_here.devices - 1].base + SIM_SPAN)
        return true;
    const sim_block *block = sim_block_find(address);
    return block != NULL && block->kind == SIM_MEMORY_GLOBALS;
}

/* ------------------------------------------------------------------------------------------------ blocks -- */

static void release_block(sim_block *block)
{
    if (block->kind == SIM_MEMORY_DEVICE)
        block->context->device->used -= block->span;
    if (block->kind == SIM_MEMORY_PINNED)
        sim_load_pinned(-(ptrdiff_t)block->size);
    if (sim_block_is_damaged(block))
        sim_violation("bounds", "something wrote behind the end of a block of %zu bytes of device %u", block->size,
                      block->context->device->ordinal);
    sim_block_close(block);
    remember(block);
    sim_block_remove(block);
}

static sim_status new_block(sim_context *context, sim_memory_kind kind, size_t size, unsigned flags, sim_block **out)
{
    sim_device *device = context->device;
    if (size == 0)
        return SIM_INVALID_VALUE;
    if (sim_fault_allocation(device->ordinal) ||
        (kind == SIM_MEMORY_DEVICE &&
         (size > sim_settings_here.memory || device->used > sim_settings_here.memory - size)))
        return SIM_OUT_OF_MEMORY;
    sim_block *block = sim_block_place(kind, context, size);
    if (block == NULL)
        return SIM_OUT_OF_MEMORY;
    block->mapped = (flags & SIM_HOST_MAPPED) != 0;
    block->portable = (flags & SIM_HOST_PORTABLE) != 0;
    sim_status status = sim_block_open(block);
    if (status != SIM_OK) {
        sim_block_remove(block);
        return status;
    }
    if (kind == SIM_MEMORY_DEVICE)
        device->used += block->span;
    if (kind == SIM_MEMORY_PINNED)
        sim_load_pinned((ptrdiff_t)size);
    *out = block;
    return SIM_OK;
}

static sim_status allocate(sim_memory_kind kind, size_t size, unsigned flags, void **out)
{
    sim_context *context;
    sim_block *block = NULL;
    sim_status status = sim_current(&context);
    if (status == SIM_OK && kind == SIM_MEMORY_MANAGED && !sim_settings_here.managed)
        status = SIM_NOT_SUPPORTED;
    if (status == SIM_OK)
        status = new_block(context, kind, size, flags, &block);
    if (status == SIM_OK)
        *out = (void *)block->address; /* NOLINT(performance-no-int-to-ptr) */
    return status;
}

sim_status sim_memory_allocate(sim_memory_kind kind, size_t size, void **out)
{
    return allocate(kind, size, 0, out);
}

sim_status sim_memory_allocate_host(size_t size, unsigned flags, void **out)
{
    unsigned known = SIM_HOST_PORTABLE | SIM_HOST_MAPPED | SIM_HOST_WRITE_COMBINED;
    if ((flags & ~known) != 0)
        return SIM_INVALID_VALUE;
    if ((flags & SIM_HOST_MAPPED) != 0 && !sim_settings_here.mapped)
        return SIM_NOT_SUPPORTED;
    return allocate(SIM_MEMORY_PINNED, size, flags, out);
}

/* The block that begins here and is to be given back; NULL after a violation. */
static sim_block *block_to_free(sim_memory_kind kind, void *ptr)
{
    sim_block *block = sim_memory_find(ptr);
    bool fits = block != NULL && block->address == (uintptr_t)ptr && !block->ending &&
                (block->kind == kind || (kind == SIM_MEMORY_DEVICE && block->kind == SIM_MEMORY_MANAGED));
    if (fits)
        return block;
    bool twice = block != NULL ? block->ending : sim_memory_was_freed(ptr);
    sim_violation(twice ? "use after free" : "handle", "%s: %p %s", sim_thread_here.function, ptr,
                  twice ? "was freed before" : "is no block of this kind");
    return NULL;
}

sim_status sim_memory_free(sim_memory_kind kind, void *ptr)
{
    if (ptr == NULL)
        return SIM_OK;
    if (sim_current_any() == NULL)
        return SIM_INVALID_CONTEXT;
    sim_block *block = block_to_free(kind, ptr);
    if (block == NULL)
        return SIM_INVALID_VALUE;
    sim_context *context = block->context;
    sim_status status = sim_context_state(context);
    if (status == SIM_OK && sim_current_any() != context && kind == SIM_MEMORY_DEVICE &&
        sim_current_any()->failure != SIM_OK)
        status = sim_current_any()->failure;
    block->ending = true;
    sim_streams_synchronize(context);
    if (context->object.alive)
        release_block(block);
    return status;
}

sim_status sim_memory_info(size_t *free_bytes, size_t *total_bytes)
{
    sim_context *context;
    sim_status status = sim_current(&context);
    if (status != SIM_OK)
        return status;
    size_t used = context->device->used;
    *total_bytes = sim_settings_here.memory;
    *free_bytes = used < *total_bytes ? *total_bytes - used : 0;
    return SIM_OK;
}

sim_status sim_memory_device_pointer(void *host, void **out)
{
    sim_context *context;
    sim_status status = sim_current(&context);
    if (status != SIM_OK)
        return status;
    const sim_block *block = sim_memory_find(host);
    if (block == NULL || block->kind != SIM_MEMORY_PINNED || !block->mapped ||
        (!block->portable && block->context != context))
        return SIM_INVALID_VALUE;
    *out = host;
    return SIM_OK;
}

sim_status sim_memory_share(sim_device *device, const sim_device *peer, bool share)
{
    wire_request adopt = {.what = WIRE_ADOPT, .a = peer->base, .b = SIM_SPAN};
    wire_answer answer;
    unsigned bit = 1u << peer->ordinal;
    if (!share) {
        bool done = sim_blocks_protect(device, peer, false);
        device->reaches &= ~bit;
        return done ? SIM_OK : SIM_OPERATING_SYSTEM;
    }
    device->reaches |= bit;
    return sim_process_ask(&device->process, &adopt, peer->memory, &answer) && sim_blocks_protect(device, peer, true)
               ? SIM_OK
               : SIM_OPERATING_SYSTEM;
}

/* ------------------------------------------------------------------------------------------ stream-ordered -- */

typedef struct block_command {
    sim_command command;
    sim_block *block;
} block_command;

static sim_status become_usable(sim_command *command)
{
    ((block_command *)command)->block->pending = false;
    return SIM_OK;
}

static void become_unusable(sim_command *command, sim_status status)
{
    (void)status;
    release_block(((block_command *)command)->block);
}

static sim_status submit_block(const sim_command_type *type, sim_stream *stream, sim_block *block)
{
    block_command *command = sim_command_new(type, sizeof *command);
    if (command == NULL)
        return SIM_OUT_OF_MEMORY;
    command->block = block;
    return sim_submit(stream, &command->command);
}

sim_status sim_memory_allocate_async(size_t size, void *handle, void **out)
{
    static const sim_command_type type = {.name = "allocation", .begin = become_usable};
    sim_block *block = NULL;
    sim_stream *stream;
    if (!sim_settings_here.pools)
        return SIM_NOT_SUPPORTED;
    sim_status status = sim_stream_of(handle, &stream);
    if (status == SIM_OK)
        status = new_block(stream->object.context, SIM_MEMORY_DEVICE, size, 0, &block);
    if (status != SIM_OK)
        return status;
    block->stream = stream;
    block->pending = true;
    status = submit_block(&type, stream, block);
    if (status == SIM_OK)
        *out = (void *)block->address; /* NOLINT(performance-no-int-to-ptr) */
    else
        release_block(block);
    return status;
}

sim_status sim_memory_free_async(void *ptr, void *handle)
{
    static const sim_command_type type = {.name = "free", .end = become_unusable, .always = true};
    sim_stream *stream = NULL;
    if (ptr == NULL)
        return SIM_INVALID_VALUE;
    sim_status status = sim_stream_of(handle, &stream);
    sim_block *block = stream != NULL ? block_to_free(SIM_MEMORY_DEVICE, ptr) : NULL;
    if (block == NULL)
        return status != SIM_OK ? status : SIM_INVALID_VALUE;
    if (status != SIM_OK) /* the context has failed: nothing is done */
        return status;
    if (block->context->device != stream->object.context->device)
        sim_violation("wrong stream", "memory of device %u is freed in a stream of device %u",
                      block->context->device->ordinal, stream->object.context->device->ordinal);
    block->ending = true;
    block->stream = stream;
    return submit_block(&type, stream, block);
}

/* --------------------------------------------------------------------------------------------- the others -- */

bool sim_memory_reserve(uintptr_t address, size_t size)
{
    long got = syscall(SYS_mmap, address, size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0L);
    return got == (long)address;
}

void sim_memory_vacate(uintptr_t address, size_t size)
{
    syscall(SYS_munmap, address, size);
}

bool sim_memory_add_globals(struct sim_module *module, uintptr_t address, size_t size, int64_t offset)
{
    sim_block *block = calloc(1, sizeof *block);
    if (block == NULL)
        return false;
    block->kind = SIM_MEMORY_GLOBALS;
    block->module = module;
    block->context = sim_module_context(module);
    block->address = block->start = address;
    block->size = block->span = size;
    block->file = block->context->device->memory;
    block->offset = offset;
    return sim_block_insert(block);
}

void sim_memory_drop_globals(struct sim_module *module)
{
    for (size_t i = sim_block_count(); i-- > 0;) {
        sim_block *block = sim_block_at(i);
        if (block->kind != SIM_MEMORY_GLOBALS || block->module != module)
            continue;
        remember(block);
        sim_block_remove(block);
    }
}

size_t sim_memory_drop(sim_context *context)
{
    size_t n = 0;
    for (size_t i = sim_block_count(); i-- > 0;) {
        sim_block *block = sim_block_at(i);
        if (block->context != context || block->kind == SIM_MEMORY_GLOBALS)
            continue;
        ++n;
        release_block(block);
    }
    return n;
}

size_t sim_memory_leaks(bool tell)
{
    static const char *const names[] = {"device", "pinned", "managed"};
    size_t left = 0;
    for (size_t i = 0; i < sim_block_count(); ++i) {
        const sim_block *block = sim_block_at(i);
        if (block->kind == SIM_MEMORY_GLOBALS || sim_context_state(block->context) != SIM_OK)
            continue;
        ++left;
        if (tell)
            sim_violation("leak", "%zu bytes of %s memory of device %u", block->size, names[block->kind],
                          block->context->device->ordinal);
    }
    return left;
}
