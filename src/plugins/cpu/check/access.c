/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/access.h"
#include "plugins/cpu/check/access/padding.h"
#include "plugins/cpu/check/access/site.h"
#include "plugins/cpu/check/access/usual.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/clock/fence.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/host_memory.h"
#include "plugins/cpu/check/light/stray.h"
#include "plugins/cpu/check/limit.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/queues/history.h"
#include "plugins/cpu/check/shadow.h"
#include "plugins/cpu/check/shared/privates.h"
#include "plugins/cpu/check/shared/shared.h"
#include "plugins/cpu/check/stack/overflow.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/check/view.h"

#include <accel/kernel/cpu/check_table.h>

/* What an access is to others at the same place. */
enum { CHECK_PLAIN, CHECK_ATOMIC, CHECK_LOCKED, CHECK_BLOCK_ATOMIC };

static unsigned site_in(uint64_t word)
{
    return word >> CHECK_SITE_SHIFT & (CHECK_SITES - 1);
}
static unsigned mask_of(uint64_t word)
{
    return word >> CHECK_MASK_SHIFT & 15;
}
static unsigned kind_of(uint64_t word)
{
    return word >> CHECK_KIND_SHIFT & 3;
}

/* Do accesses of these kinds race if nothing orders them? */
static bool kinds_race(unsigned a, unsigned b, bool same_block)
{
    if (a == b)
        return a == CHECK_PLAIN || (a == CHECK_BLOCK_ATOMIC && !same_block);
    if (a == CHECK_PLAIN || b == CHECK_PLAIN || a == CHECK_LOCKED || b == CHECK_LOCKED)
        return true;
    return !same_block;
}

/* Is this access unordered with what the word remembers of earlier blocks, or of earlier launches? */
static __attribute__((noinline)) bool races_with_earlier(uint64_t word, unsigned kind)
{
    const uint64_t context = word >> CHECK_CONTEXT_SHIFT;
    return kinds_race(kind, kind_of(word), false) &&
           (context >= check_time.launch || check_history_unordered(context) != NULL);
}

/* Is this access unordered with what the word remembers? `among`: one block, or several. */
static bool races(uint64_t word, unsigned mask, unsigned kind, bool *among_blocks)
{
    uint64_t context = word >> CHECK_CONTEXT_SHIFT;
    *among_blocks = true;
    if (context < check_time.ordered || (mask_of(word) & mask) == 0)
        return false;
    if (context == check_time.now && (word & (CHECK_MANY | CHECK_BLOCKS)) == 0)
        return false;
    if (context < check_time.block)
        return races_with_earlier(word, kind);
    if (check_time.form == 0)
        return false;
    if ((word & CHECK_BLOCKS) != 0 && kinds_race(kind, kind_of(word), false))
        return true;
    *among_blocks = false;
    if (context < check_time.epoch)
        return false;
    return (!check_context_is_mine(context) || (word & CHECK_MANY) != 0) && kinds_race(kind, kind_of(word), true);
}

/* The word behind this access. Of several threads or blocks it keeps the bytes that all of them touched: it may forget
 * who touched a part of a word, and invents nothing. A weaker kind is kept, with its place. */
static uint64_t merged(uint64_t word, unsigned mask, unsigned kind, unsigned site)
{
    uint64_t context = word >> CHECK_CONTEXT_SHIFT, keep = word & (CHECK_KNOWN | CHECK_WRITTEN), shared = 0;
    unsigned both = mask & mask_of(word);
    if (context >= check_time.launch && both != 0) {
        shared = word & CHECK_BLOCKS;
        if (context < check_time.block)
            shared = check_fence_orders(context) ? 0 : shared | CHECK_BLOCKS;
        else if (context >= check_time.epoch)
            shared |= check_context_is_mine(context) ? word & CHECK_MANY
                      : check_fence_orders(context)  ? 0
                                                     : (uint64_t)CHECK_MANY;
    }
    if (shared != 0)
        mask = both;
    else if (context == check_time.now)
        mask |= mask_of(word);
    if ((shared != 0 || context == check_time.now) && kind_of(word) == CHECK_PLAIN && kind != CHECK_PLAIN &&
        (context == check_time.now || (shared & CHECK_BLOCKS) != 0)) {
        kind = CHECK_PLAIN;
        site = site_in(word);
    }
    return check_time.now << CHECK_CONTEXT_SHIFT | (uint64_t)site << CHECK_SITE_SHIFT | keep | shared |
           (uint64_t)mask << CHECK_MASK_SHIFT | (uint64_t)kind << CHECK_KIND_SHIFT;
}

/* A copy or fill has no code of its own. */
check_side check_side_of(uint64_t word, bool writes)
{
    const uint64_t context = word >> CHECK_CONTEXT_SHIFT;
    const uint32_t how = (writes ? ACCEL_CHECK_WRITE : 0) | (kind_of(word) != CHECK_PLAIN ? ACCEL_CHECK_ATOMIC : 0);
    const check_operation *operation = context < check_time.launch ? check_history_unordered(context) : NULL;
    const void *place =
        operation != NULL && operation->kernel[0] == '\0' ? operation->place : check_sites[site_in(word)];
    return (check_side){place, how, check_actor_of(context), operation};
}

typedef struct access {
    const char *at;
    size_t size;
    uint32_t how;
    unsigned kind;
    const void *place;
    uint64_t number; /* of all accesses that are checked in full */
} access;

static check_side my_side(const access *a)
{
    return (check_side){.place = a->place, .how = a->how, .actor = check_actor_of(check_time.now)};
}

static __attribute__((noinline)) void report(const access *a, uint32_t kind)
{
    check_finding_add(
        &(check_finding){.kind = kind, .at = a->at, .size = a->size, .mine = my_side(a), .access = a->number});
}

static __attribute__((noinline)) void report_race(const access *a, uint64_t word, bool among_blocks, bool other_writes)
{
    const uint64_t context = word >> CHECK_CONTEXT_SHIFT;
    const check_operation *operation = context < check_time.launch ? check_history_unordered(context) : NULL;
    unsigned other = kind_of(word);
    if (operation == NULL && check_fence_orders(context))
        return;
    bool mixed = (a->kind == CHECK_PLAIN) != (other == CHECK_PLAIN);
    check_finding_add(&(check_finding){.kind = operation != NULL ? CHECK_FINDING_QUEUES
                                               : mixed           ? CHECK_FINDING_MIXED
                                               : among_blocks    ? CHECK_FINDING_BLOCKS
                                                                 : CHECK_FINDING_THREADS,
                                       .at = a->at,
                                       .size = a->size,
                                       .mine = my_side(a),
                                       .has_other = true,
                                       .other = check_side_of(word, other_writes),
                                       .access = a->number});
}

/* Memory of which nothing is known, from the first such byte of the access on. false: there is nothing more to check. */
static __attribute__((noinline)) bool is_elsewhere(const access *a, const char *p)
{
    bool crashes = false;
    if (check_range_has(check_around.stack, p)) {
        if (check_shared_is_stray(p))
            report(a, CHECK_FINDING_OUTSIDE);
        return false;
    }
    if ((a->how & ACCEL_CHECK_WRITE) != 0 && check_shared_is_constant(p, &crashes)) {
        report(a, CHECK_FINDING_CONSTANT);
        if (crashes)
            check_finding_abandon();
        return false;
    }
    switch (check_memory_state(p)) {
    case CHECK_MEMORY_ZONE:
        report(a, CHECK_FINDING_OUTSIDE);
        return false;
    case CHECK_MEMORY_RELEASED:
        report(a, CHECK_FINDING_RELEASED);
        return false;
    case CHECK_MEMORY_ABSENT:
        report(a, CHECK_FINDING_OUTSIDE);
        check_finding_abandon();
    default:
        break;
    }
    if (check_shared_is_stray(p)) {
        report(a, CHECK_FINDING_OUTSIDE);
        return false;
    }
    if (check_host_memory_is(p, a->place))
        report(a, CHECK_FINDING_HOST_MEMORY);
    return true;
}

/* The first of these bytes of the word, which were never written, that is no padding. NULL: there is none. */
static __attribute__((noinline)) const char *missed_byte(const access *a, uintptr_t at, unsigned missing)
{
    const uintptr_t begin = (uintptr_t)a->at, end = begin + a->size;
    for (unsigned byte = 0; byte < 4; ++byte)
        if ((missing >> byte & 1) != 0 && !check_is_padding(begin, end, at + byte))
            return (const char *)at + byte;
    return NULL;
}

static __attribute__((noinline)) void look_for_unwritten(const access *a, check_cell *cell, uintptr_t at, unsigned mask)
{
    const char *missed = missed_byte(a, at, mask & ~(unsigned)(cell->write >> CHECK_WRITTEN_SHIFT));
    if (missed == NULL)
        return;
    if (check_memory_is_unwritten(missed))
        check_finding_add(&(check_finding){
            .kind = CHECK_FINDING_UNWRITTEN, .at = missed, .size = a->size, .mine = my_side(a), .access = a->number});
    cell->write |= mask << CHECK_WRITTEN_SHIFT;
}

/* One word, of which the access has the bytes of the mask. */
static void word(const access *a, uintptr_t at, unsigned mask)
{
    check_cell *cell = check_cell_of(at);
    bool among = false, writes = (a->how & ACCEL_CHECK_WRITE) != 0;
    if (cell == NULL)
        return;
    unsigned unknown = mask & ~check_bytes_known(cell);
    while (__builtin_expect(unknown != 0, 0) && check_shared_open((const char *)at + __builtin_ctz(unknown)))
        unknown = mask & ~check_bytes_known(cell);
    if (__builtin_expect(unknown != 0, 0) && !is_elsewhere(a, (const char *)at + __builtin_ctz(unknown)))
        return;
    const uint64_t write = cell->write, read = cell->read;
    if (!writes && __builtin_expect(unknown == 0 && (write >> CHECK_WRITTEN_SHIFT & mask) != mask, 0))
        look_for_unwritten(a, cell, at, mask);
    if (!check_time.sampled) { /* who touched it is not kept */
        if (writes)
            cell->write |= mask << CHECK_WRITTEN_SHIFT;
        return;
    }
    if (!writes) {
        if (__builtin_expect(races(write, mask, a->kind, &among), 0))
            report_race(a, write, among, true);
        if (read >> CHECK_CONTEXT_SHIFT >= check_time.epoch && mask_of(read) == mask && kind_of(read) == a->kind &&
            (read >> CHECK_CONTEXT_SHIFT == check_time.now || ((read & CHECK_MANY) != 0 && !check_time.fenced)))
            return; /* another reader of several adds nothing */
        cell->read = merged(read & ~(uint64_t)CHECK_QUIET, mask, a->kind, check_site_of(a->place));
        return;
    }
    cell->read = read & ~(uint64_t)CHECK_QUIET;
    if (__builtin_expect(check_time.now == check_time.outside, 0))
        report(a, CHECK_FINDING_UNIFORM);
    const bool raced = races(write, mask, a->kind, &among);
    if (__builtin_expect(raced, 0))
        report_race(a, write, among, true);
    /* Of a read of its own only the others behind it race, and those with the write are told. */
    if (__builtin_expect(races(read, mask, a->kind, &among), 0) &&
        !(raced && check_context_is_mine(read >> CHECK_CONTEXT_SHIFT)))
        report_race(a, read, among, false);
    cell->write = merged(write, mask, a->kind, check_site_of(a->place)) | mask << CHECK_WRITTEN_SHIFT;
}

/* A variable of the kernel's own, of which there is nothing to check. */
static inline bool is_unwatched_local(const char *at, uint32_t how)
{
    return check_range_has(check_around.stack, at) && !check_range_has(check_around.privates, at) &&
           ((how & ACCEL_CHECK_WRITE) == 0 || check_around.outer == NULL);
}

/* Of the stack, private values are watched, and in a region what the code around it has declared: a variable of the block
 * there is each thread's own on a GPU. false: there is nothing more to check. */
static __attribute__((noinline)) bool is_watched_local(const access *a)
{
    bool used;
    if (check_range_has(check_around.privates, a->at) && check_privates_have(a->at, &used))
        return true;
    if (check_around.outer == NULL || a->at < check_around.outer || (a->how & ACCEL_CHECK_WRITE) == 0)
        return false;
    check_finding_add(&(check_finding){.kind = CHECK_FINDING_VARIABLE, .size = a->size, .mine = my_side(a)});
    return false;
}

/* Any bytes. CPUs crash only where they load 16 bytes at once. */
static __attribute__((noinline)) void parts(const access *a)
{
    uintptr_t at = (uintptr_t)a->at, end = at + a->size;
    const bool misaligned = (a->how & ACCEL_CHECK_ALIGNED) != 0 && (at & (a->size - 1)) != 0;
    if (misaligned)
        report(a, CHECK_FINDING_MISALIGNED);
    for (uintptr_t next; at < end; at = next) {
        uintptr_t base = at & ~(uintptr_t)3;
        next = base + 4 < end ? base + 4 : end;
        word(a, base, ((1u << (next - at)) - 1) << (at - base));
    }
    if (misaligned && a->size == 16)
        check_finding_abandon();
}

/* Behind check_limit_pass: is the access checked by what is faster? The fast way has tried already what it can, but on values
 * that become pairs now. */
static bool is_usual(uintptr_t at, size_t size, uint32_t how, const void *place)
{
    const uint32_t way = check_around.way;
    const bool writes = (how & ACCEL_CHECK_WRITE) != 0;
    if (way == CHECK_WAY_FULL)
        return false;
    if (way == CHECK_WAY_FAST && is_unwatched_local((const char *)at, how))
        return true;
    if ((how & ACCEL_CHECK_ALIGNED) == 0 || (size != 4 && size != 8))
        return false;
    if (!(size == 8 && becomes_pair(at)) && way == CHECK_WAY_FAST)
        return false;
    if (way == CHECK_WAY_LIGHT)
        return writes ? write_light(at, size) : read_light(at, size);
    if ((how & ACCEL_CHECK_ATOMIC) != 0)
        return writes && update_usual(at, size, size - 1, place);
    return writes ? write_usual(at, size, size - 1, place) : read_usual(at, size, size - 1, place);
}

/* Any access. */
static __attribute__((noinline)) void check_whole(const volatile void *p, size_t size, uint32_t how, const void *place)
{
    static uint64_t count; /* under the lock */
    access a = {(const char *)(uintptr_t)p,
                size,
                how,
                (how & ACCEL_CHECK_ATOMIC) != 0 ? CHECK_ATOMIC : CHECK_PLAIN,
                place,
                ++count};
    if (check_around.light) {
        check_stray_access(p, size, how, place);
        return;
    }
    if (check_around.trusted)
        return;
    if (check_range_has(check_around.fibers, a.at)) {
        if (__builtin_expect(check_stack_guards(a.at), 0)) {
            report(&a, CHECK_FINDING_OUTSIDE);
            check_finding_abandon();
        }
        return;
    }
    if (is_unwatched_local(a.at, how))
        return;
    if (check_range_has(check_around.stack, a.at) && !is_watched_local(&a))
        return;
    if (check_around.block_scope)
        a.kind = CHECK_BLOCK_ATOMIC;
    else if (a.kind == CHECK_PLAIN && check_range_has(check_around.locked, a.at))
        a.kind = CHECK_LOCKED;
    else if (a.kind == CHECK_ATOMIC)
        check_fence_atomic();
    uintptr_t at = (uintptr_t)a.at, end = at + size;
    /* Whole words, of a value that is where it should be, as its size is a power of two. */
    if (__builtin_expect(((at | size) & ((size - 1) | 3)) == 0, 1)) {
        for (; at < end; at += 4)
            word(&a, at, 15);
        return;
    }
    parts(&a);
}

/* A light version goes on until the access crashes. */
static __attribute__((noinline)) void refuse_impossible(const volatile void *p, size_t size, uint32_t how,
                                                        const void *place)
{
    if (check_around.light)
        return;
    const access a = {(const char *)(uintptr_t)p, size, how, CHECK_PLAIN, place, 0};
    check_finding_add(&(check_finding){
        .kind = CHECK_FINDING_OUTSIDE, .at = a.at, .size = size, .mine = my_side(&a), .text = CHECK_IMPOSSIBLE});
    check_finding_abandon();
}

/* No part of those below, which then need no frame. */
__attribute__((noinline)) void check_access(const volatile void *p, size_t size, uint32_t how, const void *place)
{
    check_limit_pass(p, size, how, place);
    if (__builtin_expect(!check_address_is_possible((uintptr_t)p), 0))
        refuse_impossible(p, size, how, place);
    if (__builtin_expect(check_around.views, 0))
        check_view_pass((const char *)(uintptr_t)p, size, how, place);
    if (!is_usual((uintptr_t)p, size, how, place))
        check_whole(p, size, how, place);
}

void check_read4(const volatile void *p, const void *place)
{
    if (read_usual((uintptr_t)p, 4, check_around.unfit4, place))
        return;
    check_access(p, 4, ACCEL_CHECK_ALIGNED, place);
}

void check_read8(const volatile void *p, const void *place)

{
    if (read_usual((uintptr_t)p, 8, check_around.unfit8, place))
        return;
    check_access(p, 8, ACCEL_CHECK_ALIGNED, place);
}

void check_write4(const volatile void *p, const void *place)
{
    if (write_usual((uintptr_t)p, 4, check_around.unfit4, place))
        return;
    check_access(p, 4, ACCEL_CHECK_WRITE | ACCEL_CHECK_ALIGNED, place);
}

void check_write8(const volatile void *p, const void *place)
{
    if (write_usual((uintptr_t)p, 8, check_around.unfit8, place))
        return;
    check_access(p, 8, ACCEL_CHECK_WRITE | ACCEL_CHECK_ALIGNED, place);
}

void check_update4(const volatile void *p, const void *place)
{
    if (update_usual((uintptr_t)p, 4, check_around.unfit4, place))
        return;
    check_access(p, 4, ACCEL_CHECK_WRITE | ACCEL_CHECK_ATOMIC | ACCEL_CHECK_ALIGNED, place);
}

void check_update8(const volatile void *p, const void *place)
{
    if (update_usual((uintptr_t)p, 8, check_around.unfit8, place))
        return;
    check_access(p, 8, ACCEL_CHECK_WRITE | ACCEL_CHECK_ATOMIC | ACCEL_CHECK_ALIGNED, place);
}
