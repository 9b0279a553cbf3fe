/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/shadow.h"

#include <sys/mman.h>

check_cell **check_leaves;

static const size_t leaf_count = (size_t)1 << (CHECK_ADDRESS_BITS - CHECK_LEAF_SHIFT);
static const size_t leaf_cells = (size_t)1 << (CHECK_LEAF_SHIFT - 2);

/* A leaf fills one part of the address space, which a bit of `owned` stands for. */
enum { PART_SHIFT = CHECK_LEAF_SHIFT + 2 };
_Static_assert((size_t)1 << PART_SHIFT == ((size_t)1 << (CHECK_LEAF_SHIFT - 2)) * sizeof(check_cell), "a leaf's size");
static uint8_t *owned;

static void *reserve(size_t size)
{
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return made != MAP_FAILED ? made : NULL;
}

bool check_shadow_open(void)
{
    if (owned == NULL)
        owned = reserve((size_t)1 << (CHECK_ADDRESS_BITS - PART_SHIFT - 3));
    if (check_leaves == NULL && owned != NULL)
        check_leaves = reserve(leaf_count * sizeof(*check_leaves));
    return check_leaves != NULL;
}

/* Its place is a multiple of its size. */
static check_cell *make_leaf(void)
{
    const size_t size = (size_t)1 << PART_SHIFT;
    char *room = reserve(2 * size);
    if (room == NULL)
        return NULL;
    const size_t before = -(uintptr_t)room & (size - 1);
    if (before != 0)
        munmap(room, before);
    munmap(room + before + size, size - before);
    const uintptr_t part = (uintptr_t)(room + before) >> PART_SHIFT;
    owned[part / 8] |= (uint8_t)(1u << part % 8);
    return (check_cell *)(void *)(room + before);
}

bool check_shadow_has(const void *p)
{
    const uintptr_t part = (uintptr_t)p >> PART_SHIFT, first = (uintptr_t)check_leaves;
    return (owned[part / 8] >> part % 8 & 1) != 0 ||
           ((uintptr_t)p >= first && (uintptr_t)p < first + leaf_count * sizeof(*check_leaves));
}

check_cell *check_shadow_leaf(uintptr_t address)
{
    check_cell **leaf = &check_leaves[address >> CHECK_LEAF_SHIFT];
    if (*leaf == NULL)
        *leaf = make_leaf();
    return *leaf;
}

/* Some bytes of a word begin to belong to an object, or cease to. The others may be another's. */
static void change_part(check_cell *cell, unsigned mask, bool added, bool written)
{
    const unsigned others = (cell->write & CHECK_KNOWN) != 0 ? 0 : check_bytes_known(cell) & ~mask,
                   old = (unsigned)(cell->write & CHECK_WRITTEN) >> CHECK_WRITTEN_SHIFT & others;
    cell->write = (uint64_t)(old | (added && written ? mask : 0)) << CHECK_WRITTEN_SHIFT;
    cell->read = (uint64_t)(others | (added ? mask : 0)) << CHECK_PART_SHIFT;
}

/* Whole words, all of them of one leaf. */
static void change_words(uintptr_t at, uintptr_t end, check_cell whole)
{
    check_cell *cell = check_cell_of(at);
    (void)check_cell_of(end - 4); /* which may be of a pair, too */
    for (size_t i = 0; cell != NULL && i < (end - at) / 4; ++i)
        cell[i] = whole;
}

static void change(const void *p, size_t size, bool added, bool written)
{
    const uintptr_t begin = (uintptr_t)p, end = begin + size;
    const check_cell whole = {(added ? CHECK_KNOWN : 0u) | (added && written ? CHECK_WRITTEN : 0u), 0};
    for (uintptr_t at = begin & ~(uintptr_t)3, next; at < end; at = next) {
        next = check_words_end(at, begin, end);
        if (next != at) {
            change_words(at, next, whole);
            continue;
        }
        next = at + 4;
        check_cell *cell = check_cell_of(at);
        if (cell != NULL)
            change_part(cell, check_mask_of(at, begin, end), added, written);
    }
}

void check_shadow_add(const void *p, size_t size, bool written)
{
    change(p, size, true, written);
}

void check_shadow_remove(const void *p, size_t size)
{
    change(p, size, false, false);
}

void check_shadow_sweep(void)
{
    for (size_t i = 0; i < leaf_count; ++i) {
        check_cell *leaf = check_leaves[i];
        for (size_t k = 0; leaf != NULL && k < leaf_cells; ++k)
            leaf[k] = (check_cell){leaf[k].write & (CHECK_KNOWN | CHECK_WRITTEN), leaf[k].read & CHECK_PART};
    }
}
