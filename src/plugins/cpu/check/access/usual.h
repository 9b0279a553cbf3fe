/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The usual access: a value of 4 or 8 bytes in its place, of a known object, of which nothing has to be told. The functions
 * find that out by few comparisons, and do what access.c would. false: they have done nothing, and check_access has to do it
 * all. What they call comes last, so that they need no frame. They are called in no special surroundings (CHECK_WAY_FULL),
 * where no local is known but private values.
 */
#ifndef ACCEL_CPU_CHECK_USUAL_H
#define ACCEL_CPU_CHECK_USUAL_H

#include "plugins/cpu/check/access/site.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/clock/fence.h"
#include "plugins/cpu/check/shadow.h"

#define USUAL static inline __attribute__((always_inline))

/* Of its first word. NULL: nothing is known of it, or it is `unfit`: its address has one of these bits. As
 * check_cell_if_known, in fewer steps: a pair remains one. */
USUAL check_cell *cell_of_value(uintptr_t at, uintptr_t unfit)
{
    enum { ABOVE = 64 - CHECK_ADDRESS_BITS, BYTES_FOR_BYTE = sizeof(check_cell) / 4 };
    if (__builtin_expect((at & unfit) != 0, 0))
        return NULL;
    check_cell *leaf = check_leaves[at << ABOVE >> (ABOVE + CHECK_LEAF_SHIFT)];
    const uintptr_t in_leaf = at & (((uintptr_t)1 << CHECK_LEAF_SHIFT) - 1);
    return leaf != NULL ? (check_cell *)(void *)((char *)leaf + in_leaf * BYTES_FOR_BYTE) : NULL;
}

/* Of a known value: does the cell speak for all of it, and for nothing else? */
USUAL bool is_of_value(const check_cell *cell, size_t size)
{
    return __builtin_expect(((cell->read & CHECK_PAIR) != 0) == (size == 8), 1);
}

/* What its word of reads has for that. */
USUAL uint64_t pair_of(size_t size)
{
    return size == 8 ? CHECK_PAIR : 0;
}

/* Of an 8-byte value. false: it was a pair before, or its words say different things. */
static inline bool becomes_pair(uintptr_t at)
{
    check_cell *cell = cell_of_value(at, 7);
    if (cell == NULL || (cell->write & CHECK_KNOWN) == 0 || is_of_value(cell, 8) || cell[0].write != cell[1].write ||
        cell[0].read != cell[1].read)
        return false;
    cell->read |= CHECK_PAIR;
    cell[1] = (check_cell){0, 0};
    return true;
}

/* Does no plain access race with what the word remembers? If in doubt, false. */
USUAL bool is_settled(uint64_t word)
{
    const check_words *words = &check_time.words;
    if (__builtin_expect(word < words->ordered, 1))
        return true;
    if ((word ^ check_time.now << CHECK_CONTEXT_SHIFT) < CHECK_MANY) /* this thread alone */
        return true;
    return (word & CHECK_BLOCKS) == 0 && word >= words->block && word < words->epoch;
}

/* Most loops come to the next kilobyte of cells soon, and would wait for them: half of DAXPY's time. */
enum { CELLS_AHEAD = 64 };

/* Accesses to the whole of a word, and what they are. */
enum { WHOLE = 15 << CHECK_MASK_SHIFT, ANY_KIND = 3 << CHECK_KIND_SHIFT, KIND_ATOMIC = 1 << CHECK_KIND_SHIFT };

/* The word of a plain access to the whole of it. */
USUAL uint64_t word_of(unsigned site)
{
    return (check_time.now << CHECK_CONTEXT_SHIFT) + ((uint64_t)site << CHECK_SITE_SHIFT) + WHOLE;
}

/* Behind a read of this epoch of the value: is one more of no account? (CHECK_QUIET) */
USUAL bool is_quiet(uint64_t read, size_t size)
{
    enum { ALL = WHOLE | CHECK_MANY | CHECK_QUIET };
    return __builtin_expect((read & (ALL | ANY_KIND | CHECK_PAIR)) == (ALL | pair_of(size)), 1);
}

/* Behind an access of this launch to the whole word: who else has accessed it. false: that is not usual. `kept` becomes what
 * the new word keeps of it. */
USUAL bool keeps(uint64_t word, uint64_t *kept)
{
    *kept = word & CHECK_BLOCKS;
    if (word >= check_time.words.epoch) {
        if (word >> CHECK_CONTEXT_SHIFT == check_time.now)
            *kept |= word & CHECK_MANY;
        else if (word >= check_time.words.alone)
            *kept |= CHECK_MANY;
        else
            return false;
    } else if (word < check_time.words.block) {
        if (check_time.acquired)
            return false;
        *kept = CHECK_BLOCKS;
    }
    return true;
}

/* Where the place does not have the first number that it might have. */
static __attribute__((noinline)) void note_elsewhere(uint64_t *word, const void *place, uint64_t kept)
{
    *word = word_of(check_site_find(place)) | kept;
}

/* The word becomes that of this access. */
USUAL void note(uint64_t *word, const void *place, uint64_t kept)
{
    const unsigned site = check_site_first(place);
    if (__builtin_expect(check_sites[site] == place, 1))
        *word = word_of(site) + kept;
    else
        note_elsewhere(word, place, kept);
}

/* Is it written, and by nobody with whom a read races? */
USUAL bool may_be_read(const check_cell *cell, size_t size)
{
    enum { KNOWN = CHECK_KNOWN | CHECK_WRITTEN };
    return __builtin_expect(((cell->write + 1) & KNOWN) == 0, 1) && is_of_value(cell, size) && is_settled(cell->write);
}

/* Of what this launch has read before, but quietly. */
USUAL bool read_again(check_cell *cell, size_t size, const void *place)
{
    const uint64_t read = cell->read;
    uint64_t kept = 0;
    if (!may_be_read(cell, size) || (read & (WHOLE | ANY_KIND)) != WHOLE)
        return false;
    if (read >> CHECK_CONTEXT_SHIFT == check_time.now)
        return true;
    if (!keeps(read, &kept))
        return false;
    if ((read & kept & CHECK_MANY) != 0)
        return true; /* another reader of several adds nothing */
    if ((kept & CHECK_MANY) != 0 && cell->write < check_time.words.epoch)
        kept |= CHECK_QUIET;
    note(&cell->read, place, kept | pair_of(size));
    return true;
}

USUAL bool read_usual(uintptr_t at, size_t size, uintptr_t unfit, const void *place)
{
    check_cell *cell = cell_of_value(at, unfit);
    if (__builtin_expect(cell == NULL, 0))
        return false;
    if (__builtin_expect(cell->read >= check_time.words.launch, 0))
        return (cell->read >= check_time.words.alone && is_quiet(cell->read, size)) || read_again(cell, size, place);
    if (__builtin_expect(!may_be_read(cell, size), 0))
        return false;
    __builtin_prefetch(cell + CELLS_AHEAD, 1);
    note(&cell->read, place, pair_of(size));
    return true;
}

/* Of a known value, where the running code may write. NULL: it is not, or its two words differ. */
USUAL check_cell *cell_to_write(uintptr_t at, size_t size, uintptr_t unfit)
{
    check_cell *cell = cell_of_value(at, unfit);
    if (__builtin_expect(cell == NULL, 0) || __builtin_expect((cell->write & CHECK_KNOWN) == 0, 0) ||
        !is_of_value(cell, size) || __builtin_expect(check_time.now == check_time.outside, 0))
        return NULL;
    return cell;
}

USUAL bool write_usual(uintptr_t at, size_t size, uintptr_t unfit, const void *place)
{
    check_cell *cell = cell_to_write(at, size, unfit);
    if (__builtin_expect(cell == NULL, 0) || __builtin_expect(!is_settled(cell->write) || !is_settled(cell->read), 0))
        return false;
    __builtin_prefetch(cell + CELLS_AHEAD, 1);
    note(&cell->write, place, CHECK_KNOWN | CHECK_WRITTEN);
    return true;
}

/* Of atomics, one by one in any order, none races with another. */
USUAL bool update_usual(uintptr_t at, size_t size, uintptr_t unfit, const void *place)
{
    check_cell *cell = cell_to_write(at, size, unfit);
    uint64_t kept = 0;
    if (__builtin_expect(cell == NULL, 0) || __builtin_expect(!is_settled(cell->read), 0))
        return false;
    if (cell->write >= check_time.words.launch) {
        if ((cell->write & (WHOLE | ANY_KIND)) != (WHOLE | KIND_ATOMIC) || !keeps(cell->write, &kept))
            return false;
    } else if (!is_settled(cell->write)) {
        return false;
    }
    check_fence_atomic();
    note(&cell->write, place, kept | KIND_ATOMIC | CHECK_KNOWN | CHECK_WRITTEN);
    return true;
}

/* The same where races are not looked for. */
USUAL bool read_light(uintptr_t at, size_t size)
{
    enum { KNOWN = CHECK_KNOWN | CHECK_WRITTEN };
    check_cell *cell = cell_of_value(at, size - 1);
    if (__builtin_expect(cell == NULL, 0) || (cell->write & KNOWN) != KNOWN || !is_of_value(cell, size))
        return false;
    __builtin_prefetch(cell + CELLS_AHEAD, 0);
    return true;
}

USUAL bool write_light(uintptr_t at, size_t size)
{
    check_cell *cell = cell_of_value(at, size - 1);
    if (__builtin_expect(cell == NULL, 0) || (cell->write & CHECK_KNOWN) == 0 || !is_of_value(cell, size))
        return false;
    if ((cell->write & CHECK_WRITTEN) != CHECK_WRITTEN)
        cell->write |= CHECK_WRITTEN;
    __builtin_prefetch(cell + CELLS_AHEAD, 0);
    return true;
}

#undef USUAL

#endif
