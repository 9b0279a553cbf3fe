/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu-check finds the usual accesses harmless by fewer comparisons than the others. Whatever a kernel does, what is found and
 * what is remembered must be the same as if each access took the long way.
 */
#include "plugins/cpu/check/access.h"
#include "plugins/cpu/check/hooks.h"
#include "plugins/cpu/check/limit.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/shadow.h"
#include "plugins/cpu/check/share.h"
#include "plugins/cpu/check/surroundings.h"
#include "run.h"

#include <accel/kernel/cpu/check_table.h>
#include <inttypes.h>
#include <string.h>

enum { WORDS = 24, KNOWN = 20, LAUNCHES = 4, BLOCKS = 5, THREADS = 4, STEPS = 12, PLACES = 6, SEEDS = 800 };

static uint32_t *memory; /* a buffer of KNOWN words; what is behind belongs to nobody */
static const char places[PLACES];
static uint64_t state;

static unsigned pick(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

/* Of an object that was compiled for target check. */
static void access_value(bool is_short, unsigned word, size_t size, bool writes, const void *place)
{
    const uint32_t how = ACCEL_CHECK_ALIGNED | (writes ? ACCEL_CHECK_WRITE : 0);
    const char *p = (const char *)memory + word * 4;
    if (!is_short)
        check_access(p, size, how, place);
    else if (size == 4)
        (writes ? check_hooks.write4 : check_hooks.read4)(p, place);
    else
        (writes ? check_hooks.write8 : check_hooks.read8)(p, place);
}

static void access_atomic(bool is_short, unsigned word, size_t size, bool writes, const void *place)
{
    if (is_short && writes)
        (size == 4 ? check_hooks.update4 : check_hooks.update8)(&memory[word], place);
    else
        check_access(&memory[word], size, ACCEL_CHECK_ATOMIC | ACCEL_CHECK_ALIGNED | (writes ? ACCEL_CHECK_WRITE : 0),
                     place);
}

/* Few words and places, so that accesses meet. Most threads keep to their own words, as else everything would race. The last
 * words, which atomics use, belong to all threads. */
static void access_any(bool is_short, unsigned thread, bool tidy)
{
    const unsigned what = pick(32), own = thread % 4 * 4 + pick(4), any = pick(WORDS - 1), place = pick(PLACES);
    const size_t size = pick(3) == 0 ? 4 : 8;
    const bool writes = pick(2) != 0;
    unsigned word = tidy && writes ? own : any;
    if (!is_short)
        check_around.way = CHECK_WAY_FULL;
    if (what > 3)
        word &= size == 8 ? ~1u : ~0u;
    if (what == 0)
        access_atomic(is_short, word, 4, writes, &places[place]);
    else if (what > 20)
        access_atomic(is_short, KNOWN - 4 + pick(2) * 2, size, writes || tidy, &places[place]);
    else if (what == 1)
        check_access((const char *)&memory[word] + 1, 2, writes ? ACCEL_CHECK_WRITE : 0, &places[place]);
    else if (what == 2)
        check_hooks.fence(place % 2 == 0);
    else
        access_value(is_short, word, size, writes, &places[place]);
}

static void run_thread(bool is_short, unsigned thread, bool tidy)
{
    const unsigned special = pick(20);
    if (special == 0)
        check_hooks.lock(&memory[pick(KNOWN)], 8);
    else if (special == 1)
        check_hooks.scope(1);
    else if (special == 2)
        check_hooks.trust(1);
    for (unsigned i = pick(STEPS); i != 0; --i)
        access_any(is_short, thread, tidy);
    check_hooks.lock(NULL, 0);
    check_hooks.scope(0);
    check_hooks.trust(0);
}

static void run_block(bool is_short, const accel_launch_context *launch, unsigned number, bool tidy)
{
    const bool loops = pick(2) != 0;
    for (unsigned i = pick(3); i != 0; --i) /* as shared memory, it becomes unwritten */
        check_shadow_add(&memory[pick(KNOWN)], 4, false);
    check_hooks.block(launch, number, THREADS, pick(4) == 0 ? ACCEL_FORM_THREAD_NOSYNC : ACCEL_FORM_BLOCK, places);
    for (unsigned r = 0; r < 3; ++r) {
        if (loops)
            check_hooks.loop(launch, 64, 1, 1, ACCEL_CHECK_EACH, places);
        for (unsigned t = 0; t < THREADS; ++t) {
            if (loops)
                check_hooks.each(1);
            else
                check_hooks.region(1, t, 1);
            run_thread(is_short, t, tidy);
        }
        if (loops)
            check_hooks.each(0);
        else
            check_hooks.region(0, 0, pick(4) != 0);
        if (pick(8) == 0)
            access_any(is_short, 0, tidy);
    }
}

typedef struct outcome {
    check_findings found[LAUNCHES];
    check_cell cells[WORDS];
} outcome;

static void run_launches(bool is_short, uint64_t seed, size_t share, outcome *result)
{
    const accel_launch_context launch = {.grid_extent = {BLOCKS, 1, 1}, .block_extent = {THREADS, 1, 1}};
    state = seed;
    memset(result, 0, sizeof(*result));
    check_clock_restart();
    check_share_choose(share);
    check_shadow_remove(memory, WORDS * 4);
    check_shadow_add(memory, KNOWN * 4 / 2, true);
    check_shadow_add(memory + KNOWN / 2, KNOWN * 4 / 2, false);
    for (unsigned l = 0; l < LAUNCHES; ++l) {
        const bool tidy = pick(3) != 0;
        check_findings_begin();
        check_clock_launch(BLOCKS);
        check_time.ordered -= check_time.ordered > 1 ? pick(2) : 0;
        check_surroundings_begin(__builtin_frame_address(0));
        for (unsigned b = 0; b < BLOCKS; ++b)
            run_block(is_short, &launch, b, tidy);
        memcpy(&result->found[l], &check_found, sizeof(check_found));
    }
    for (unsigned i = 0; i < WORDS; ++i)
        result->cells[i] = *check_cell_of((uintptr_t)&memory[i]);
    for (unsigned i = 0; i < KNOWN; ++i) /* a note of the short way to itself */
        result->cells[i].read &= ~(uint64_t)CHECK_QUIET;
}

static void expect_same_findings(const outcome *one, const outcome *two, unsigned seed)
{
    for (unsigned l = 0; l < LAUNCHES; ++l) {
        const check_findings *a = &one->found[l], *b = &two->found[l];
        ck_assert_msg(a->count == b->count, "seed %u, launch %u: %zu errors, and %zu", seed, l, a->count, b->count);
        for (size_t i = 0; i < a->count; ++i) {
            const check_finding *x = &a->items[i], *y = &b->items[i];
            ck_assert_msg(x->kind == y->kind && x->count == y->count && x->at == y->at && x->size == y->size &&
                              x->mine.place == y->mine.place && x->other.place == y->other.place &&
                              x->mine.actor.number == y->mine.actor.number &&
                              x->other.actor.number == y->other.actor.number &&
                              x->other.actor.block == y->other.actor.block,
                          "seed %u, launch %u: error %zu is another", seed, l, i);
        }
    }
}

static void compare_ways(size_t share)
{
    static outcome whole, quick;
    size_t errors = 0, kinds[CHECK_FINDING_KINDS] = {0};
    ck_assert(check_shadow_open());
    memory = check_memory_allocate(KNOWN * sizeof(*memory), 64);
    ck_assert_ptr_nonnull(memory);
    for (unsigned seed = 1; seed <= SEEDS; ++seed) {
        run_launches(false, seed, share, &whole);
        run_launches(true, seed, share, &quick);
        expect_same_findings(&whole, &quick, seed);
        for (unsigned i = 0; i < WORDS; ++i)
            ck_assert_msg(whole.cells[i].write == quick.cells[i].write && whole.cells[i].read == quick.cells[i].read,
                          "seed %u, word %u: %" PRIx64 " %" PRIx64 ", and %" PRIx64 " %" PRIx64, seed, i,
                          whole.cells[i].write, whole.cells[i].read, quick.cells[i].write, quick.cells[i].read);
        for (unsigned l = 0; l < LAUNCHES; ++l) {
            errors += whole.found[l].count;
            for (size_t i = 0; i < whole.found[l].count; ++i)
                kinds[whole.found[l].items[i].kind]++;
        }
    }
    check_memory_release(memory);
    ck_assert_uint_gt(errors, SEEDS);
    ck_assert_uint_gt(kinds[CHECK_FINDING_OUTSIDE], 0);
    ck_assert_uint_gt(kinds[CHECK_FINDING_UNWRITTEN], 0);
    ck_assert_uint_gt(kinds[CHECK_FINDING_MIXED], 0);
    ck_assert_uint_gt(kinds[CHECK_FINDING_BLOCKS], 0);
    ck_assert_uint_gt(kinds[CHECK_FINDING_THREADS], 0);
    ck_assert_uint_gt(kinds[CHECK_FINDING_UNIFORM], 0);
}

START_TEST(the_short_way_finds_and_remembers_what_the_long_one_does)
{
    compare_ways(1);
}
END_TEST

START_TEST(it_does_so_where_the_time_of_blocks_is_limited)
{
    check_limit_set(1000000);
    compare_ways(1);
    check_limit_set(0);
}
END_TEST

START_TEST(it_does_so_where_some_blocks_are_not_looked_at_for_races)
{
    compare_ways(2);
}
END_TEST

/* The kernel is left before it does harm. */
static void expect_end(const void *p)
{
    check_findings_begin();
    if (__builtin_setjmp(check_exit) == 0) {
        check_access(p, 4, ACCEL_CHECK_WRITE | ACCEL_CHECK_ALIGNED, places);
        ck_abort_msg("a kernel writes at %p", p);
    }
    ck_assert_uint_eq(check_found.count, 1);
    ck_assert_uint_eq(check_found.items[0].kind, CHECK_FINDING_OUTSIDE);
    ck_assert_ptr_eq(check_found.items[0].at, p);
}

START_TEST(no_access_reaches_what_is_remembered_of_memory)
{
    static outcome any;
    ck_assert(check_shadow_open());
    memory = check_memory_allocate(KNOWN * sizeof(*memory), 64);
    ck_assert_ptr_nonnull(memory);
    run_launches(true, 1, 1, &any);
    expect_end(check_cell_of((uintptr_t)memory));
    expect_end(check_cell_of((uintptr_t)memory) + (1 << 10));
    expect_end(check_leaves + 1);
    expect_end((const void *)((uintptr_t)memory ^ (uintptr_t)1 << 63));
    expect_end((const void *)((uintptr_t)memory ^ (uintptr_t)1 << CHECK_ADDRESS_BITS));
    check_memory_release(memory);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_access");

    add(suite, the_short_way_finds_and_remembers_what_the_long_one_does);
    add(suite, it_does_so_where_the_time_of_blocks_is_limited);
    add(suite, it_does_so_where_some_blocks_are_not_looked_at_for_races);
    add(suite, no_access_reaches_what_is_remembered_of_memory);
    return suite;
}
