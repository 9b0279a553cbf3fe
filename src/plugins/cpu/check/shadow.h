/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of memory: 16 bytes for each 4 of it, the last write and the last read. Two levels, the second made when
 * it is touched. Changed under the lock of check.c.
 *
 * A word: context 38 bits, several blocks, several threads, site 13, kind 2, mask of the bytes 4; and in the word of writes:
 * belongs as a whole to an object that is known, mask of the bytes that were ever written; in the word of reads: mask
 * of the bytes that belong to objects, where not all four do, or not to one; and quiet: behind plain reads of the whole word by
 * several threads, one more such read in the same epoch races with nothing and adds nothing.
 */
#ifndef ACCEL_CPU_CHECK_SHADOW_H
#define ACCEL_CPU_CHECK_SHADOW_H

#include "plugins/cpu/check/common/hidden.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct check_cell {
    uint64_t write, read;
} check_cell;

enum {
    CHECK_KNOWN = 0x1,
    CHECK_QUIET = 0x1,    /* in the word of reads */
    CHECK_PAIR = 0x2,     /* in the word of reads, where CHECK_KNOWN says that it is not of CHECK_PART */
    CHECK_WRITTEN = 0x1e, /* four bits */
    CHECK_WRITTEN_SHIFT = 1,
    CHECK_PART = 0x1e, /* in the word of reads; four bits */
    CHECK_PART_SHIFT = 1,
    CHECK_MASK_SHIFT = 5,
    CHECK_KIND_SHIFT = 9,
    CHECK_SITE_SHIFT = 11,
    CHECK_MANY = 0x1000000,   /* several threads of the block */
    CHECK_BLOCKS = 0x2000000, /* several blocks */
    CHECK_CONTEXT_SHIFT = 26,
    CHECK_LEAF_SHIFT = 22, /* bytes of memory that a second level describes */
    CHECK_ADDRESS_BITS = 47
};

/* Else the CPU refuses it, and the shadow would take it for another. */
static inline bool check_address_is_possible(uintptr_t address)
{
    return address >> CHECK_ADDRESS_BITS == 0;
}

CHECK_HIDDEN extern check_cell **check_leaves;

/* Reserves the first level. false if there is no room for it. */
bool check_shadow_open(void);
/* NULL: no memory; then nothing is known of that place. */
check_cell *check_shadow_leaf(uintptr_t address);
/* Of an address that is possible: do cells, or the table of leaves, lie there? */
bool check_shadow_has(const void *);
/* A known object begins, of which nothing is written yet, or everything. */
void check_shadow_add(const void *p, size_t size, bool written);
void check_shadow_remove(const void *p, size_t size);
/* Forgets all contexts. */
void check_shadow_sweep(void);

/* The bytes of the word at `at` that lie in [begin, end). */
static inline unsigned check_mask_of(uintptr_t at, uintptr_t begin, uintptr_t end)
{
    unsigned mask = 15;
    if (at < begin)
        mask &= 15u << (begin - at);
    if (end - at < 4)
        mask &= (1u << (end - at)) - 1;
    return mask & 15;
}

/* Where the whole words from `at` on end that lie in [begin, end) and that one leaf describes. `at`: there is none. */
static inline uintptr_t check_words_end(uintptr_t at, uintptr_t begin, uintptr_t end)
{
    const uintptr_t leaf_end = (at | (((uintptr_t)1 << CHECK_LEAF_SHIFT) - 1)) + 1, whole_end = end & ~(uintptr_t)3;
    if (check_mask_of(at, begin, end) != 15)
        return at;
    return leaf_end < whole_end ? leaf_end : whole_end;
}

/* The bytes of the word that belong to known objects. */
static inline unsigned check_bytes_known(const check_cell *cell)
{
    return (cell->write & CHECK_KNOWN) != 0 ? 15 : (unsigned)(cell->read & CHECK_PART) >> CHECK_PART_SHIFT;
}

static inline bool check_cell_is_pair(const check_cell *cell)
{
    return (cell->write & CHECK_KNOWN) != 0 && (cell->read & CHECK_PAIR) != 0;
}

/* The cell of this address in its leaf, for itself. */
static inline check_cell *check_cell_in(check_cell *leaf, uintptr_t address)
{
    const size_t number = (address & (((uintptr_t)1 << CHECK_LEAF_SHIFT) - 1)) >> 2;
    check_cell *first = &leaf[number & ~(size_t)1];
    if (check_cell_is_pair(first)) {
        first->read &= ~(uint64_t)CHECK_PAIR;
        first[1] = *first;
    }
    return &leaf[number];
}

/* NULL: nothing is known of its surroundings. */
static inline check_cell *check_cell_if_known(uintptr_t address)
{
    address &= ((uintptr_t)1 << CHECK_ADDRESS_BITS) - 1;
    check_cell *leaf = check_leaves[address >> CHECK_LEAF_SHIFT];
    return leaf != NULL ? check_cell_in(leaf, address) : NULL;
}

static inline check_cell *check_cell_of(uintptr_t address)
{
    address &= ((uintptr_t)1 << CHECK_ADDRESS_BITS) - 1;
    check_cell *leaf = check_leaves[address >> CHECK_LEAF_SHIFT];
    if (__builtin_expect(leaf == NULL, 0)) {
        leaf = check_shadow_leaf(address);
        if (leaf == NULL)
            return NULL;
    }
    return check_cell_in(leaf, address);
}

#endif
