/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/clock/fence.h"
#include "plugins/cpu/check/share.h"

#include <accel/kernel/cpu/check_table.h>

#include <string.h>

/* A loop of this epoch: loops of equal bounds have the same numbers (semantics B5). */
typedef struct loop {
    uint32_t kind;
    size_t n[3];
    uint64_t base, limit; /* numbers from base on; limit: how many */
} loop;

enum { LOOPS = 16 };

static struct {
    loop items[LOOPS];
    size_t count;
    loop *current;
    uint64_t done; /* iterations of the last loop that had no number of it */
    size_t noted;  /* check_context_count() in a loop that is not in the table; 0: its iterations are not noted yet */
} loops;
static struct {
    uint32_t passed[ACCEL_MAX_BLOCK_THREADS], opened;
} barriers;

/* The loop that has numbers, or none. */
static void enter(loop *self)
{
    loops.current = self;
    check_time.coming = self != NULL ? self->base : 0;
    check_time.end = self != NULL ? self->base + self->limit : 0;
}

/* Iterations of the last loop. */
static uint64_t done(void)
{
    return loops.done + (loops.current != NULL ? check_time.coming - loops.current->base : 0);
}

void check_clock_launch(size_t blocks)
{
    check_context_launch();
    (void)check_context_note(CHECK_ACTOR_UNKNOWN, 0);
    check_fence_launch(blocks);
    check_time.acquired = check_time.meets = check_time.fenced = false;
    check_time.form = 0;
    check_time.outside = 0;
    check_time.sampled = true;
    check_time.block_number = check_time.thread_count = 0;
    check_time.launch = check_time.ordered = check_time.block = check_time.epoch = check_time.uniform =
        check_time.first = check_time.now = check_time.next++;
    check_context_set_words();
}

void check_clock_epoch(void)
{
    (void)check_context_note(CHECK_ACTOR_UNIFORM, 0);
    check_fence_epoch();
    check_time.meets = check_time.fenced = false;
    check_time.epoch = check_time.uniform = check_time.next;
    check_time.outside = check_time.form == ACCEL_FORM_BLOCK ? check_time.uniform : 0;
    check_time.first = check_time.next + 1;
    check_time.next += 1 + check_time.thread_count;
    check_context_set_words();
    loops.count = 0;
    loops.done = done();
    enter(NULL);
    loops.noted = 0;
}

void check_clock_block(size_t block, size_t threads, uint32_t form)
{
    check_time.block_number = block;
    check_time.thread_count = threads;
    check_time.sampled = check_share_has(block);
    check_time.form = form;
    check_time.block = check_time.next;
    check_time.acquired = false;
    check_fence_block();
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
    loops.noted = 0;
    for (size_t i = 0; i < loops.count; ++i) {
        enter(&loops.items[i]);
        if (loops.current->kind == kind && memcmp(loops.current->n, n, sizeof(loops.current->n)) == 0)
            return;
    }
    enter(NULL);
    const double limit = most(launch->grid_extent, n, kind);
    if (loops.count == LOOPS || limit > 1e9)
        return;
    loop *made = &loops.items[loops.count++];
    *made = (loop){kind, {n[0], n[1], n[2]}, check_time.next, (uint64_t)limit};
    enter(made);
    (void)check_context_note(CHECK_ACTOR_ITERATION, 0);
    check_time.next += (uint64_t)limit;
}

void check_clock_each(int more)
{
    if (check_time.form != ACCEL_FORM_BLOCK)
        return;
    if (more == 0) {
        loops.noted = 0;
        check_time.now = check_time.uniform;
    } else if (!check_clock_goes_on()) {
        if (loops.noted != check_context_count()) { /* or a fence was noted since */
            (void)check_context_note(CHECK_ACTOR_ITERATION, done());
            loops.noted = check_context_count();
        }
        loops.done++;
        check_time.now = check_time.next++;
    }
}

void check_clock_pass(size_t thread)
{
    if (++barriers.passed[thread] > barriers.opened) {
        barriers.opened++;
        check_clock_epoch();
    }
    check_time.now = check_context_of_thread(thread);
}

bool check_clock_is_full(void)
{
    return check_time.next >> (CHECK_CONTEXT_BITS - 1) != 0;
}

void check_clock_restart(void)
{
    check_context_restart();
    check_fence_launch(0);
}
