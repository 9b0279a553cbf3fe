/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/light/stray.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/common/index.h"
#include "plugins/cpu/check/light/crash.h"
#include "plugins/cpu/check/light/poison.h"
#include "plugins/cpu/check/light/running.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/shared/shared.h"

#include <accel/kernel/cpu/check_table.h>

enum { RESTS = 64 };

typedef struct rest {
    const char *begin;
    size_t size;
} rest;

/* Ends of arrays of private values. */
static rest rests[RESTS];
static size_t rest_count;

void check_stray_begin(void)
{
    rest_count = 0;
}

/* On which a thread of the kernel runs; NULL: on none, but on the thread's own stack. */
static cpu_fiber *fiber_at(const void *frame)
{
    return check_light.pool != NULL ? cpu_fiber_pool_at(check_light.pool, (uintptr_t)frame) : NULL;
}

static size_t thread_number(const accel_thread_context *thread)
{
    return check_number_of(thread->thread_index, thread->launch->block_extent);
}

static check_actor actor_of(const cpu_fiber *fiber)
{
    if (fiber != NULL)
        return (check_actor){CHECK_ACTOR_THREAD, check_light.block, thread_number(&fiber->thread)};
    if (check_light.launch->kernel->form != ACCEL_FORM_BLOCK && check_light.launch->threads == 1)
        return (check_actor){CHECK_ACTOR_THREAD, check_light.block, 0};
    return (check_actor){CHECK_ACTOR_BLOCK, check_light.block, 0};
}

static const rest *rest_at(const char *p)
{
    for (size_t i = 0; i < rest_count; ++i)
        if (p >= rests[i].begin && p < rests[i].begin + rests[i].size)
            return &rests[i];
    return NULL;
}

static bool is_on_stack(const char *p)
{
    return check_range_has(check_around.stack, p) || check_range_has(check_light.slab, p);
}

/* What lies at a place that is poisoned. The finding's kind; CHECK_FINDING_KINDS: nothing is wrong, as poison may outlast what it
 * was for. */
static uint32_t kind_at(const char *p, const char **text)
{
    *text = NULL;
    if (is_on_stack(p)) {
        *text = rest_at(p) != NULL ? "in an array of private values, at an index that is no thread's"
                                   : "beside an array among the kernel's local variables";
        return CHECK_FINDING_OUTSIDE;
    }
    switch (check_memory_state(p)) {
    case CHECK_MEMORY_ZONE:
    case CHECK_MEMORY_ABSENT:
        return CHECK_FINDING_OUTSIDE;
    case CHECK_MEMORY_RELEASED:
        return CHECK_FINDING_RELEASED;
    case CHECK_MEMORY_LIVE:
        return CHECK_FINDING_KINDS;
    default:
        return check_shared_is_stray(p) ? CHECK_FINDING_OUTSIDE : CHECK_FINDING_KINDS;
    }
}

void check_stray(const volatile void *p, size_t size, uint32_t how, const void *place)
{
    const void *frame = __builtin_frame_address(0);
    const char *at = check_poison_find(p, size), *text;
    if (!check_around.light || at == NULL)
        return;
    check_crash_inside(false);
    const uint32_t kind = kind_at(at, &text);
    if (kind != CHECK_FINDING_KINDS)
        check_finding_add(&(check_finding){.kind = kind,
                                           .at = (const char *)(uintptr_t)p,
                                           .size = size,
                                           .text = text,
                                           .light = true,
                                           .mine = {place, how, actor_of(fiber_at(frame)), NULL}});
    if (kind == CHECK_FINDING_OUTSIDE && text == NULL && check_memory_state(at) == CHECK_MEMORY_ABSENT)
        check_light_abandon(frame);
    check_crash_inside(true);
}

void check_stray_access(const volatile void *p, size_t size, uint32_t how, const void *place)
{
    if (check_poison_find(p, size) != NULL)
        check_stray(p, size, how, place);
}

void check_stray_poison(const void *begin, size_t size, int poisoned)
{
    if (!check_around.light)
        return;
    if (!poisoned) {
        check_poison_remove(begin, size);
        rest_count -= rest_count != 0;
    } else if (rest_count < RESTS) {
        check_poison_add(begin, size);
        rests[rest_count++] = (rest){begin, size};
    }
}

/* What lies above the frame, up to the kernel's first. */
void check_stray_leave(const void *frame)
{
    const cpu_fiber *fiber = fiber_at(frame);
    const char *begin = frame,
               *end = fiber != NULL ? (const char *)fiber->stack + check_light.pool->stack_size : check_light.stack;
    if (!check_around.light)
        return;
    rest_count = 0;
    if (begin < end)
        check_poison_remove(begin, (size_t)(end - begin));
}

void check_light_abandon(const void *frame)
{
    check_stray_leave(frame);
    check_around.fiber = fiber_at(frame);
    check_around.light = false;
    check_finding_abandon();
}

void check_light_crashed(const check_crash *crash, const void *frame)
{
    const check_side mine = {(const void *)(crash->instruction + 1), crash->how, actor_of(fiber_at(frame)), NULL};
    check_finding finding = {
        .kind = CHECK_FINDING_OUTSIDE, .at = (const char *)crash->address, .light = true, .mine = mine};
    bool crashes;
    if (crash->divides) {
        finding.kind = CHECK_FINDING_DIVISION;
        finding.at = NULL;
    } else if (!crash->has_address) {
        finding.text = CHECK_IMPOSSIBLE;
    } else if ((crash->how & ACCEL_CHECK_WRITE) != 0 && check_shared_is_constant(finding.at, &crashes)) {
        finding.kind = CHECK_FINDING_CONSTANT;
    }
    check_finding_add(&finding);
    check_light_abandon(frame);
}
