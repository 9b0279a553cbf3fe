/* SPDX-License-Identifier: Apache-2.0 */
#include "block.h"
#include "address.h"
#include "front.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, ALIGNMENT = 256, JUNK = 0xcb, WATCH = 0xa5 };

static sim_block **table;
static size_t count, capacity;

size_t sim_block_count(void)
{
    return count;
}

sim_block *sim_block_at(size_t n)
{
    return table[n];
}

/* Index of the first block whose pages end behind the address. */
static size_t index_of(uintptr_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table[middle]->start + table[middle]->span <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

sim_block *sim_block_find(uintptr_t address)
{
    size_t i = index_of(address);
    return i < count && address >= table[i]->address && address - table[i]->address < table[i]->size ? table[i] : NULL;
}

bool sim_block_insert(sim_block *block)
{
    if (count == capacity) {
        size_t wanted = capacity == 0 ? 64 : 2 * capacity;
        sim_block **bigger = realloc(table, wanted * sizeof *table);
        if (bigger == NULL)
            return false;
        table = bigger;
        capacity = wanted;
    }
    size_t i = index_of(block->start);
    memmove(&table[i + 1], &table[i], (count - i) * sizeof *table);
    table[i] = block;
    ++count;
    return true;
}

void sim_block_remove(sim_block *block)
{
    size_t i = index_of(block->start);
    memmove(&table[i], &table[i + 1], (count - i - 1) * sizeof *table);
    --count;
    free(block);
}

/* ------------------------------------------------------------------------------------------------ places -- */

static uintptr_t shared_cursor;

/* Free addresses from `from` on below `end`; 0 if there are none. */
static uintptr_t gap(uintptr_t from, uintptr_t end, size_t span)
{
    for (size_t i = index_of(from); from + span <= end; ++i) {
        if (i == count || table[i]->start >= from + span)
            return from;
        from = table[i]->start + table[i]->span;
    }
    return 0;
}

static size_t rounded(size_t size, size_t to)
{
    return (size + to - 1) / to * to;
}

sim_block *sim_block_place(sim_memory_kind kind, sim_context *context, size_t size)
{
    bool on_device = kind == SIM_MEMORY_DEVICE;
    uintptr_t base = on_device ? context->device->base : sim_front_here.base;
    uintptr_t *cursor = on_device ? &context->device->cursor : &shared_cursor;
    if (size > SIM_SPAN - 2 * PAGE)
        return NULL;
    /* At the end of its pages; pinned memory begins with a page, as with real drivers. */
    size_t pages = rounded(size, PAGE), span = pages + PAGE;
    if (*cursor < base)
        *cursor = base;
    uintptr_t start = gap(*cursor, base + SIM_SPAN, span);
    if (start == 0)
        start = gap(base, base + SIM_SPAN, span);
    sim_block *block = start != 0 ? calloc(1, sizeof *block) : NULL;
    if (block == NULL)
        return NULL;
    *cursor = start + span;
    block->start = start;
    block->span = span;
    block->address = on_device ? start + pages - rounded(size, ALIGNMENT) : start;
    block->size = size;
    block->kind = kind;
    block->context = context;
    block->file = on_device ? context->device->memory : sim_shared_memory();
    block->offset = (int64_t)(block->address - base);
    if (sim_block_insert(block))
        return block;
    free(block);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------- pages -- */

static size_t tail_of(const sim_block *block)
{
    return block->kind == SIM_MEMORY_DEVICE ? rounded(block->size, ALIGNMENT) - block->size : 0;
}

static void fill(const sim_block *block, size_t from, size_t size, int value)
{
    unsigned char bytes[4096];
    memset(bytes, value, sizeof bytes);
    while (size > 0) {
        size_t part = size < sizeof bytes ? size : sizeof bytes;
        ssize_t n = pwrite(block->file, bytes, part, block->offset + (off_t)from);
        if (n <= 0)
            return;
        from += (size_t)n;
        size -= (size_t)n;
    }
}

/* In one device's process. */
static bool protect(sim_device *device, const sim_block *block, bool usable)
{
    wire_request request = {.what = WIRE_PROTECT, .a = block->start, .b = block->span - PAGE, .c = usable};
    wire_answer answer;
    return sim_process_ask(&device->process, &request, -1, &answer);
}

/* Where kernels may use the block. */
static bool reaches(const sim_device *device, const sim_block *block)
{
    if (device->process.pid == 0)
        return false;
    if (block->kind == SIM_MEMORY_DEVICE && device != block->context->device)
        return (device->reaches & 1u << block->context->device->ordinal) != 0;
    return block->kind != SIM_MEMORY_PINNED || (block->mapped && (block->portable || device == block->context->device));
}

bool sim_blocks_protect(sim_device *device, const sim_device *owner, bool usable)
{
    bool done = true;
    for (size_t i = 0; i < count && done; ++i) {
        const sim_block *block = table[i];
        const sim_device *its = block->kind == SIM_MEMORY_DEVICE ? block->context->device : NULL;
        if (block->kind != SIM_MEMORY_GLOBALS && its == owner && reaches(device, block))
            done = protect(device, block, usable);
    }
    return done;
}

static bool protect_everywhere(const sim_block *block, bool usable)
{
    bool done = true;
    for (unsigned i = 0; i < sim_settings_here.devices; ++i)
        if (reaches(&sim_devices[i], block))
            done = protect(&sim_devices[i], block, usable) && done;
    return done;
}

sim_status sim_block_open(sim_block *block)
{
    enum { JUNK_AT_MOST = 65536 };
    void *start = (void *)block->start; /* NOLINT(performance-no-int-to-ptr) */
    size_t length = block->span - PAGE;
    if (block->kind != SIM_MEMORY_DEVICE && mmap(start, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                                                 block->file, (off_t)(block->start - sim_front_here.base)) != start)
        return SIM_OUT_OF_MEMORY;
    fill(block, 0, block->size < JUNK_AT_MOST ? block->size : JUNK_AT_MOST, JUNK);
    fill(block, block->size, tail_of(block), WATCH);
    return protect_everywhere(block, true) ? SIM_OK : SIM_OPERATING_SYSTEM;
}

void sim_block_close(sim_block *block)
{
    void *start = (void *)block->start; /* NOLINT(performance-no-int-to-ptr) */
    size_t length = block->span - PAGE;
    protect_everywhere(block, false);
    if (block->kind != SIM_MEMORY_DEVICE)
        mmap(start, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    fallocate(block->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              block->offset - (off_t)(block->address - block->start), (off_t)length);
}

bool sim_block_is_damaged(const sim_block *block)
{
    unsigned char bytes[ALIGNMENT];
    size_t tail = tail_of(block);
    if (pread(block->file, bytes, tail, block->offset + (off_t)block->size) != (ssize_t)tail)
        return true;
    for (size_t i = 0; i < tail; ++i)
        if (bytes[i] != WATCH)
            return true;
    return false;
}
