/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The usual access: a value of 4 or 8 bytes in its place, of a known object, of which nothing has to be told. The functions
 * find that out by few comparisons, and do what access.c would. false: they have done nothing, and check_access has to do it
 * all. They are called in no special surroundings (CHECK_WAY_FULL), where no local is known but private values.
 */
#ifndef ACCEL_CPU_CHECK_USUAL_H
#define ACCEL_CPU_CHECK_USUAL_H

#include "plugins/cpu/check/access/site.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/shadow.h"

#define USUAL static inline __attribute__((always_inline))

/* Of the first of its words. NULL: nothing is known of it, or it lies elsewhere. As check_cell_if_known, in fewer steps. */
USUAL check_cell *cell_of_value(uintptr_t at, size_t size)
{
    enum { ABOVE = 64 - CHECK_ADDRESS_BITS, BYTES_FOR_BYTE = sizeof(check_cell) / 4 };
    if (__builtin_expect((at & (size - 1)) != 0, 0))
        return NULL;
    check_cell *leaf = check_leaves[at << ABOVE >> (ABOVE + CHECK_LEAF_SHIFT)];
    const uintptr_t in_leaf = at & (((uintptr_t)1 << CHECK_LEAF_SHIFT) - 1);
    return leaf != NULL ? (check_cell *)(void *)((char *)leaf + in_leaf * BYTES_FOR_BYTE) : NULL;
}

/* The last word. */
USUAL check_cell *last_of(check_cell *cell, size_t size)
{
    return cell + (size == 8);
}

/* Does no plain access race with what the word remembers? If in doubt, false. */
USUAL bool is_settled(uint64_t word)
{
    const uint64_t context = word >> CHECK_CONTEXT_SHIFT;
    if (__builtin_expect(context < check_time.ordered, 1))
        return true;
    if ((word & CHECK_BLOCKS) != 0)
        return false;
    if (context >= check_time.epoch)
        return context == check_time.now && (word & CHECK_MANY) == 0;
    return context >= check_time.block;
}

/* Most loops come to the next kilobyte of cells soon, and would wait for them: half of DAXPY's time. */
enum { CELLS_AHEAD = 64 };

/* The word of a plain access to the whole of it. */
USUAL uint64_t word_of(unsigned site)
{
    return check_time.now << CHECK_CONTEXT_SHIFT | (uint64_t)site << CHECK_SITE_SHIFT | 15u << CHECK_MASK_SHIFT;
}

/* Where the place does not have the first number that it might have. Called last, so that the others need no frame. */
static __attribute__((noinline)) void note_read_elsewhere(check_cell *cell, check_cell *last, const void *place,
                                                          uint64_t kept)
{
    cell->read = last->read = word_of(check_site_find(place)) | kept;
}

static __attribute__((noinline)) void note_write_elsewhere(check_cell *cell, check_cell *last, const void *place)
{
    cell->write = last->write = word_of(check_site_find(place)) | CHECK_KNOWN | CHECK_WRITTEN;
}

USUAL bool read_usual(uintptr_t at, size_t size, const void *place)
{
    enum { KNOWN = CHECK_KNOWN | CHECK_WRITTEN, WHOLE = 15 << CHECK_MASK_SHIFT, HOW = WHOLE | 3 << CHECK_KIND_SHIFT };
    check_cell *cell = cell_of_value(at, size);
    if (__builtin_expect(cell == NULL, 0))
        return false;
    check_cell *last = last_of(cell, size);
    const uint64_t read = cell->read, context = read >> CHECK_CONTEXT_SHIFT;
    uint64_t kept = 0;
    if (__builtin_expect(((cell->write ^ last->write) | (read ^ last->read) | (~cell->write & KNOWN)) != 0, 0) ||
        __builtin_expect(!is_settled(cell->write), 0))
        return false;
    if (__builtin_expect(context >= check_time.launch, 0)) { /* others have read it */
        if ((read & HOW) != WHOLE)
            return false;
        kept = read & CHECK_BLOCKS;
        if (context >= check_time.epoch) {
            if (context != check_time.now && check_time.fenced)
                return false;
            if (context == check_time.now || (read & CHECK_MANY) != 0)
                return true; /* another reader of several adds nothing */
            kept |= CHECK_MANY;
        } else if (context < check_time.block) {
            if (check_time.acquired)
                return false;
            kept = CHECK_BLOCKS;
        }
    }
    __builtin_prefetch(cell + CELLS_AHEAD, 1);
    const unsigned site = check_site_first(place);
    if (__builtin_expect(check_sites[site] == place, 1))
        cell->read = last->read = word_of(site) | kept;
    else
        note_read_elsewhere(cell, last, place, kept);
    return true;
}

USUAL bool write_usual(uintptr_t at, size_t size, const void *place)
{
    check_cell *cell = cell_of_value(at, size);
    if (__builtin_expect(cell == NULL, 0))
        return false;
    check_cell *last = last_of(cell, size);
    if (__builtin_expect(((cell->write ^ last->write) | (cell->read ^ last->read) | (~cell->write & CHECK_KNOWN)) != 0,
                         0) ||
        __builtin_expect(check_time.now == check_time.outside, 0) ||
        __builtin_expect(!is_settled(cell->write) || !is_settled(cell->read), 0))
        return false;
    __builtin_prefetch(cell + CELLS_AHEAD, 1);
    const unsigned site = check_site_first(place);
    if (__builtin_expect(check_sites[site] == place, 1))
        cell->write = last->write = word_of(site) | CHECK_KNOWN | CHECK_WRITTEN;
    else
        note_write_elsewhere(cell, last, place);
    return true;
}

/* The same where races are not looked for. */
USUAL bool read_light(uintptr_t at, size_t size)
{
    enum { KNOWN = CHECK_KNOWN | CHECK_WRITTEN };
    check_cell *cell = cell_of_value(at, size);
    if (__builtin_expect(cell == NULL, 0) || (cell->write & last_of(cell, size)->write & KNOWN) != KNOWN)
        return false;
    __builtin_prefetch(cell + CELLS_AHEAD, 0);
    return true;
}

USUAL bool write_light(uintptr_t at, size_t size)
{
    check_cell *cell = cell_of_value(at, size);
    if (__builtin_expect(cell == NULL, 0) || (cell->write & last_of(cell, size)->write & CHECK_KNOWN) == 0)
        return false;
    if ((cell->write & last_of(cell, size)->write & CHECK_WRITTEN) != CHECK_WRITTEN) {
        cell->write |= CHECK_WRITTEN;
        last_of(cell, size)->write |= CHECK_WRITTEN;
    }
    __builtin_prefetch(cell + CELLS_AHEAD, 0);
    return true;
}

#undef USUAL

#endif
