/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/limit.h"
#include "plugins/cpu/check/arithmetic/invalid.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/machine/futex.h"

/* PASSES: between two looks, less than a millisecond. LOCALS: of the kernel's own variables, and of libaccel's code, that may
 * pass before one of them is reported: what a loop waits for tells more. */
enum { PASSES = 1 << 14, LOCALS = 1000 };

uint64_t check_limit_left = UINT64_MAX;
static uint64_t limit_ns; /* 0: none */
static uint64_t begun_ns; /* when the block was looked at first; 0: not yet */
static uint32_t locals;   /* that passed when its time was over */

void check_limit_set(uint64_t seconds)
{
    limit_ns = seconds * 1000000000u;
    check_limit_left = UINT64_MAX;
}

/* With traps each access is looked at. */
static uint64_t passes(void)
{
    return check_traps ? 1 : limit_ns != 0 ? PASSES : UINT64_MAX;
}

bool check_limit_is_set(void)
{
    return passes() != UINT64_MAX;
}

void check_limit_block(void)
{
    begun_ns = 0;
    locals = 0;
    check_limit_left = passes();
}

void check_limit_look(const volatile void *p, size_t size, uint32_t how, const void *place)
{
    check_limit_left = passes();
    if (check_traps && size != 0)
        check_invalid_access(p, size, how, place);
    if (limit_ns == 0)
        return;
    uint64_t now = cpu_clock_ns();
    if (begun_ns == 0)
        begun_ns = now;
    if (now - begun_ns < limit_ns)
        return;
    const char *at = (const char *)(uintptr_t)p;
    if (check_around.trusted || check_range_has(check_around.stack, at) || check_range_has(check_around.fibers, at)) {
        check_limit_left = 1;
        if (locals++ < LOCALS)
            return;
        at = NULL;
    }
    check_finding_add(&(check_finding){.kind = CHECK_FINDING_ENDLESS,
                                       .at = at,
                                       .size = size,
                                       .mine = {.place = place, .how = how, .actor = check_actor_of(check_time.now)}});
    check_finding_abandon();
}
