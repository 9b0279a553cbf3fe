/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/clock/context.h"
#include "plugins/cpu/check/common/room.h"

#include <stdlib.h>
#include <string.h>

/* Contexts from `first` on, up to the next entry's. */
typedef struct entry {
    uint64_t first;
    size_t block;
    uint32_t what;  /* CHECK_ACTOR_*: UNIFORM of the code outside regions and the threads behind it; or DIVIDED */
    uint64_t other; /* ITERATION: the first one's number. DIVIDED: the thread's first context */
} entry;
enum { DIVIDED = CHECK_ACTOR_BLOCK + 1 };

enum {
    KEPT = 1 << 17,     /* entries, of earlier launches, too */
    DIVISIBLE = 1 << 22 /* entries up to which threads get more contexts */
};

check_clock check_time = {.next = 1};
static struct {
    entry *entries;
    size_t count, capacity;
} contexts;
uint64_t check_context_divided[ACCEL_MAX_BLOCK_THREADS];

bool check_context_note(uint32_t what, uint64_t other)
{
    entry *grown = check_room_for_one(contexts.entries, contexts.count, &contexts.capacity, sizeof(*grown));
    if (grown == NULL)
        return false;
    contexts.entries = grown;
    contexts.entries[contexts.count++] = (entry){check_time.next, check_time.block_number, what, other};
    return true;
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
    if (found->what == DIVIDED)
        return check_actor_of(found->other);
    actor.block = found->block;
    actor.number = (size_t)(context - found->first);
    actor.what = found->what;
    if (found->what == CHECK_ACTOR_ITERATION) {
        actor.number += (size_t)found->other;
        return actor;
    }
    actor.what = actor.number == 0 ? CHECK_ACTOR_UNIFORM : CHECK_ACTOR_THREAD;
    actor.number -= actor.number != 0;
    return actor;
}

size_t check_context_count(void)
{
    return contexts.count;
}

void check_context_set_words(void)
{
    enum { SHIFT = 64 - CHECK_CONTEXT_BITS };
    const uint64_t epoch = check_time.epoch << SHIFT;
    check_time.words = (check_words){.ordered = check_time.ordered << SHIFT,
                                     .launch = check_time.launch << SHIFT,
                                     .block = check_time.block << SHIFT,
                                     .epoch = epoch,
                                     .alone = check_time.fenced ? UINT64_MAX : epoch};
}

void check_context_launch(void)
{
    if (contexts.count > KEPT)
        contexts.count = 0;
}

void check_context_restart(void)
{
    check_time.next = 1;
    contexts.count = 0;
    memset(check_context_divided, 0, sizeof(check_context_divided));
}

void check_context_divide(void)
{
    const uint64_t root = check_context_root(check_time.now), thread = root - check_time.first;
    if (check_time.now == check_time.outside || contexts.count >= DIVISIBLE || !check_context_note(DIVIDED, root))
        return;
    check_time.now = check_time.next++;
    check_time.fenced = true;
    check_context_set_words();
    if (thread < check_time.thread_count)
        check_context_divided[thread] = check_time.now;
}

uint64_t check_context_root_of(uint64_t context)
{
    const entry *found = find(context);
    return found != NULL && found->what == DIVIDED ? found->other : context;
}

bool check_context_block_of(uint64_t context, size_t *block)
{
    const entry *found = find(context);
    if (found != NULL)
        *block = found->block;
    return found != NULL;
}
