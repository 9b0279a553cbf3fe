/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue moves what a launch carries from one core to another, and each line of 64 bytes takes 10 ns where they are far apart.
 * So launches carry what differs from one to the next, and have the rest in common: a record per kernel and size of its blocks.
 *
 * A record is replaced where another kernel comes to its place. The new one names it, and the first launch with the new one
 * gives it back: launches of a queue are over in their order, so no other launch uses it then.
 */
#include "core/tools/launches.h"

#include "core/base/error.h"
#include "core/base/spin.h"

#include <stdatomic.h>

typedef struct watched_launch {
    watch_pending *common; /* its `next`: what it replaces, until the first launch is over */
    uint64_t id, blocks, submitted;
    uint32_t thread;
} watched_launch;

static uint64_t on_begin(const void *data)
{
    (void)data;
    return accel_tools_clock();
}

static void on_end(const void *data, uint64_t begun, accel_status status)
{
    const watched_launch *launch = data;
    watch_pending *common = launch->common;
    accel_tool_operation operation = common->operation;

    operation.id = launch->id;
    operation.blocks = launch->blocks;
    operation.thread = launch->thread;
    operation.submitted = launch->submitted;
    operation.started = begun;
    operation.ended = accel_tools_clock();
    operation.status = status;
    accel_tools_completed(common->mask, &operation);
    if (__builtin_expect(common->next != NULL, 0)) {
        accel_pending_give(common->next);
        common->next = NULL;
    }
}

static const accel_operation_watch watch = {.begin = on_begin, .end = on_end, .data_size = sizeof(watched_launch)};
_Static_assert(sizeof(watched_launch) <= ACCEL_MAX_WATCH_DATA, "it is what a slot copies");

bool accel_launches_are_watched(const watch_timeline *timeline)
{
    return timeline->timing == WATCH_BY_CALLS && timeline->inner.queue_vtable->launch_watched != NULL &&
           accel_tools_live();
}

/* A record for launches like this one, or NULL. */
static watch_pending *common_new(watch_timeline *timeline, const accel_tool_operation *operation,
                                 watch_pending *replaced)
{
    watch_pending *common = accel_pending_take(&timeline->kept);

    if (common == NULL)
        return NULL;
    common->next = replaced;
    common->mask = timeline->mask;
    common->operation = *operation;
    return common;
}

static bool serves(const watch_pending *common, const accel_tool_operation *operation)
{
    return common != NULL && common->operation.object == operation->object &&
           common->operation.threads == operation->threads;
}

/* Under the lock. Without memory for a record the launch is not told, but is made. */
static accel_status submit(watch_timeline *timeline, const accel_tool_operation *operation, accel_impl_kernel *kernel,
                           const accel_work *work, const void *args)
{
    const accel_queue_vtable *vtable = timeline->inner.queue_vtable;
    accel_impl_queue *queue = timeline->inner.queue;
    watch_pending **place = &timeline->common[operation->object % WATCH_COMMON], *common = *place;
    watched_launch launch = {.id = operation->id,
                             .blocks = operation->blocks,
                             .submitted = operation->submitted,
                             .thread = operation->thread};
    accel_status status;

    if (!serves(common, operation) && (common = common_new(timeline, operation, *place)) == NULL)
        return vtable->launch(queue, kernel, work, args);
    launch.common = common;
    status = vtable->launch_watched(queue, kernel, work, args, &watch, &launch);
    if (status == ACCEL_OK)
        *place = common;
    else if (common != *place)
        accel_pending_give(common);
    return status;
}

accel_status accel_launches_submit(watch_timeline *timeline, watch_span *span, accel_impl_kernel *kernel,
                                   const accel_work *work, const void *args)
{
    accel_status status;

    accel_spin_lock(&timeline->submitting);
    status = submit(timeline, &span->operation, kernel, work, args);
    accel_spin_unlock(&timeline->submitting);
    if (status != ACCEL_OK) {
        accel_timing_start(timeline, span);
        accel_timing_stop(timeline, span, status);
    }
    return status;
}

static void give_back(void *user, accel_status status)
{
    (void)status;
    accel_pending_give(user);
}

/* Without memory for a call a record stays for as long as the process, and so it does in the child of a fork: a lock of its queue
 * may be another thread's there. The thread's text of an error stays. */
void accel_launches_end(watch_timeline *timeline)
{
    char text[ACCEL_ERROR_SIZE];

    if (!accel_tools_live())
        return;
    accel_error_save(text);
    for (size_t i = 0; i < WATCH_COMMON; ++i)
        if (timeline->common[i] != NULL)
            (void)timeline->inner.queue_vtable->call(timeline->inner.queue, give_back, timeline->common[i]);
    accel_error_restore(text);
}
