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

typedef struct fence {
    uint64_t context, epoch;
} fence;

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
/* What other blocks may see of this launch behind a fence. */
static struct {
    uint64_t *epochs; /* of each block: all before it; 0: nothing. NULL: no fence yet */
    size_t blocks;
    uint64_t *contexts; /* and these, in order */
    size_t count, capacity;
} releases;
static struct {
    fence pending[ACCEL_MAX_BLOCK_THREADS]; /* check_time.pending of them */
    uint64_t released[ACCEL_MAX_BLOCK_THREADS],
        acquired[ACCEL_MAX_BLOCK_THREADS]; /* by thread: the last epoch in which */
} fences;
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

bool check_clock_samples(size_t block)
{
    return block / 2 % share == 0;
}

void check_clock_launch(size_t blocks)
{
    if (contexts.count > KEPT)
        contexts.count = 0;
    note(CHECK_ACTOR_UNKNOWN);
    free(releases.epochs);
    releases.epochs = NULL;
    releases.blocks = blocks;
    releases.count = 0;
    check_time.atomic = 0;
    check_time.pending = 0;
    check_time.has_atomics = check_time.acquired = check_time.meets = false;
    check_time.form = 0;
    check_time.outside = 0;
    check_time.sampled = true;
    check_time.block_number = check_time.thread_count = 0;
    check_time.launch = check_time.ordered = check_time.block = check_time.epoch = check_time.uniform =
        check_time.first = check_time.now = check_time.next++;
}

void check_clock_epoch(void)
{
    note(CHECK_ACTOR_UNIFORM);
    check_time.has_atomics |= check_time.atomic >= check_time.block;
    check_time.meets = false;
    check_time.epoch = check_time.uniform = check_time.next;
    check_time.outside = check_time.form == ACCEL_FORM_BLOCK ? check_time.uniform : 0;
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
    check_time.sampled = check_clock_samples(block);
    check_time.form = form;
    check_time.block = check_time.next;
    check_time.atomic = 0;
    check_time.pending = 0;
    check_time.has_atomics = check_time.acquired = false;
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

/* Without memory nothing is released, and a race that is none may be told. */
static bool make_room(void)
{
    if (releases.epochs == NULL)
        releases.epochs = calloc(releases.blocks, sizeof(*releases.epochs));
    if (releases.epochs == NULL || releases.count < releases.capacity)
        return releases.epochs != NULL;
    const size_t capacity = releases.capacity != 0 ? 2 * releases.capacity : 256;
    uint64_t *grown = realloc(releases.contexts, capacity * sizeof(*grown));
    if (grown == NULL)
        return false;
    releases.contexts = grown;
    releases.capacity = capacity;
    return true;
}

/* The place of the first released context that is not less. */
static size_t release_at(uint64_t context)
{
    size_t low = 0, high = releases.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (releases.contexts[middle] < context)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_released(uint64_t context)
{
    const size_t at = release_at(context);
    return at < releases.count && releases.contexts[at] == context;
}

static void release(const fence *passed)
{
    if (check_time.block_number >= releases.blocks || !make_room() || is_released(passed->context))
        return;
    uint64_t *epoch = &releases.epochs[check_time.block_number];
    *epoch = *epoch < passed->epoch ? passed->epoch : *epoch;
    const size_t at = release_at(passed->context);
    memmove(&releases.contexts[at + 1], &releases.contexts[at], (releases.count++ - at) * sizeof(*releases.contexts));
    releases.contexts[at] = passed->context;
}

/* An atomic releases what the same thread has fenced before it, or another one before a barrier. */
void check_clock_publish(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < check_time.pending; ++i) {
        const fence *passed = &fences.pending[i];
        if (passed->context == check_time.now || passed->epoch < check_time.epoch)
            release(passed);
        else
            fences.pending[kept++] = *passed;
    }
    check_time.pending = kept;
}

/* In its block, for code of threads; else thread_count or more. */
static size_t thread_of(uint64_t context)
{
    return context >= check_time.first ? (size_t)(context - check_time.first) : check_time.thread_count;
}

void check_clock_fence(int device)
{
    if (check_time.form == 0)
        return;
    const size_t thread = thread_of(check_time.now);
    const bool behind = check_time.atomic == check_time.now;
    if (thread < check_time.thread_count) {
        fences.released[thread] = check_time.epoch;
        fences.acquired[thread] = behind ? check_time.epoch : fences.acquired[thread];
        check_time.meets |= behind;
    }
    if (!device)
        return;
    check_time.acquired |= behind || check_time.has_atomics;
    for (size_t i = check_time.pending; i > 0; --i)
        if (fences.pending[i - 1].context == check_time.now)
            return;
    if (check_time.pending < sizeof(fences.pending) / sizeof(fences.pending[0]))
        fences.pending[check_time.pending++] = (fence){check_time.now, check_time.epoch};
}

/* Of this epoch: has that thread fenced, and this one behind an atomic? */
static bool is_fenced_inside(uint64_t context)
{
    const size_t other = thread_of(context), me = thread_of(check_time.now);
    return other != me && other < check_time.thread_count && me < check_time.thread_count &&
           fences.released[other] == check_time.epoch && fences.acquired[me] == check_time.epoch;
}

bool check_clock_is_fenced(uint64_t context)
{
    if (context >= check_time.epoch)
        return check_time.meets && is_fenced_inside(context);
    const entry *found = check_time.acquired && context < check_time.block ? find(context) : NULL;
    if (found == NULL || releases.epochs == NULL || found->block >= releases.blocks)
        return false;
    return context < releases.epochs[found->block] || is_released(context);
}

bool check_clock_is_full(void)
{
    return check_time.next >> (CHECK_CONTEXT_BITS - 1) != 0;
}

void check_clock_restart(void)
{
    check_time.next = 1;
    check_time.atomic = 0;
    contexts.count = 0;
    memset(&fences, 0, sizeof(fences));
}
