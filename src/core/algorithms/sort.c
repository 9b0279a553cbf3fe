/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel_sort: passes over digits (src/kernels/sort.h), each three launches. Keys and what they carry go from the caller's
 * memory to scratch memory and back. Values of 4 and 8 bytes are carried themselves. Of other values the indices are, and the
 * values follow once at the end.
 */
#include "core/algorithms/library.h"
#include "core/algorithms/operand.h"
#include "core/algorithms/share.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"
#include "core/patterns/scratch.h"
#include "kernels/sort.h"

#include <string.h>

static const char function[] = "accel_sort";

enum {
    TILE = SORT_THREADS * SORT_ITEMS, /* elements that a block of a GPU takes at a time */
    CPU_BLOCKS = 2,                   /* blocks per CPU */
    FEW_BLOCKS = 32,                  /* whose counts one block adds up */
    LINE = 64                         /* bytes of a cache line */
};

/* What there is to do, and with what. */
typedef struct sorting {
    accel_queue *queue;
    accel_kernel *count, *scan, *scatter, *settle, *number, *gather;
    size_t n, key_size, carried_size, value_size, unit;
    void *keys, *values;
    bool carries_values; /* else indices, if there are values */
    uint32_t first_bit, bits;
    sort_args args;
    sort_end_args end;
} sorting;

static accel_status launch(const sorting *s, accel_kernel *kernel, size_t blocks)
{
    accel_work work = accel_work_1d(blocks, SORT_THREADS, 1);

    return accel_launch(s->queue, kernel, &work, &s->args, sizeof(s->args));
}

static accel_status launch_end(const sorting *s, accel_kernel *kernel)
{
    return accel_launch_over(s->queue, kernel, 1, &s->n, &s->end, sizeof(s->end));
}

static void divide(sorting *s)
{
    /* A block counts with 32 bits. */
    const accel_share_wish wish = {.tile = TILE, .cpu_blocks = CPU_BLOCKS, .least_blocks = (s->n >> 31) + 1};
    const accel_shares shares = accel_shares_of(&s->queue->device->properties, s->n, &wish);

    s->args.share = shares.share;
    s->args.blocks = shares.blocks;
}

/* Places in the scratch memory, which has so many bytes. */
static size_t place(sorting *s, unsigned char *memory)
{
    size_t used = 0;

    s->args.keys[0] = s->keys;
    s->args.keys[1] = accel_scratch_part(memory, &used, s->n * s->key_size);
    s->args.carried[0] = s->carries_values ? s->values : accel_scratch_part(memory, &used, s->n * s->carried_size);
    s->args.carried[1] = accel_scratch_part(memory, &used, s->n * s->carried_size);
    s->args.counts = accel_scratch_part(memory, &used, SORT_DIGITS * s->args.blocks * sizeof(uint64_t));
    s->args.totals = accel_scratch_part(memory, &used, SORT_DIGITS * sizeof(uint64_t));
    s->args.moves = accel_scratch_part(memory, &used, SORT_PASSES * sizeof(uint32_t));
    s->end.moves = s->args.moves;
    s->end.indices[0] = s->args.carried[0];
    s->end.indices[1] = s->args.carried[1];
    if (s->value_size != 0 && !s->carries_values)
        s->end.to = accel_scratch_part(memory, &used, s->n * s->value_size);
    return used;
}

/* Whether a place is larger than what the caches keep, and both begin with a line. */
static bool goes_past_caches(const sorting *s)
{
    uintptr_t begins = 0;

    for (int place = 0; place < 2; ++place)
        begins |= (uintptr_t)s->args.keys[place] | (uintptr_t)s->args.carried[place];
    return begins % LINE == 0 && accel_device_bypasses_caches(s->queue->device, s->n * (s->key_size + s->carried_size));
}

static accel_status run_passes(sorting *s)
{
    accel_status status = ACCEL_OK;

    for (uint32_t done = 0; done < s->bits && status == ACCEL_OK; done += 8) {
        uint32_t width = s->bits - done < 8 ? s->bits - done : 8;

        s->args.shift = s->first_bit + done;
        s->args.mask = (UINT32_C(1) << width) - 1;
        status = launch(s, s->count, s->args.blocks);
        if (status == ACCEL_OK)
            status = launch(s, s->scan, s->args.blocks <= FEW_BLOCKS ? 1 : SORT_DIGITS);
        if (status == ACCEL_OK)
            status = launch(s, s->scatter, s->args.blocks);
        ++s->args.pass;
    }
    s->end.passes = s->args.pass;
    return status;
}

static accel_status settle(sorting *s, void *const at[2], size_t size)
{
    s->end.at[0] = at[0];
    s->end.at[1] = at[1];
    s->end.unit = (uint32_t)size;
    return launch_end(s, s->settle);
}

/* Values in scratch memory by the indices as they are now, or from there: the first time these are 0, 1, 2, ... */
static accel_status gather(sorting *s, const void *from, void *to)
{
    s->end.from = from;
    s->end.to = to;
    s->end.unit = (uint32_t)s->unit;
    s->end.units = s->value_size / s->unit;
    return launch_end(s, s->gather);
}

static accel_status run(sorting *s)
{
    bool has_indices = s->value_size != 0 && !s->carries_values;
    void *copy = s->end.to;
    accel_status status = ACCEL_OK;

    if (has_indices)
        status = launch_end(s, s->number);
    if (has_indices && status == ACCEL_OK)
        status = gather(s, s->values, copy);
    if (status == ACCEL_OK)
        status = run_passes(s);
    if (status == ACCEL_OK)
        status = settle(s, s->args.keys, s->key_size);
    if (s->carries_values && status == ACCEL_OK)
        status = settle(s, s->args.carried, s->carried_size);
    if (has_indices && status == ACCEL_OK)
        status = gather(s, copy, s->values);
    return status;
}

static accel_status get(const accel_queue *queue, int which, accel_kernel **kernel)
{
    return accel_own_kernel_get(function, queue, (accel_own_kernel)which, kernel);
}

static accel_status get_kernels(sorting *s)
{
    int wide = s->key_size == 8, carried = s->carried_size == 0 ? 0 : s->carried_size == 4 ? 1 : 2;
    accel_status status = get(s->queue, ACCEL_OWN_SORT_COUNT + wide, &s->count);

    if (status == ACCEL_OK)
        status = get(s->queue, ACCEL_OWN_SORT_SCAN, &s->scan);
    if (status == ACCEL_OK)
        status = get(s->queue, ACCEL_OWN_SORT_SCATTER + 3 * wide + carried, &s->scatter);
    if (status == ACCEL_OK)
        status = get(s->queue, ACCEL_OWN_SORT_SETTLE, &s->settle);
    if (status == ACCEL_OK && s->value_size != 0)
        status = get(s->queue, ACCEL_OWN_SORT_NUMBER, &s->number);
    if (status == ACCEL_OK && s->value_size != 0)
        status = get(s->queue, ACCEL_OWN_SORT_GATHER, &s->gather);
    if (status == ACCEL_OK && s->scatter->max_threads < SORT_THREADS)
        return accel_error_set(ACCEL_LIMIT, "%s: kernel \"%s\" needs blocks of %d threads, the limit of \"%s\" is %u",
                               function, s->scatter->name, SORT_THREADS, s->queue->device->properties.name,
                               s->scatter->max_threads);
    return status;
}

/* How keys become unsigned integers of the same order: integers with a sign by their highest bit, floating-point numbers by
 * it too, and by all others where it is 1. */
static void set_order(sorting *s, uint32_t type, bool descending)
{
    uint64_t all = s->key_size == 8 ? UINT64_MAX : UINT32_MAX, sign = all ^ all >> 1;

    s->args.flip = type == ACCEL_TYPE_UINT32 || type == ACCEL_TYPE_UINT64 ? 0 : sign;
    s->args.sign_mask = type == ACCEL_TYPE_FLOAT || type == ACCEL_TYPE_DOUBLE ? all ^ sign : 0;
    if (descending)
        s->args.flip ^= all;
}

static void set_values(sorting *s, const accel_buffer *values)
{
    s->values = values->ptr;
    s->value_size = values->element_size;
    s->unit = accel_operand_unit(values);
    s->carries_values = (s->value_size == 4 || s->value_size == 8) && s->unit == s->value_size;
    s->carried_size = s->carries_values ? s->value_size : s->n <= UINT32_MAX ? 4 : 8;
    s->end.wide = s->carried_size == 8;
}

static accel_status check_desc(const accel_sort_desc *desc)
{
    accel_status status = accel_type_check(function, desc->type);
    uint32_t all = (uint32_t)(8 * accel_type_size(desc->type));

    if (status != ACCEL_OK)
        return status;
    if ((desc->flags & ~(uint32_t)ACCEL_SORT_DESCENDING) != 0)
        return accel_error_set(ACCEL_INVALID, "%s: desc.flags is 0x%x; the only flag is ACCEL_SORT_DESCENDING",
                               function, desc->flags);
    if (desc->first_bit >= all || desc->bit_count > all - desc->first_bit)
        return accel_error_set(
            ACCEL_INVALID,
            "%s: desc.first_bit is %u and bit_count %u; keys of type %s have %u bits, and bit_count 0 "
            "is all from the first on",
            function, desc->first_bit, desc->bit_count, accel_type_name(desc->type), all);
    return ACCEL_OK;
}

static accel_status check_buffers(const accel_queue *queue, const accel_sort_desc *desc, const accel_buffer *keys,
                                  const accel_buffer *values)
{
    accel_status status = accel_operand_check(function, "keys", queue, keys);

    if (status == ACCEL_OK)
        status = accel_operand_check_size(function, "keys", keys, accel_type_size(desc->type));
    if (status != ACCEL_OK || values == NULL)
        return status;
    status = accel_operand_check(function, "values", queue, values);
    if (status == ACCEL_OK)
        status = accel_operand_check_count(function, "values", values, accel_operand_count(keys));
    if (status == ACCEL_OK)
        status = accel_operand_check_apart(function, "keys", keys, "values", values);
    return status;
}

static accel_status sort(sorting *s)
{
    accel_scratch *scratch;
    accel_status status = accel_scratch_enter(function, s->queue, place(s, NULL), &scratch);

    if (status != ACCEL_OK)
        return status;
    place(s, accel_scratch_memory(scratch));
    s->args.past_caches = goes_past_caches(s);
    status = run(s);
    accel_scratch_leave(scratch);
    return status == ACCEL_OK ? ACCEL_OK : accel_error_rename(status, function);
}

ACCEL_API accel_status accel_sort(accel_queue *queue, const accel_sort_desc *given, accel_buffer *keys,
                                  accel_buffer *values)
{
    accel_sort_desc desc;
    sorting s;
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK && given == NULL)
        status = accel_error_null(function, "desc");
    if (status == ACCEL_OK)
        status = accel_struct_import(function, "accel_sort_desc", &desc, sizeof(desc), given);
    if (status == ACCEL_OK)
        status = check_desc(&desc);
    if (status == ACCEL_OK)
        status = check_buffers(queue, &desc, keys, values);
    if (status != ACCEL_OK)
        return status;
    memset(&s, 0, sizeof(s));
    s.queue = queue;
    s.n = s.args.n = s.end.n = accel_operand_count(keys);
    s.keys = keys->ptr;
    s.key_size = keys->element_size;
    s.first_bit = desc.first_bit;
    s.bits = desc.bit_count != 0 ? desc.bit_count : (uint32_t)(8 * s.key_size) - desc.first_bit;
    if (values != NULL)
        set_values(&s, values);
    set_order(&s, desc.type, (desc.flags & ACCEL_SORT_DESCENDING) != 0);
    status = get_kernels(&s);
    if (status != ACCEL_OK || s.n < 2)
        return status;
    divide(&s);
    return sort(&s);
}
