/* SPDX-License-Identifier: Apache-2.0 */
#include "event.h"
#include "device.h"
#include "entry.h"
#include "report.h"
#include "timing.h"

#include <stdlib.h>
#include <time.h>

/* What one record left; shared by the event and the stream's command. */
typedef struct record {
    unsigned references;
    sim_point point;
    uint64_t nanoseconds;
} record;

typedef struct sim_event {
    sim_object object;
    unsigned flags;
    record *latest; /* NULL: never recorded */
} sim_event;

typedef struct record_command {
    sim_command command;
    record *record;
} record_command;

static void release(record *old)
{
    if (old != NULL && --old->references == 0)
        free(old);
}

static bool is_done(const record *made)
{
    return made == NULL || made->point.stream->done >= made->point.ticket;
}

static void take_time(sim_command *command, sim_status status)
{
    record *made = ((record_command *)command)->record;
    struct timespec now;
    (void)status;
    clock_gettime(CLOCK_MONOTONIC, &now);
    made->nanoseconds = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    release(made);
}

sim_status sim_event_create(unsigned flags, void **handle)
{
    sim_context *context;
    sim_status status = sim_current(&context);
    if (status != SIM_OK)
        return status;
    if ((flags & ~(SIM_EVENT_BLOCKING_SYNC | SIM_EVENT_NO_TIMING | SIM_EVENT_INTERPROCESS)) != 0)
        return SIM_INVALID_VALUE;
    sim_event *event = sim_object_new(SIM_EVENT, sizeof *event);
    if (event == NULL)
        return SIM_OUT_OF_MEMORY;
    event->object.context = context;
    event->flags = flags;
    *handle = event->object.handle;
    return SIM_OK;
}

sim_status sim_event_destroy(void *handle)
{
    sim_event *event = sim_object_live(SIM_EVENT, handle);
    if (event == NULL)
        return SIM_INVALID_HANDLE;
    event->object.alive = false;
    release(event->latest);
    event->latest = NULL;
    return sim_context_state(event->object.context);
}

sim_status sim_event_record(void *handle, void *stream_handle)
{
    static const sim_command_type type = {.name = "event", .end = take_time, .always = true};
    sim_event *event = sim_object_live(SIM_EVENT, handle);
    sim_stream *stream;
    if (event == NULL)
        return SIM_INVALID_HANDLE;
    sim_status status = sim_stream_of(stream_handle, &stream);
    if (status != SIM_OK)
        return status;
    if (stream->object.context != event->object.context) {
        sim_violation("wrong context", "an event of device %u is recorded in a stream of device %u",
                      event->object.context->device->ordinal, stream->object.context->device->ordinal);
        return SIM_INVALID_HANDLE;
    }
    record_command *command = sim_command_new(&type, sizeof *command);
    record *made = calloc(1, sizeof *made);
    if (command == NULL || made == NULL) {
        free(command);
        free(made);
        return SIM_OUT_OF_MEMORY;
    }
    command->record = made;
    status = sim_submit(stream, &command->command);
    if (status != SIM_OK) {
        free(made);
        return status;
    }
    made->references = 2;
    made->point = (sim_point){stream, stream->submitted};
    release(event->latest);
    event->latest = made;
    return SIM_OK;
}

sim_status sim_event_query(void *handle)
{
    const sim_event *event = sim_object_live(SIM_EVENT, handle);
    if (event == NULL)
        return SIM_INVALID_HANDLE;
    sim_status status = sim_context_state(event->object.context);
    return status != SIM_OK || is_done(event->latest) ? status : SIM_NOT_READY;
}

/* With the lock, which others need meanwhile. */
static void interrupt(unsigned flags)
{
    pthread_mutex_unlock(&sim_engine_here.lock);
    sim_time_interrupt((flags & SIM_EVENT_BLOCKING_SYNC) != 0);
    pthread_mutex_lock(&sim_engine_here.lock);
}

sim_status sim_event_synchronize(void *handle)
{
    const sim_event *event = sim_object_live(SIM_EVENT, handle);
    if (event == NULL)
        return SIM_INVALID_HANDLE;
    sim_status status = sim_context_state(event->object.context);
    if (status != SIM_OK || event->latest == NULL)
        return status;
    if (!is_done(event->latest)) {
        sim_wait_for(event->latest->point);
        interrupt(event->flags);
    }
    return sim_context_state(event->object.context);
}

sim_status sim_event_elapsed(float *milliseconds, void *start_handle, void *end_handle)
{
    const sim_event *start = sim_object_live(SIM_EVENT, start_handle), *end = sim_object_live(SIM_EVENT, end_handle);
    if (start == NULL || end == NULL || start->latest == NULL || end->latest == NULL ||
        ((start->flags | end->flags) & SIM_EVENT_NO_TIMING) != 0)
        return SIM_INVALID_HANDLE;
    if (start->object.context != end->object.context) {
        sim_violation("wrong context", "the time between events of devices %u and %u is asked for",
                      start->object.context->device->ordinal, end->object.context->device->ordinal);
        return SIM_INVALID_HANDLE;
    }
    sim_status status = sim_context_state(start->object.context);
    if (status != SIM_OK)
        return status;
    if (!is_done(start->latest) || !is_done(end->latest))
        return SIM_NOT_READY;
    *milliseconds = (float)((double)(int64_t)(end->latest->nanoseconds - start->latest->nanoseconds) * 1e-6);
    return SIM_OK;
}

sim_status sim_event_wait(void *stream_handle, void *handle)
{
    static const sim_command_type type = {.name = "wait"};
    const sim_event *event = sim_object_live(SIM_EVENT, handle);
    sim_stream *stream;
    if (event == NULL)
        return SIM_INVALID_HANDLE;
    sim_status status = sim_stream_of(stream_handle, &stream);
    if (status != SIM_OK || is_done(event->latest))
        return status;
    sim_command *command = sim_command_new(&type, sizeof *command);
    if (command == NULL)
        return SIM_OUT_OF_MEMORY;
    status = sim_command_wait_for(command, event->latest->point);
    if (status != SIM_OK) {
        free(command);
        return status;
    }
    return sim_submit(stream, command);
}

size_t sim_events_drop(sim_context *context)
{
    size_t left = 0;
    sim_event *event;
    for (size_t n = 0; (event = sim_object_at(SIM_EVENT, n)) != NULL; ++n)
        if (event->object.alive && event->object.context == context) {
            ++left;
            event->object.alive = false;
            release(event->latest);
            event->latest = NULL;
        }
    return left;
}
