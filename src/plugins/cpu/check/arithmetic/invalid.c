/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/arithmetic/invalid.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/surroundings.h"

#include <accel/kernel/cpu/check_table.h>

#include <string.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* What the processor gives for an operation without a result: a NaN literal has another sign. */
static const uint32_t indefinite_float = 0xffc00000u;
static const uint64_t indefinite_double = 0xfff8000000000000u;

/* Of a thread, an iteration, or the code outside regions. */
typedef struct maker {
    const void *raised; /* the first access or barrier behind the operation; NULL: the flag was not raised */
    bool old;           /* it has read such a NaN, or one was reported: what it writes need not be new */
} maker;

static maker uniform, part, threads[ACCEL_MAX_BLOCK_THREADS];
static maker *now = &uniform;

/* The last access: it has happened when the next one comes. */
static struct {
    const char *at; /* NULL: none */
    size_t size;
    uint32_t how;
    const void *place;
} last;

static bool was_raised, raised_here; /* before the launch, and in it */

static bool take_flag(void)
{
#if defined(__SSE2__)
    const uint32_t state = _mm_getcsr();
    if ((state & _MM_EXCEPT_INVALID) == 0)
        return false;
    _mm_setcsr(state & ~(uint32_t)_MM_EXCEPT_INVALID);
    return true;
#else
    return false;
#endif
}

void check_invalid_launch(void)
{
    last.at = NULL;
    raised_here = false;
    was_raised = check_traps && take_flag();
}

/* Has the last access such a NaN, of either type? */
static bool has_indefinite(void)
{
    for (size_t at = 0; at + sizeof(float) <= last.size; at += sizeof(float)) {
        uint32_t word;
        uint64_t two = 0;
        memcpy(&word, last.at + at, sizeof(word));
        if (at + sizeof(two) <= last.size)
            memcpy(&two, last.at + at, sizeof(two));
        if (word == indefinite_float || two == indefinite_double)
            return true;
    }
    return false;
}

static void report(void)
{
    const bool local = check_range_has(check_around.stack, last.at) || check_range_has(check_around.fibers, last.at);
    check_finding_add(&(check_finding){.kind = CHECK_FINDING_NAN,
                                       .at = local ? NULL : last.at,
                                       .mine = {.place = now->raised, .actor = check_actor_of(check_time.now)}});
    now->old = true;
}

/* The thread has come to this place. */
static void look(const void *place)
{
    const bool raised = take_flag(), made = last.at != NULL && has_indefinite();
    const bool written = made && (last.how & ACCEL_CHECK_WRITE) != 0;
    raised_here = raised_here || raised;
    if (raised && now->raised == NULL)
        now->raised = written ? last.place : place; /* what it has written was computed before */
    if (written && now->raised != NULL && !now->old && !check_around.trusted)
        report();
    else if (made)
        now->old = true;
    last.at = NULL;
}

void check_invalid_end(void)
{
    if (check_traps && !check_abandoned)
        look(NULL);
#if defined(__SSE2__)
    if (check_traps && (was_raised || raised_here))
        _mm_setcsr(_mm_getcsr() | _MM_EXCEPT_INVALID);
#endif
}

static void turn_to(maker *next, maker state)
{
    look(NULL);
    now = next;
    *next = state;
}

void check_invalid_block(void)
{
    if (check_traps)
        turn_to(&uniform, (maker){.old = last.at != NULL && has_indefinite()}); /* the arguments */
}

void check_invalid_part(void)
{
    if (check_traps)
        turn_to(&part, uniform);
}

void check_invalid_uniform(void)
{
    if (check_traps)
        turn_to(&uniform, uniform);
}

void check_invalid_thread(size_t thread)
{
    if (check_traps)
        turn_to(&threads[thread], (maker){.raised = NULL});
}

void check_invalid_branch(size_t thread)
{
    if (check_traps)
        turn_to(&threads[thread], uniform);
}

void check_invalid_leave(const void *place)
{
    if (check_traps)
        look(place);
}

void check_invalid_resume(size_t thread)
{
    if (check_traps)
        turn_to(&threads[thread], threads[thread]);
}

void check_invalid_access(const volatile void *p, size_t size, uint32_t how, const void *place)
{
    look(place);
    last.at = (const char *)(uintptr_t)p;
    last.size = size;
    last.how = how;
    last.place = place;
}

void check_invalid_known(void)
{
    now->old = true;
}
