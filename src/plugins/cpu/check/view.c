/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/view.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/report/line.h"
#include "plugins/cpu/check/common/room.h"
#include "plugins/cpu/check/surroundings.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#else /* without it views have no place of their making */
#define backtrace(frames, count) ((void)(frames), 0)
#endif

enum {
    FRAMES = 16,
    ENDED = 256, /* views that are remembered, for what was submitted before their end */
    PARTS = 32,  /* buffers of which a launch was given parts, and views of them */
    TEXT = 200
};

typedef struct view {
    const void *key;
    accel_memory_view region;
    void *frames[FRAMES]; /* who made it */
    int frame_count;
    uint64_t addressed, ended; /* moments; 0: not yet */
} view;

static struct {
    view **items; /* the order of their making */
    size_t count, capacity, ended;
} all;
static _Atomic uint64_t moment = 1; /* relaxed: a number. Grows under the lock */

/* A buffer that the launch was given views of. */
typedef struct part {
    const char *begin, *end;
    bool whole; /* and more than views */
    bool asked; /* whether a table of pointers has it */
    const view *views[PARTS];
    size_t count;
} part;

static part parts[PARTS];
static size_t part_count;

uint64_t check_view_moment(void)
{
    return atomic_load_explicit(&moment, memory_order_relaxed);
}

static uint64_t next_moment(void)
{
    return atomic_fetch_add_explicit(&moment, 1, memory_order_relaxed) + 1;
}

/* ------------------------------------------------------------------------------ of the program -- */

/* Without memory the view is not known, and nothing is found. */
static void make(const void *key, const accel_memory_view *region)
{
    view *made = calloc(1, sizeof(*made));
    view **grown = check_room_for_one(all.items, all.count, &all.capacity, sizeof(*grown));
    if (grown != NULL)
        all.items = grown;
    if (made == NULL || grown == NULL) {
        free(made);
        return;
    }
    made->key = key;
    memcpy(&made->region, region, sizeof(made->region));
    made->frame_count = backtrace(made->frames, FRAMES);
    all.items[all.count++] = made;
}

static void remove_at(size_t at)
{
    free(all.items[at]);
    memmove(&all.items[at], &all.items[at + 1], (--all.count - at) * sizeof(*all.items));
}

/* Of those that ended the first made. */
static void forget_one(void)
{
    size_t at = 0;
    while (all.items[at]->ended == 0)
        ++at;
    remove_at(at);
    --all.ended;
}

static void end(size_t at)
{
    if (all.items[at]->addressed == 0) {
        remove_at(at);
        return;
    }
    all.items[at]->ended = next_moment();
    if (++all.ended > ENDED)
        forget_one();
}

void check_view_use(const void *key, uint32_t use, const accel_memory_view *region)
{
    size_t at = all.count;
    if (use == ACCEL_VIEW_MADE) {
        make(key, region);
        return;
    }
    while (at > 0 && (all.items[at - 1]->key != key || all.items[at - 1]->ended != 0))
        --at;
    if (at == 0)
        return;
    if (use == ACCEL_VIEW_ENDED)
        end(at - 1);
    else if (all.items[at - 1]->addressed == 0)
        all.items[at - 1]->addressed = next_moment();
}

/* -------------------------------------------------------------------------------- of a launch -- */

static bool counts(const view *v, uint64_t submitted)
{
    return v->addressed != 0 && v->addressed <= submitted && (v->ended == 0 || v->ended > submitted);
}

/* NULL: there are too many. */
static part *part_of(const char *begin, const char *end)
{
    size_t at = 0;
    while (at < part_count && parts[at].begin != begin)
        ++at;
    if (at == PARTS)
        return NULL;
    if (at == part_count)
        parts[part_count++] = (part){.begin = begin, .end = end};
    return &parts[at];
}

/* The launch was given this address of a buffer. */
static void give(const char *p, const char *begin, const char *end, uint64_t submitted)
{
    part *self = part_of(begin, end);
    bool found = false;
    if (self == NULL)
        return;
    for (size_t i = 0; i < all.count && p != begin; ++i) {
        const view *v = all.items[i];
        if (v->region.ptr != (const void *)p || !counts(v, submitted))
            continue;
        found = true;
        if (self->count < PARTS)
            self->views[self->count++] = v;
        else
            self->whole = true;
    }
    self->whole |= !found;
}

void check_views_launch(const void *args, size_t size, uint64_t submitted)
{
    const char *begin, *end;
    part_count = 0;
    check_around.views = false;
    if (all.count == 0)
        return;
    /* Pointers of packed structs may be anywhere. */
    for (size_t at = 0; at + sizeof(void *) <= size; ++at) {
        uintptr_t value;
        memcpy(&value, (const char *)args + at, sizeof(value));
        if (value >> 47 == 0 && check_memory_bounds((const void *)value, &begin, &end))
            give((const char *)value, begin, end, submitted != 0 ? submitted : check_view_moment());
    }
    for (size_t i = 0; i < part_count; ++i)
        check_around.views |= !parts[i].whole;
}

/* ------------------------------------------------------------------------------- of an access -- */

static size_t row_of(const accel_memory_view *region)
{
    const uint32_t last = region->dims - 1;
    return region->pitch[last] == region->element_size ? region->extent[last] * region->element_size
                                                       : region->element_size;
}

/* How many bytes from there on belong to the view; 0: not this one. */
static size_t bytes_at(const accel_memory_view *region, const char *p)
{
    const uint32_t last = region->dims - 1;
    size_t offset = (size_t)(p - (const char *)region->ptr);
    if (p < (const char *)region->ptr)
        return 0;
    for (uint32_t d = 0; d < last; ++d) {
        if (region->pitch[d] == 0 || offset / region->pitch[d] >= region->extent[d])
            return 0;
        offset %= region->pitch[d];
    }
    const size_t row = row_of(region), pitch = region->pitch[last];
    if (row != region->element_size || region->extent[last] == 1)
        return offset < row ? row - offset : 0;
    if (pitch == 0 || offset / pitch >= region->extent[last])
        return 0;
    offset %= pitch;
    return offset < row ? row - offset : 0;
}

/* The first byte of the access that no view has; NULL: they have all. */
static const char *first_outside(const part *self, const char *at, const char *end)
{
    while (at < end) {
        size_t bytes = 0;
        for (size_t i = 0; i < self->count; ++i) {
            const size_t here = bytes_at(&self->views[i]->region, at);
            bytes = bytes < here ? here : bytes;
        }
        if (bytes == 0)
            return at;
        at += bytes;
    }
    return NULL;
}

static const char *end_of(const accel_memory_view *region)
{
    const char *last = region->ptr;
    for (uint32_t d = 0; d < region->dims; ++d)
        last += (region->extent[d] - 1) * region->pitch[d];
    return last + region->element_size;
}

static size_t distance(const view *v, const char *p)
{
    const char *begin = v->region.ptr, *end = end_of(&v->region);
    return p < begin ? (size_t)(begin - p) : p >= end ? (size_t)(p - end) + 1 : 0;
}

static const view *nearest(const part *self, const char *p)
{
    const view *found = self->views[0];
    for (size_t i = 1; i < self->count; ++i)
        if (distance(self->views[i], p) < distance(found, p))
            found = self->views[i];
    return found;
}

/* "8x16 elements of 4 bytes" */
static void describe_extent(const accel_memory_view *region, char *text, size_t size)
{
    text[0] = '\0';
    for (uint32_t d = 0; d < region->dims; ++d)
        snprintf(text + strlen(text), size - strlen(text), "%s%zu", d != 0 ? "x" : "", region->extent[d]);
    snprintf(text + strlen(text), size - strlen(text), " elements of %zu bytes", region->element_size);
}

static void describe(const view *v, const char *p, char text[TEXT])
{
    char extent[100], line[512] = "";
    const char *begin = v->region.ptr, *end = end_of(&v->region);
    const void *maker = check_line_caller(v->frames, v->frame_count);
    describe_extent(&v->region, extent, sizeof(extent));
    if (maker != NULL)
        check_line_of(maker, line, sizeof(line));
    if (p < begin)
        snprintf(text, TEXT, "%zu bytes before", (size_t)(begin - p));
    else if (p >= end)
        snprintf(text, TEXT, "%zu bytes behind the end of", (size_t)(p - end));
    else
        snprintf(text, TEXT, "between the rows of");
    snprintf(text + strlen(text), TEXT - strlen(text), " a view of %s%s%s", extent, line[0] != '\0' ? ", made at " : "",
             line);
}

static void report(const part *self, const char *wrong, size_t size, uint32_t how, const void *place)
{
    static char texts[CHECK_FINDINGS][TEXT]; /* until the report */
    const size_t number = check_found.count;
    check_finding_add(&(check_finding){.kind = CHECK_FINDING_VIEW,
                                       .at = wrong,
                                       .size = size,
                                       .text = "",
                                       .mine = {.place = place, .how = how, .actor = check_actor_of(check_time.now)}});
    if (check_found.count == number)
        return;
    describe(nearest(self, wrong), wrong, texts[number]);
    check_found.items[number].text = texts[number];
}

/* It is in this buffer. */
static void check(part *self, const char *at, size_t size, uint32_t how, const void *place)
{
    const char *end = size < (size_t)(self->end - at) ? at + size : self->end;
    const char *wrong = first_outside(self, at, end);
    if (wrong == NULL)
        return;
    if (!self->asked)
        self->whole = check_memory_points_to(self->begin, self->end);
    self->asked = true;
    if (!self->whole)
        report(self, wrong, size, how, place);
}

void check_view_pass(const char *at, size_t size, uint32_t how, const void *place)
{
    if (check_around.trusted)
        return;
    for (size_t i = 0; i < part_count; ++i)
        if (at >= parts[i].begin && at < parts[i].end && !parts[i].whole)
            check(&parts[i], at, size, how, place);
}
