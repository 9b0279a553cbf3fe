/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/light/poison.h"
#include "plugins/cpu/check/shadow.h"
#include "plugins/cpu/fiber/fiber_tools.h"

#include <accel/kernel/cpu/check_table.h>

#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE /* an older kernel takes the address for a hint */
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { PAGE = 4096, POISONED = 8 << 20 /* bytes of pages that are mapped again and again */, LOWEST = 1 << 16 };

static const uintptr_t shadow = ACCEL_LIGHT_OFFSET, shadow_size = (uintptr_t)1 << (CHECK_ADDRESS_BITS - 3);
static void *poisoned; /* read-only, shared with all its copies; NULL: nothing is reserved */

static unsigned char *byte_of(uintptr_t address)
{
    return (unsigned char *)(shadow + address / CHECK_POISON_GRAIN);
}

static void *map(void *at, size_t size, int flags)
{
    void *made = mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (made == MAP_FAILED)
        return NULL;
    (void)madvise(made, size, MADV_NOHUGEPAGE); /* most of it is never touched */
    (void)madvise(made, size, MADV_DONTDUMP);
    return made;
}

bool check_poison_reserve(void)
{
    if (poisoned != NULL)
        return true;
    if (cpu_fiber_tools_has_valgrind()) /* it would note of each byte that it exists, for hours */
        return false;
    void *made = map((void *)shadow, shadow_size, MAP_FIXED_NOREPLACE);
    void *pages = mmap(NULL, POISONED, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (made == (void *)shadow && pages != MAP_FAILED) {
        memset(pages, CHECK_POISON, POISONED);
        mprotect(pages, POISONED, PROT_READ);
        poisoned = pages;
        check_poison_add(NULL, LOWEST); /* where the system gives no memory */
        return true;
    }
    if (made != NULL)
        munmap(made, shadow_size);
    if (pages != MAP_FAILED)
        munmap(pages, POISONED);
    return false;
}

/* Whole pages. With an old size of 0 mremap makes another mapping of the same pages. What finds no room stays open. */
static void cover(unsigned char *begin, const unsigned char *end)
{
    while (begin < end) {
        const size_t left = (size_t)(end - begin), size = left < POISONED ? left : POISONED;
        if (mremap(poisoned, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, begin) == MAP_FAILED)
            return;
        begin += size;
    }
}

/* Less than a page. One that is poisoned as a whole may be one of those that are read-only, and becomes another. */
static void set_part(unsigned char *begin, const unsigned char *end, unsigned char value)
{
    unsigned char *page = (unsigned char *)((uintptr_t)begin & ~(uintptr_t)(PAGE - 1));
    if (begin >= end)
        return;
    if (*begin == CHECK_POISON && memcmp(page, poisoned, PAGE) == 0) {
        if (value == CHECK_POISON || map(page, PAGE, MAP_FIXED) == NULL)
            return;
        memset(page, CHECK_POISON, PAGE);
    }
    memset(begin, value, (size_t)(end - begin));
}

static void set(unsigned char *begin, unsigned char *end, unsigned char value)
{
    unsigned char *first = (unsigned char *)(((uintptr_t)begin + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
    unsigned char *last = (unsigned char *)((uintptr_t)end & ~(uintptr_t)(PAGE - 1));
    if (first > last) {
        set_part(begin, end, value);
        return;
    }
    set_part(begin, first, value);
    if (value != 0)
        cover(first, last);
    else if (first != last)
        (void)map(first, (size_t)(last - first), MAP_FIXED);
    set_part(last, end, value);
}

void check_poison_add(const void *p, size_t size)
{
    const uintptr_t begin = (uintptr_t)p, end = begin + size, in_grain = begin % CHECK_POISON_GRAIN;
    unsigned char *first = byte_of(begin), *limit = byte_of(end);
    if (poisoned == NULL || first >= limit)
        return;
    if (in_grain != 0) {
        set_part(first, first + 1, (unsigned char)in_grain);
        first++;
    }
    set(first, limit, CHECK_POISON);
}

void check_poison_remove(const void *p, size_t size)
{
    const uintptr_t begin = (uintptr_t)p, end = begin + size + CHECK_POISON_GRAIN - 1;
    if (poisoned != NULL && size != 0)
        set(byte_of(begin), byte_of(end), 0);
}

const char *check_poison_find(const volatile void *p, size_t size)
{
    const uintptr_t begin = (uintptr_t)p, end = begin + size;
    for (uintptr_t at = begin; poisoned != NULL && at < end; at = (at | (CHECK_POISON_GRAIN - 1)) + 1) {
        const uintptr_t open = check_address_is_possible(at) ? *byte_of(at) : 0, in_grain = at % CHECK_POISON_GRAIN;
        const uintptr_t next = (at | (CHECK_POISON_GRAIN - 1)) + 1, last = (next < end ? next : end) - 1;
        if (open == 0 || last % CHECK_POISON_GRAIN < open * (open < CHECK_POISON_GRAIN))
            continue;
        return (const char *)(open < CHECK_POISON_GRAIN && in_grain < open ? at - in_grain + open : at);
    }
    return NULL;
}

unsigned char *check_poison_bytes(const void *begin)
{
    return poisoned != NULL ? byte_of((uintptr_t)begin) : NULL;
}
