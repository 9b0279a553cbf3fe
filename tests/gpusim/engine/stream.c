/* SPDX-License-Identifier: Apache-2.0 */
#include "stream.h"
#include "device.h"
#include "entry.h"
#include "front.h"
#include "load.h"
#include "report.h"
#include "thread.h"
#include "worker.h"

#include <stdlib.h>
#include <unistd.h>

/* -------------------------------------------------------------------------------------------- submitting -- */

void *sim_command_new(const sim_command_type *type, size_t size)
{
    sim_command *command = calloc(1, size);
    if (command != NULL)
        command->type = type;
    return command;
}

sim_status sim_command_wait_for(sim_command *command, sim_point point)
{
    sim_point *points = realloc(command->points, (command->point_count + 1) * sizeof *points);
    if (points == NULL)
        return SIM_OUT_OF_MEMORY;
    command->points = points;
    points[command->point_count++] = point;
    return SIM_OK;
}

/* The default stream waits for all that went into the blocking streams before, and they for it. */
static sim_status order(sim_stream *stream, sim_command *command)
{
    sim_status status = SIM_OK;
    if (stream->flags & SIM_STREAM_NON_BLOCKING)
        return SIM_OK;
    for (sim_stream *other = stream->object.context->streams; other != NULL && status == SIM_OK; other = other->next)
        if (other != stream && (other->flags & SIM_STREAM_NON_BLOCKING) == 0 &&
            (stream->is_default || other->is_default) && other->done < other->submitted)
            status = sim_command_wait_for(command, (sim_point){other, other->submitted});
    return status;
}

sim_status sim_submit(sim_stream *stream, sim_command *command)
{
    sim_status status = order(stream, command);
    if (status == SIM_OK && !sim_worker_start(stream))
        status = SIM_OPERATING_SYSTEM;
    if (status != SIM_OK) {
        free(command->points);
        free(command);
        return status;
    }
    command->stream = stream;
    command->ticket = ++stream->submitted;
    if (stream->first == NULL)
        stream->first = command;
    else
        stream->last->next = command;
    stream->last = command;
    sim_load_commands(1);
    pthread_cond_signal(&stream->wake);
    while (stream->submitted - stream->done > sim_settings_here.room)
        pthread_cond_wait(&sim_engine_here.progress, &sim_engine_here.lock);
    return SIM_OK;
}

void sim_wait_for(sim_point point)
{
    while (point.stream->done < point.ticket)
        pthread_cond_wait(&sim_engine_here.progress, &sim_engine_here.lock);
}

sim_status sim_submit_and_wait(sim_stream *stream, sim_command *command)
{
    sim_status status = sim_submit(stream, command);
    if (status != SIM_OK)
        return status;
    sim_wait_for((sim_point){stream, stream->submitted});
    return sim_context_state(stream->object.context);
}

bool sim_module_is_in_use(const struct sim_module *module)
{
    const sim_stream *stream;
    for (size_t n = 0; (stream = sim_object_at(SIM_STREAM, n)) != NULL; ++n)
        for (const sim_command *command = stream->first; command != NULL; command = command->next)
            if (command->module == module)
                return true;
    return false;
}

/* -------------------------------------------------------------------------------------------------- life -- */

static sim_stream *new_stream(sim_context *context, unsigned flags, int priority)
{
    sim_stream *stream = sim_object_new(SIM_STREAM, sizeof *stream);
    if (stream == NULL)
        return NULL;
    pthread_cond_init(&stream->wake, NULL);
    stream->object.context = context;
    stream->flags = flags;
    stream->priority = priority < sim_front_here.greatest_priority ? sim_front_here.greatest_priority
                       : priority > sim_front_here.least_priority  ? sim_front_here.least_priority
                                                                   : priority;
    stream->lane = -1;
    stream->random =
        sim_settings_here.seed * 0x9e3779b97f4a7c15u ^ ((uintptr_t)stream->object.handle * 0xd1342543de82ef95u);
    stream->next = context->streams;
    context->streams = stream;
    return stream;
}

sim_stream *sim_stream_default(sim_context *context)
{
    sim_stream *stream = new_stream(context, 0, 0);
    if (stream != NULL)
        stream->is_default = stream->object.is_drivers = true;
    return stream;
}

sim_status sim_stream_create(unsigned flags, int priority, void **handle)
{
    sim_context *context;
    sim_status status = sim_current(&context);
    if (status != SIM_OK)
        return status;
    if ((flags & ~SIM_STREAM_NON_BLOCKING) != 0)
        return SIM_INVALID_VALUE;
    sim_stream *stream = new_stream(context, flags, priority);
    if (stream == NULL)
        return SIM_OUT_OF_MEMORY;
    *handle = stream->object.handle;
    return SIM_OK;
}

/* What is pending finishes; the thread ends then. */
static void end_stream(sim_stream *stream)
{
    stream->object.alive = false;
    if (stream->has_thread)
        pthread_cond_signal(&stream->wake);
    else
        sim_stream_unlink(stream);
}

void sim_stream_unlink(sim_stream *stream)
{
    for (sim_stream **at = &stream->object.context->streams; *at != NULL; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            return;
        }
}

sim_status sim_stream_destroy(void *handle)
{
    sim_stream *stream = sim_object_live(SIM_STREAM, handle);
    if (stream == NULL || stream->is_default)
        return SIM_INVALID_HANDLE;
    end_stream(stream);
    return sim_context_state(stream->object.context);
}

size_t sim_streams_drop(sim_context *context)
{
    size_t left = 0;
    for (sim_stream *stream = context->streams, *next; stream != NULL; stream = next) {
        next = stream->next;
        left += stream->object.alive && !stream->is_default;
        if (stream->object.alive)
            end_stream(stream);
    }
    context->default_stream = NULL;
    return left;
}

/* --------------------------------------------------------------------------------------------------- use -- */

sim_status sim_stream_of(void *handle, sim_stream **stream)
{
    if ((uintptr_t)handle <= 1) {
        sim_context *context;
        sim_status status = sim_current(&context);
        if (status == SIM_OK)
            *stream = context->default_stream;
        return status;
    }
    *stream = sim_object_live(SIM_STREAM, handle);
    if (sim_current_any() == NULL)
        return SIM_INVALID_CONTEXT;
    return *stream == NULL ? SIM_INVALID_HANDLE : sim_context_state((*stream)->object.context);
}

sim_status sim_stream_here(void *handle, sim_stream **stream)
{
    sim_context *context;
    sim_status status = sim_current(&context);
    if (status == SIM_OK)
        status = sim_stream_of(handle, stream);
    if (status == SIM_OK && (*stream)->object.context != context) {
        sim_violation("wrong context", "%s: the stream belongs to device %u, current is device %u",
                      sim_thread_here.function, (*stream)->object.context->device->ordinal, context->device->ordinal);
        status = SIM_INVALID_HANDLE;
    }
    return status;
}

sim_status sim_stream_get_priority(void *handle, int *priority)
{
    sim_stream *stream;
    sim_status status = sim_stream_of(handle, &stream);
    if (status == SIM_OK)
        *priority = stream->priority;
    return status;
}

sim_status sim_stream_get_flags(void *handle, unsigned *flags)
{
    sim_stream *stream;
    sim_status status = sim_stream_of(handle, &stream);
    if (status == SIM_OK)
        *flags = stream->flags;
    return status;
}

sim_status sim_stream_query(void *handle)
{
    sim_stream *stream;
    sim_status status = sim_stream_of(handle, &stream);
    if (status != SIM_OK)
        return status;
    if (stream->done < stream->submitted)
        return SIM_NOT_READY;
    if (!stream->is_default)
        return SIM_OK;
    for (const sim_stream *other = stream->object.context->streams; other != NULL; other = other->next)
        if ((other->flags & SIM_STREAM_NON_BLOCKING) == 0 && other->done < other->submitted)
            return SIM_NOT_READY;
    return SIM_OK;
}

sim_status sim_stream_synchronize(void *handle)
{
    sim_stream *stream;
    sim_status status = sim_stream_of(handle, &stream);
    if (status != SIM_OK)
        return status;
    sim_wait_for((sim_point){stream, stream->submitted});
    if (stream->is_default)
        sim_streams_synchronize_blocking(stream->object.context);
    return sim_context_state(stream->object.context);
}

/* Those that were there when it began: a stream's memory stays valid, but its neighbour may change meanwhile. */
static void synchronize(sim_context *context, unsigned without)
{
    sim_point points[256];
    size_t count;
    do {
        count = 0;
        for (sim_stream *stream = context->streams; stream != NULL && count < 256; stream = stream->next)
            if ((stream->flags & without) == 0 && stream->done < stream->submitted)
                points[count++] = (sim_point){stream, stream->submitted};
        for (size_t i = 0; i < count; ++i)
            sim_wait_for(points[i]);
    } while (count == 256);
}

void sim_streams_synchronize(sim_context *context)
{
    synchronize(context, 0);
}

void sim_streams_synchronize_blocking(sim_context *context)
{
    synchronize(context, SIM_STREAM_NON_BLOCKING);
}

bool sim_streams_busy(void)
{
    const sim_stream *stream;
    for (size_t n = 0; (stream = sim_object_at(SIM_STREAM, n)) != NULL; ++n)
        if (stream->done < stream->submitted)
            return true;
    return false;
}
