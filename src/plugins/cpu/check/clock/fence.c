/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/clock/fence.h"
#include "plugins/cpu/check/clock/context.h"
#include "plugins/cpu/check/common/room.h"

#include <stdlib.h>
#include <string.h>

/* A thread or iteration of this epoch, by its first context: other epochs' are no one's. Times; 0: never. */
typedef struct participant {
    uint64_t root;
    uint64_t atomic; /* its last one */
    uint64_t inside,
        device; /* what it has acquired: all that was released to its block, or to the device, until then */
} participant;

/* A fence that no atomic has followed yet. */
typedef struct fence {
    uint64_t context, root, epoch; /* what lies before it */
    bool device;
} fence;

/* Times at which a context was released; 0: it was not. */
typedef struct release {
    uint64_t context, inside, device;
} release;

static uint64_t now = 1; /* grows with each release */
static participant threads[ACCEL_MAX_BLOCK_THREADS], iteration;
static struct {
    uint64_t atomic, device; /* as a participant's: of all threads together, in earlier epochs and in this one, too */
} before, running;
static struct {
    fence *items;
    size_t count, capacity;
} pending;
static struct {
    release *items; /* by context */
    size_t count, capacity;
    uint64_t *epochs; /* by block: all of it before that is released to the device. NULL: nothing */
    size_t blocks;
    bool lost; /* memory was short: anything may have been released */
} releases;

void check_fence_launch(size_t blocks)
{
    free(releases.epochs);
    releases.epochs = NULL;
    releases.blocks = blocks;
    releases.count = 0;
    releases.lost = false;
    now = 1;
    memset(threads, 0, sizeof(threads));
    memset(&iteration, 0, sizeof(iteration));
    check_fence_block();
}

void check_fence_block(void)
{
    pending.count = 0;
    memset(&before, 0, sizeof(before));
    memset(&running, 0, sizeof(running));
}

void check_fence_epoch(void)
{
    before.atomic = running.atomic;
    before.device = running.device;
}

/* --------------------------------------------------------------------------------------- participants -- */

static participant *place_of(uint64_t root)
{
    const uint64_t thread = root - check_time.first;
    return thread < check_time.thread_count ? &threads[thread] : &iteration;
}

/* NULL: it has neither done an atomic nor fenced. */
static const participant *find_participant(uint64_t root)
{
    const participant *found = place_of(root);
    return found->root == root ? found : NULL;
}

static participant *get_participant(uint64_t root)
{
    participant *found = place_of(root);
    if (found->root != root)
        *found = (participant){.root = root};
    return found;
}

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ------------------------------------------------------------------------------------------- releases -- */

/* The place of the first that is not less. */
static size_t release_at(uint64_t context)
{
    size_t low = 0, high = releases.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (releases.items[middle].context < context)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const release *find_release(uint64_t context)
{
    const size_t at = release_at(context);
    return at < releases.count && releases.items[at].context == context ? &releases.items[at] : NULL;
}

static bool make_room(void)
{
    if (releases.epochs == NULL)
        releases.epochs = calloc(releases.blocks, sizeof(*releases.epochs));
    if (releases.epochs == NULL)
        return false;
    release *grown = check_room_for_one(releases.items, releases.count, &releases.capacity, sizeof(*grown));
    if (grown == NULL)
        return false;
    releases.items = grown;
    return true;
}

/* Of one context the first time counts. */
static void add_release(const fence *passed)
{
    if (check_time.block_number >= releases.blocks || !make_room()) {
        releases.lost = true;
        return;
    }
    const size_t at = release_at(passed->context);
    release *found = &releases.items[at];
    if (at == releases.count || found->context != passed->context) {
        memmove(found + 1, found, (releases.count++ - at) * sizeof(*found));
        *found = (release){.context = passed->context};
    }
    ++now;
    found->inside = found->inside != 0 ? found->inside : now;
    if (!passed->device)
        return;
    found->device = found->device != 0 ? found->device : now;
    uint64_t *epoch = &releases.epochs[check_time.block_number];
    *epoch = latest(*epoch, passed->epoch);
}

static void release_pending(uint64_t root)
{
    size_t kept = 0;
    for (size_t i = 0; i < pending.count; ++i) {
        const fence *passed = &pending.items[i];
        if (passed->root == root || passed->epoch < check_time.epoch)
            add_release(passed);
        else
            pending.items[kept++] = *passed;
    }
    pending.count = kept;
}

static __attribute__((noinline)) void atomic_among_fences(void)
{
    const uint64_t root = check_context_root(check_time.now);
    get_participant(root)->atomic = now;
    running.atomic = now;
    release_pending(root);
}

/* Most kernels with atomics have no fences. */
void check_fence_atomic(void)
{
    if (check_time.form == 0)
        return;
    if (__builtin_expect(check_time.fenced || pending.count != 0, 0)) {
        atomic_among_fences();
        return;
    }
    get_participant(check_time.now)->atomic = now;
    running.atomic = now;
}

/* --------------------------------------------------------------------------------------------- fences -- */

static void acquire(uint64_t root, int device)
{
    participant *self = get_participant(root);
    const uint64_t seen = latest(self->atomic, before.atomic);
    self->inside = self->atomic;
    check_time.meets |= self->atomic != 0;
    if (!device || seen == 0)
        return;
    self->device = seen;
    running.device = latest(running.device, seen);
    check_time.acquired = true;
    if (root == check_time.uniform && check_time.form == ACCEL_FORM_BLOCK) /* all threads do */
        before.device = running.device;
}

static void add_pending(uint64_t root, int device)
{
    if (pending.count != 0 && pending.items[pending.count - 1].context == check_time.now) {
        pending.items[pending.count - 1].device |= device != 0;
        return;
    }
    fence *grown = check_room_for_one(pending.items, pending.count, &pending.capacity, sizeof(*grown));
    if (grown == NULL) {
        releases.lost = true;
        return;
    }
    pending.items = grown;
    pending.items[pending.count++] = (fence){check_time.now, root, check_time.epoch, device != 0};
}

void check_fence_pass(int device)
{
    if (check_time.form == 0)
        return;
    const uint64_t root = check_context_root(check_time.now);
    acquire(root, device);
    add_pending(root, device);
    check_context_divide();
}

static bool is_released_to_device(uint64_t context, uint64_t acquired)
{
    size_t block;
    const release *found = find_release(context);
    if (found != NULL && found->device != 0 && found->device <= acquired)
        return true;
    return releases.epochs != NULL && check_context_block_of(context, &block) && block < releases.blocks &&
           context < releases.epochs[block];
}

bool check_fence_orders(uint64_t context)
{
    if (context >= check_time.block && (context < check_time.epoch || !check_time.meets))
        return false;
    if (context < check_time.block && !check_time.acquired)
        return false;
    if (releases.lost)
        return true;
    const participant *self = find_participant(check_context_root(check_time.now));
    if (context >= check_time.epoch) {
        const release *found = self != NULL ? find_release(context) : NULL;
        return found != NULL && found->inside <= self->inside;
    }
    const uint64_t acquired = latest(before.device, self != NULL ? self->device : 0);
    return acquired != 0 && is_released_to_device(context, acquired);
}
