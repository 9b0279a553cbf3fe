/* SPDX-License-Identifier: Apache-2.0 */
#include "object/descriptor.h"

#include <stdio.h>

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

static bool pattern_is_wrong(const accel_pattern_descriptor *p, size_t size, char *text, size_t text_size)
{
    const accel_descriptor *d = &p->kernel;
    const bool is_scan = p->kind == ACCEL_KIND_SCAN || p->kind == ACCEL_KIND_SCAN_FINAL;
    const uint32_t dims = is_scan ? 1 : 3;
    size_t places = is_scan ? sizeof(accel_scan_places) : sizeof(accel_pattern_places);

    if (size < sizeof(*p) || d->struct_size < sizeof(*p))
        snprintf(text, text_size, "it is a pattern's and has %zu bytes, this library needs %zu",
                 size < sizeof(*p) ? size : (size_t)d->struct_size, sizeof(*p));
    else if (!is_scan && p->kind != ACCEL_KIND_REDUCE && p->kind != ACCEL_KIND_SCATTER)
        snprintf(text, text_size, "its pattern is %u, which is unknown", p->kind);
    else if (p->dims == 0 || p->dims > dims)
        snprintf(text, text_size, "its pattern has %u dimensions, not 1 to %u", p->dims, dims);
    else if (p->element_size == 0 || p->element_size > ACCEL_MAX_PATTERN_ELEMENT)
        snprintf(text, text_size, "the elements of its pattern have %u bytes, not 1 to %u", p->element_size,
                 ACCEL_MAX_PATTERN_ELEMENT);
    else if (p->args_size == 0 || p->args_size > d->args_size || d->args_size - p->args_size < places)
        snprintf(text, text_size, "its arguments have %u bytes, and %u with the %zu bytes of a pattern's places",
                 p->args_size, d->args_size, places);
    else if (d->form != ACCEL_FORM_BLOCK || d->block[0] != ACCEL_TILE_LANES * ACCEL_TILE_PIECES || d->block[1] != 1 ||
             d->block[2] != 1)
        snprintf(text, text_size, "it is a pattern's, but has no blocks of %u threads",
                 ACCEL_TILE_LANES * ACCEL_TILE_PIECES);
    else
        return false;
    return true;
}

bool descriptor_is_wrong(const accel_pattern_descriptor *p, size_t size, char *text, size_t text_size)
{
    const accel_descriptor *d = &p->kernel;
    const uint32_t known = DESCRIPTOR_FLAGS;

    if (size < sizeof(*d) || d->struct_size < sizeof(*d))
        snprintf(text, text_size, "it has %zu bytes, this library needs %zu",
                 size < sizeof(*d) ? size : (size_t)d->struct_size, sizeof(*d));
    else if (d->magic != ACCEL_OBJECT_MAGIC)
        snprintf(text, text_size, "it begins with %#x instead of %#x", d->magic, ACCEL_OBJECT_MAGIC);
    else if (d->abi != ACCEL_OBJECT_ABI)
        snprintf(text, text_size, "it has object ABI %u, this library %u", d->abi, ACCEL_OBJECT_ABI);
    else if (d->grid_size > sizeof(accel_grid))
        snprintf(text, text_size, "it was compiled with a newer accel_grid (%u bytes, here %zu)", d->grid_size,
                 sizeof(accel_grid));
    else if (d->form < ACCEL_FORM_BLOCK || d->form > ACCEL_FORM_THREAD_NOSYNC)
        snprintf(text, text_size, "its form is %u, which is unknown", d->form);
    else if ((d->flags & ~known) != 0)
        snprintf(text, text_size, "its flags are %#x, of which only %#x are known", d->flags, known);
    else if (d->args_size == 0 || d->args_size > ACCEL_MAX_ARGS_SIZE)
        snprintf(text, text_size, "the size of its arguments is %u, not 1 to %u bytes", d->args_size,
                 ACCEL_MAX_ARGS_SIZE);
    else if (!is_power_of_two(d->args_align) || d->args_align > DESCRIPTOR_MAX_ARGS_ALIGN)
        snprintf(text, text_size, "the alignment of its arguments is %u, no power of two up to %u", d->args_align,
                 (unsigned)DESCRIPTOR_MAX_ARGS_ALIGN);
    else if (!block_is_whole(d->block))
        snprintf(text, text_size, "its fixed block of %u x %u x %u is not one of 1 to %u threads", d->block[0],
                 d->block[1], d->block[2], ACCEL_MAX_BLOCK_THREADS);
    else
        return (d->flags & ACCEL_KERNEL_PATTERN) != 0 && pattern_is_wrong(p, size, text, text_size);
    return true;
}
