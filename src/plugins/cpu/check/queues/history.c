/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/queues/history.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/queues/track.h"

enum { KEPT = 1024 };

typedef struct entry {
    uint64_t context, end; /* of its threads, from the first up to the next operation's; end 0: it is the present one */
    uint64_t number;       /* of the track */
    uint32_t track;
} entry;

/* A ring, by context. */
static struct {
    entry entries[KEPT];
    check_operation operations[KEPT];
    uint64_t first, count; /* counted from the begin */
} past;
static check_stamp now;

static bool is_ordered(const entry *other)
{
    return now.reached[other->track] >= other->number;
}

const check_operation *check_history_add(const accel_impl_queue *queue, const check_operation *operation)
{
    static check_operation kept;
    entry made = {.context = check_time.launch};
    kept = *operation;
    if (past.count != past.first && past.entries[(past.count - 1) % KEPT].end == 0)
        past.entries[(past.count - 1) % KEPT].end = check_time.launch;
    if (!check_track_now(queue, &now, &made.track, &made.number, &kept.place, &kept.moment))
        return &kept;
    for (uint64_t i = past.first; i < past.count; ++i) {
        if (!is_ordered(&past.entries[i % KEPT])) {
            check_time.ordered = past.entries[i % KEPT].context;
            check_context_set_words();
            break;
        }
    }
    past.entries[past.count % KEPT] = made;
    past.operations[past.count % KEPT] = kept;
    past.first += ++past.count - past.first > KEPT;
    return &kept;
}

static const entry *find(uint64_t context)
{
    uint64_t low = past.first, high = past.count;
    while (low < high) { /* the first that begins behind it */
        const uint64_t middle = low + (high - low) / 2;
        if (past.entries[middle % KEPT].context <= context)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == past.first)
        return NULL;
    const entry *found = &past.entries[(low - 1) % KEPT];
    return found->end == 0 || context < found->end ? found : NULL;
}

static const check_operation *operation_of(const entry *found)
{
    return &past.operations[found - past.entries];
}

const check_operation *check_history_unordered(uint64_t context)
{
    const entry *found = find(context);
    return found != NULL && found->end != 0 && !is_ordered(found) ? operation_of(found) : NULL;
}

const check_operation *check_history_find(uint64_t context, uint32_t *track, uint64_t *number)
{
    const entry *found = find(context);
    if (found == NULL)
        return NULL;
    *track = found->track;
    *number = found->number;
    return operation_of(found);
}

void check_history_forget(void)
{
    past.first = past.count = 0;
}
