/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/warp/group.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/fiber/fiber_pool.h"

#include <stdio.h>
#include <string.h>

/* Bit k is lane k. */
typedef uint64_t lane_set;

static lane_set lane_bit(uint32_t lane)
{
    return (lane_set)1 << lane;
}

static lane_set lanes_that(const check_group *warp, uint32_t where)
{
    lane_set found = 0;
    for (uint32_t lane = 0; lane < warp->count; ++lane)
        found |= (uint32_t)warp->lanes[lane].where == where ? lane_bit(lane) : 0;
    return found;
}

/* By the line, not the address: compilers copy code. */
static bool is_same_call(const accel_check_warp *a, const accel_check_warp *b)
{
    return a->line == b->line && a->what == b->what && a->form == b->form &&
           (a->form != ACCEL_CHECK_WARP_MASKED || a->mask == b->mask);
}

/* The lanes that make this one's call. */
static lane_set callers(const check_group *warp, uint32_t lane)
{
    lane_set found = 0;
    for (uint32_t other = lane; other < warp->count; ++other)
        if (warp->lanes[other].where == CHECK_LANE_WARP &&
            is_same_call(&warp->lanes[lane].call, &warp->lanes[other].call))
            found |= lane_bit(other);
    return found;
}

/* The lanes that have to make this one's call. */
static lane_set wanted(const check_group *warp, uint32_t lane)
{
    const accel_check_warp *call = &warp->lanes[lane].call;
    if (call->form == ACCEL_CHECK_WARP_MASKED)
        return warp->count < 64 ? call->mask & (lane_bit(warp->count) - 1) : call->mask;
    return lanes_that(warp, CHECK_LANE_WARP) | lanes_that(warp, CHECK_LANE_BARRIER);
}

static check_side side_of(const check_group *warp, uint32_t lane)
{
    return (check_side){.place = warp->lanes[lane].place,
                        .how = warp->lanes[lane].where == CHECK_LANE_BARRIER ? CHECK_HOW_BARRIER : 0,
                        .actor = check_actor_of(check_time.first + warp->first + lane)};
}

/* The text is kept until the report. Findings of one place are told once, with the first text. */
enum { TEXT = 240 };
static void report(check_finding *finding, const char *text)
{
    static char kept[CHECK_FINDINGS][TEXT];
    const size_t number = check_found.count;
    finding->kind = CHECK_FINDING_WARP;
    check_finding_add(finding);
    if (check_found.count == number)
        return;
    snprintf(kept[number], TEXT, "%s", text);
    check_found.items[number].text = kept[number];
}

/* "; lanes 3-7, 9 have returned", or of a single lane what it does. */
static void add_lanes(char *text, lane_set set, const char *one, const char *several)
{
    const bool is_one = (set & (set - 1)) == 0;
    const char *separator = text[0] == '\0' ? (is_one ? "lane " : "lanes ") : (is_one ? "; lane " : "; lanes ");
    for (uint32_t lane = 0; lane < 64; ++lane) {
        uint32_t last = lane;
        const size_t length = strlen(text);
        if ((set & lane_bit(lane)) == 0)
            continue;
        while (last < 63 && (set & lane_bit(last + 1)) != 0)
            ++last;
        snprintf(text + length, TEXT - length, last == lane ? "%s%u" : "%s%u-%u", separator, lane, last);
        separator = ", ";
        lane = last;
    }
    if (set != 0)
        snprintf(text + strlen(text), TEXT - strlen(text), " %s", is_one ? one : several);
}

/* Some lane will not come, or was not to come. */
static void report_absence(const check_group *warp, uint32_t lane, lane_set here)
{
    char text[TEXT] = "";
    const lane_set all = wanted(warp, lane), absent = all & ~here,
                   waiting = absent & ~lanes_that(warp, CHECK_LANE_ELSEWHERE);
    check_finding finding = {.mine = side_of(warp, lane)};
    add_lanes(text, here & all, "takes part", "take part");
    add_lanes(text, here & ~all, "takes part and is not in the mask", "take part and are not in the mask");
    add_lanes(text, waiting, "waits elsewhere", "wait elsewhere");
    add_lanes(text, absent & ~waiting, "has returned", "have returned");
    if (waiting != 0) {
        finding.has_other = true;
        finding.other = side_of(warp, (uint32_t)__builtin_ctzll(waiting));
    }
    report(&finding, text);
}

/* The lane that this one reads; its own one where there is none. */
static uint64_t source_of(const check_group *warp, uint32_t lane)
{
    const accel_check_warp *call = &warp->lanes[lane].call;
    const uint64_t n = call->other;
    switch (call->what) {
    case ACCEL_CHECK_WARP_SHUFFLE:
        return n;
    case ACCEL_CHECK_WARP_UP:
        return n <= lane ? lane - n : lane;
    case ACCEL_CHECK_WARP_DOWN:
        return n < warp->width - lane ? lane + n : lane;
    default:
        return (lane ^ n) < warp->width ? lane ^ n : lane;
    }
}

/* An operation that ends. */
typedef struct ending {
    const check_group *warp;
    lane_set here, votes; /* who takes part; whose predicate is not 0 */
    bool broken;          /* and reported */
} ending;

/* The value of a lane that takes part; the own one where that does not, which is an error. */
static uint64_t shuffled(const ending *self, uint32_t lane)
{
    char text[TEXT];
    const check_lane *lanes = self->warp->lanes;
    const accel_check_warp *call = &lanes[lane].call;
    const uint64_t source = source_of(self->warp, lane);
    if (source < self->warp->count && (self->here & lane_bit((uint32_t)source)) != 0)
        return lanes[source].call.value;
    if (!self->broken) {
        snprintf(text, sizeof(text), "lane %u reads lane %llu, which does not take part", lane,
                 (unsigned long long)source);
        report(&(check_finding){.mine = side_of(self->warp, lane)}, text);
    }
    return call->value;
}

static uint64_t result_of(const ending *self, uint32_t lane)
{
    switch (self->warp->lanes[lane].call.what) {
    case ACCEL_CHECK_WARP_BALLOT:
        return self->votes;
    case ACCEL_CHECK_WARP_SOME:
        return self->votes != 0;
    case ACCEL_CHECK_WARP_ALL:
        return self->votes == self->here;
    default:
        return shuffled(self, lane);
    }
}

/* These lanes may go on. */
static void finish(const check_group *warp, lane_set here, bool broken)
{
    ending self = {warp, here, 0, broken};
    for (uint32_t lane = 0; lane < warp->count; ++lane)
        if ((here & lane_bit(lane)) != 0 && warp->lanes[lane].call.value != 0)
            self.votes |= lane_bit(lane);
    for (uint32_t lane = 0; lane < warp->count; ++lane)
        if ((here & lane_bit(lane)) != 0)
            warp->lanes[lane].result = result_of(&self, lane);
    for (uint32_t lane = 0; lane < warp->count; ++lane) {
        check_lane *at = &warp->lanes[lane];
        if ((here & lane_bit(lane)) == 0)
            continue;
        at->where = CHECK_LANE_ELSEWHERE;
        if (at->fiber != NULL)
            cpu_fiber_wake(at->fiber);
    }
}

/* The operations that lanes wait at, one after the other; `whole`: only those among certain lanes that are all there. */
typedef struct operations {
    lane_set items[64];
    size_t count;
} operations;

static void gather(const check_group *warp, bool whole, operations *found)
{
    lane_set left = lanes_that(warp, CHECK_LANE_WARP);
    found->count = 0;
    while (left != 0) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const lane_set here = callers(warp, lane);
        if (!whole || (warp->lanes[lane].call.form != ACCEL_CHECK_WARP_ANY && here == wanted(warp, lane)))
            found->items[found->count++] = here;
        left &= ~here;
    }
}

static bool finish_whole(const check_group *warp)
{
    operations found;
    gather(warp, true, &found);
    for (size_t i = 0; i < found.count; ++i)
        finish(warp, found.items[i], false);
    return found.count != 0;
}

/* Of the operations among any lanes the first in the code: the lanes that are behind come closer to the others. */
static bool finish_any(const check_group *warp)
{
    const check_lane *first = NULL;
    for (uint32_t lane = 0; lane < warp->count; ++lane) {
        const check_lane *at = &warp->lanes[lane];
        if (at->where == CHECK_LANE_WARP && at->call.form == ACCEL_CHECK_WARP_ANY &&
            (first == NULL || (uintptr_t)at->place < (uintptr_t)first->place))
            first = at;
    }
    if (first != NULL)
        finish(warp, callers(warp, (uint32_t)(first - warp->lanes)), false);
    return first != NULL;
}

static void finish_broken(const check_group *warp)
{
    operations found;
    gather(warp, false, &found);
    for (size_t i = 0; i < found.count; ++i)
        report_absence(warp, (uint32_t)__builtin_ctzll(found.items[i]), found.items[i]);
    for (size_t i = 0; i < found.count; ++i)
        finish(warp, found.items[i], true);
}

void check_group_resolve(const check_group *warp)
{
    if (!finish_whole(warp) && !finish_any(warp))
        finish_broken(warp);
}
