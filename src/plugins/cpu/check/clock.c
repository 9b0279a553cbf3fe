/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/clock.h"

#include <accel/kernel/cpu/check_table.h>

#include <stdlib.h>
#include <string.h>

/* Contexts from `first` on, up to the next entry's. */
typedef struct entry {
    uint64_t first;
    size_t block;
    uint32_t what; /* CHECK_ACTOR_*: UNIFORM of the code outside regions and the threads behind it */
} entry;

/* A loop of this epoch: loops of equal bounds have the same numbers (semantics B5). */
typedef struct loop {
    uint32_t kind;
    size_t n[3];
    uint64_t base, limit; /* numbers from base on; limit: how many */
} loop;

typedef struct release {
    uint64_t epoch, now; /* when the block fenced */
} release;

enum { LOOPS = 16, KEPT = 1 << 17 /* entries, of earlier launches, too */ };

check_clock check_time = {.next = 1};
static struct {
    entry *entries;
    size_t count, capacity;
} contexts;
static struct {
    loop items[LOOPS];
    size_t count;
    loop *current;
    uint64_t done; /* iterations of the current one */
    bool fresh;    /* in a loop that is not in the table */
} loops;
static struct {
    release *items; /* NULL: nothing has fenced in this launch */
    size_t blocks;
} releases;
static struct {
    uint32_t passed[ACCEL_MAX_BLOCK_THREADS], opened;
} barriers;

static void note(uint32_t what)
{
    if (contexts.count == contexts.capacity) {
        size_t capacity = contexts.capacity != 0 ? 2 * contexts.capacity : 1024;
        entry *grown = realloc(contexts.entries, capacity * sizeof(*grown));
        if (grown == NULL)
            return; /* reports will name fewer threads */
        contexts.entries = grown;
        contexts.capacity = capacity;
    }
    contexts.entries[contexts.count++] = (entry){check_time.next, check_time.block_number, what};
}

static const entry *find(uint64_t context)
{
    size_t low = 0, high = contexts.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (contexts.entries[middle].first <= context)
            low = middle;
        else
            high = middle;
    }
    return contexts.count != 0 && contexts.entries[low].first <= context ? &contexts.entries[low] : NULL;
}

check_actor check_actor_of(uint64_t context)
{
    const entry *found = find(context);
    check_actor actor = {CHECK_ACTOR_UNKNOWN, 0, 0};
    if (found == NULL || found->what == CHECK_ACTOR_UNKNOWN)
        return actor;
    actor.block = found->block;
    actor.number = (size_t)(context - found->first);
    actor.what = found->what;
    if (found->what == CHECK_ACTOR_ITERATION)
        return actor;
    actor.what = actor.number == 0 ? CHECK_ACTOR_UNIFORM : CHECK_ACTOR_THREAD;
    actor.number -= actor.number != 0;
    return actor;
}

static size_t share = 1;

void check_clock_sample(size_t one_of)
{
    share = one_of;
}

void check_clock_launch(size_t blocks)
{
    if (contexts.count > KEPT)
        contexts.count = 0;
    note(CHECK_ACTOR_UNKNOWN);
    free(releases.items);
    releases.items = NULL;
    releases.blocks = blocks;
    check_time.form = 0;
    check_time.sampled = true;
    check_time.block_number = check_time.thread_count = 0;
    check_time.launch = check_time.ordered = check_time.block = check_time.epoch = check_time.uniform =
        check_time.first = check_time.now = check_time.next++;
}

void check_clock_epoch(void)
{
    note(CHECK_ACTOR_UNIFORM);
    check_time.epoch = check_time.uniform = check_time.next;
    check_time.first = check_time.next + 1;
    check_time.next += 1 + check_time.thread_count;
    loops.count = 0;
    loops.current = NULL;
    loops.fresh = false;
}

void check_clock_block(size_t block, size_t threads, uint32_t form)
{
    check_time.block_number = block;
    check_time.thread_count = threads;
    check_time.sampled = block / 2 % share == 0;
    check_time.form = form;
    check_time.block = check_time.next;
    check_time.acquired = false;
    check_clock_epoch();
    check_time.now = check_time.uniform;
    memset(&barriers, 0, sizeof(barriers));
}

/* Iterations that a block's share cannot exceed. */
static double most(const size_t *grid, const size_t n[3], uint32_t kind)
{
    enum { ROUNDING = 32 };
    const double x = (double)grid[0], y = (double)grid[1], z = (double)grid[2];
    if (kind == ACCEL_CHECK_TILES)
        return ((double)n[0] / (x * y * z) + 1) * (double)n[2];
    if (n[1] == 1 && n[2] == 1)
        return (double)n[0] / (x * y * z) + ROUNDING;
    if (n[2] == 1)
        return ((double)n[0] / (y * z) + ROUNDING) * ((double)n[1] / x + ROUNDING);
    return ((double)n[0] / z + ROUNDING) * ((double)n[1] / y + ROUNDING) * ((double)n[2] / x + ROUNDING);
}

void check_clock_loop(const accel_launch_context *launch, const size_t n[3], uint32_t kind)
{
    if (check_time.form != ACCEL_FORM_BLOCK)
        return;
    loops.done = 0;
    loops.fresh = false;
    for (size_t i = 0; i < loops.count; ++i) {
        loops.current = &loops.items[i];
        if (loops.current->kind == kind && memcmp(loops.current->n, n, sizeof(loops.current->n)) == 0)
            return;
    }
    loops.current = NULL;
    const double limit = most(launch->grid_extent, n, kind);
    if (loops.count == LOOPS || limit > 1e9)
        return;
    loops.current = &loops.items[loops.count++];
    *loops.current = (loop){kind, {n[0], n[1], n[2]}, check_time.next, (uint64_t)limit};
    note(CHECK_ACTOR_ITERATION);
    check_time.next += (uint64_t)limit;
}

void check_clock_each(int more)
{
    if (check_time.form != ACCEL_FORM_BLOCK)
        return;
    if (more == 0) {
        loops.fresh = false;
        check_time.now = check_time.uniform;
    } else if (loops.current != NULL && loops.done < loops.current->limit) {
        check_time.now = loops.current->base + loops.done++;
    } else {
        if (!loops.fresh)
            note(CHECK_ACTOR_ITERATION);
        loops.fresh = true;
        check_time.now = check_time.next++;
    }
}

void check_clock_pass(size_t thread)
{
    if (++barriers.passed[thread] > barriers.opened) {
        barriers.opened++;
        check_clock_epoch();
    }
    check_time.now = check_time.first + thread;
}

void check_clock_fence(void)
{
    if (check_time.form == 0)
        return;
    if (releases.items == NULL)
        releases.items = calloc(releases.blocks, sizeof(*releases.items));
    if (releases.items != NULL && check_time.block_number < releases.blocks)
        releases.items[check_time.block_number] = (release){check_time.epoch, check_time.now};
    if (check_time.atomic == check_time.now)
        check_time.acquired = true;
}

bool check_clock_is_fenced(uint64_t context)
{
    const entry *found = check_time.acquired && context < check_time.block ? find(context) : NULL;
    if (found == NULL || releases.items == NULL || found->block >= releases.blocks)
        return false;
    const release *at = &releases.items[found->block];
    return context < at->epoch || context == at->now;
}

bool check_clock_is_full(void)
{
    return check_time.next >> (CHECK_CONTEXT_BITS - 1) != 0;
}

void check_clock_restart(void)
{
    check_time.next = 1;
    contexts.count = 0;
}
