/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/host/host.h"
#include "plugins/cpu/check/access.h"
#include "plugins/cpu/check/host/touch.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/queues/history.h"
#include "plugins/cpu/check/report/line.h"
#include "plugins/cpu/check/report/report.h"
#include "plugins/cpu/check/shadow.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/fault/signal_stack.h"
#include "plugins/cpu/queue/queue.h"

#include <accel/kernel/cpu/check_table.h>

#include <stdio.h>
#include <string.h>

static _Atomic bool watched;
static bool all_is_seen;
static void (*take)(void), (*give)(void);

/* Under the lock of check.c. */
static void end_watch(const char *reason)
{
    char text[160];
    if (!atomic_exchange(&watched, false))
        return;
    snprintf(text, sizeof(text), "ACCEL_CHECK_HOST=1 has no effect: %s", reason);
    check_report_failure(text);
}

void check_host_begin(bool wanted, bool whole, void (*taken)(void), void (*given)(void))
{
    take = taken;
    give = given;
    all_is_seen = whole;
    watched = wanted;
    const char *reason = wanted ? check_touch_begin() : NULL;
    if (reason != NULL)
        end_watch(reason);
}

bool check_host_is_watched(void)
{
    return atomic_load_explicit(&watched, memory_order_relaxed);
}

/* ------------------------------------------------------------------------------- what operations use -- */

/* An operation of a blocking queue is over before the host goes on. */
static bool is_wanted(const check_mark *mark, const accel_impl_queue *queue)
{
    if (mark == NULL || queue->blocking || !check_host_is_watched())
        return false;
    if (check_touch_is_possible()) {
        cpu_signal_stack_make(); /* where the host's own stack is guarded, its handler needs another */
        return true;
    }
    take();
    end_watch("the program handles SIGSEGV itself now");
    check_tracks_lock();
    check_guards_stop();
    check_tracks_unlock();
    give();
    return false;
}

static bool is_buffer(const void *data)
{
    const char *begin;
    size_t size;
    take();
    const bool found = check_memory_find(data, &begin, &size);
    give();
    return found;
}

static void guard(check_mark *mark, const accel_impl_queue *queue, check_use use, const void *data, uint32_t dims,
                  const size_t *extent, const size_t *pitch)
{
    use.certain = true;
    use.queue = queue;
    use.data = data;
    use.dims = dims;
    memcpy(use.extent, extent, dims * sizeof(*extent));
    memcpy(use.pitch, pitch, dims * sizeof(*pitch));
    check_mark_guard(mark, &use);
}

void check_host_copy(check_mark *mark, const accel_impl_queue *queue, const accel_copy_params *params,
                     const char *entry, const void *place)
{
    if (!is_wanted(mark, queue))
        return;
    /* libaccel's own memory is nobody's to watch. */
    const bool copies = strcmp(entry, "accel_copy") == 0;
    check_use dst = {.noun = "copy", .written = true, .owned = is_buffer(params->dst), .place = place};
    check_use src = {.noun = "copy", .owned = is_buffer(params->src), .place = place};
    if (dst.owned || copies || strcmp(entry, "accel_read") == 0)
        guard(mark, queue, dst, params->dst, params->dims, params->extent, params->dst_pitch);
    if (src.owned || copies || strcmp(entry, "accel_write") == 0)
        guard(mark, queue, src, params->src, params->dims, params->extent, params->src_pitch);
}

void check_host_fill(check_mark *mark, const accel_impl_queue *queue, const accel_fill_params *params,
                     const void *place)
{
    if (!is_wanted(mark, queue))
        return;
    const check_use use = {.noun = "fill", .written = true, .owned = is_buffer(params->dst), .place = place};
    guard(mark, queue, use, params->dst, params->dims, params->extent, params->pitch);
}

/* Which buffers a kernel uses, its arguments tell, but not how, nor which part. */
void check_host_launch(check_mark *mark, const accel_impl_queue *queue, const accel_impl_kernel *kernel,
                       const void *args)
{
    if (!is_wanted(mark, queue))
        return;
    take();
    for (size_t at = 0; at + sizeof(void *) <= kernel->descriptor->args_size; at += sizeof(void *)) {
        check_use use = {.noun = "launch", .written = true, .owned = true, .queue = queue, .dims = 1};
        const void *p;
        memcpy(&p, (const char *)args + at, sizeof(p));
        if (check_memory_find(p, &use.data, &use.extent[0]))
            check_mark_guard(mark, &use);
    }
    give();
}

void check_host_pass(void *user, accel_status status)
{
    check_mark *mark = user;
    (void)status; /* also of operations that are skipped */
    const bool done = check_mark_begin(mark) == CHECK_MARK_DONE;
    take();
    if (!done)
        check_host_look(); /* as long as memory remembers earlier operations */
    check_mark_pass_watched(mark, all_is_seen ? check_touch_compared : NULL);
    if (done)
        check_host_look();
    give();
}

void check_host_forget(const void *data)
{
    const char *begin;
    size_t size;
    if (!check_host_is_watched() || !check_memory_find(data, &begin, &size))
        return;
    check_host_look(); /* as long as it is known who has used it */
    check_tracks_lock();
    check_guards_forget_memory(begin, size);
    check_tracks_unlock();
}

void check_host_reset(void)
{
    check_guards_reset();
    check_touch_remove_all();
}

/* ------------------------------------------------------------------------------- what the host has done -- */

static void tell(const check_touch *touch, uint32_t kind, const check_side *other, const void *place)
{
    char text[96];
    const char *data;
    size_t size;
    const size_t offset = (size_t)(touch->address - (uintptr_t)touch->use.data);
    const check_operation none = {.noun = touch->use.noun, .kernel = ""};
    check_finding finding = {.kind = kind,
                             .at = (const char *)touch->address,
                             .mine = {.place = place, .how = touch->written ? ACCEL_CHECK_WRITE : 0},
                             .has_other = !touch->compared,
                             .other = *other,
                             .count = 1};
    if (finding.other.operation == NULL)
        finding.other.operation = &none;
    if (touch->use.noun != NULL && !check_memory_find(finding.at, &data, &size)) {
        if (touch->compared)
            snprintf(text, sizeof(text), "in memory of the program, which the %s uses", touch->use.noun);
        else
            snprintf(text, sizeof(text), "at byte %zu of what the %s uses of the program's memory", offset,
                     touch->use.noun);
        finding.text = text;
    }
    check_report_host(&finding);
}

static uint32_t kind_of(bool other_writes)
{
    return other_writes ? CHECK_FINDING_EARLY : CHECK_FINDING_CHANGED;
}

/* With an operation that conflicts with it for certain. */
static void tell_certain(const check_touch *touch)
{
    const check_use *use = &touch->use;
    const check_side other = {.place = use->place, .how = use->written ? ACCEL_CHECK_WRITE : 0};
    const void *place = touch->compared ? use->place : check_line_accessor(touch->frames, touch->frame_count);
    if (place != NULL || touch->compared)
        tell(touch, kind_of(use->written), &other, place);
}

/* Was the word's last access made by an operation that was submitted before the host's, and whose end it did not know? */
static const check_operation *unknown_operation(const check_touch *touch, uint64_t word)
{
    const uint64_t byte = (uint64_t)1 << (touch->address & 3) << CHECK_MASK_SHIFT;
    uint32_t track;
    uint64_t number;
    const check_operation *found =
        (word & byte) != 0 ? check_history_find(word >> CHECK_CONTEXT_SHIFT, &track, &number) : NULL;
    return found != NULL && number > touch->known.reached[track] && number <= touch->submitted.reached[track] ? found
                                                                                                              : NULL;
}

/* false: no operation that was executed conflicts with it. */
static bool tell_executed(const check_touch *touch)
{
    const check_cell *cell = check_cell_if_known(touch->address);
    if (cell == NULL)
        return false;
    const check_operation *operation = unknown_operation(touch, cell->write);
    const bool writes = operation != NULL;
    const uint64_t word = writes ? cell->write : cell->read;
    if (!writes && touch->written)
        operation = unknown_operation(touch, word);
    if (operation == NULL)
        return false;
    check_side other = check_side_of(word, writes);
    const void *place = check_line_accessor(touch->frames, touch->frame_count);
    other.operation = operation;
    if (operation->kernel[0] == '\0')
        other.place = operation->place;
    if (place != NULL)
        tell(touch, kind_of(writes), &other, place);
    return true;
}

/* With the lock of the tracks, which is free while it is told: the next one that is to be told now. */
static bool take_next(size_t *at, check_touch *taken)
{
    for (check_touch *touch; (touch = check_touch_next(at)) != NULL;) {
        *taken = *touch;
        if (touch->use.noun != NULL || (!check_guards_are_open() && check_tracks_executed(&touch->submitted))) {
            check_touch_remove(touch);
            return true;
        }
        check_tracks_unlock();
        const bool told = tell_executed(taken);
        check_tracks_lock();
        if (told)
            check_touch_remove(touch);
    }
    return false;
}

void check_host_waits(void)
{
    if (!check_touch_is_noted())
        return;
    take();
    check_host_look();
    give();
}

void check_host_look(void)
{
    static check_touch taken; /* large, and under the lock of check.c */
    size_t at = 0;
    if (!check_touch_is_noted())
        return;
    check_tracks_lock();
    while (take_next(&at, &taken)) {
        check_tracks_unlock();
        if (taken.use.noun != NULL)
            tell_certain(&taken);
        else
            (void)tell_executed(&taken);
        check_tracks_lock();
    }
    check_tracks_unlock();
}
