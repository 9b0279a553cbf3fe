/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"
#include "device.h"
#include "entry.h"
#include "load.h"
#include "timing.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static uint64_t next_random(sim_stream *stream)
{
    stream->random ^= stream->random << 13;
    stream->random ^= stream->random >> 7;
    stream->random ^= stream->random << 17;
    return stream->random;
}

/* One operation in four begins late, so that streams overtake each other. */
static void delay(uint64_t random)
{
    uint32_t most = sim_settings_here.delay;
    if (most == 0 || random % 4 != 0)
        return;
    uint64_t microseconds = random / 4 % most;
    struct timespec time = {.tv_sec = (time_t)(microseconds / 1000000),
                            .tv_nsec = (long)(microseconds % 1000000) * 1000};
    nanosleep(&time, NULL);
}

static bool is_due(const sim_command *command)
{
    for (size_t i = 0; i < command->point_count; ++i)
        if (command->points[i].stream->done < command->points[i].ticket)
            return false;
    return true;
}

/* The lock is held, but given up while it runs. */
static void execute(sim_stream *stream, sim_command *command)
{
    const sim_command_type *type = command->type;
    uint64_t random = next_random(stream);
    sim_status before = sim_context_state(stream->object.context), status = before;
    if (status == SIM_OK) {
        pthread_mutex_unlock(&sim_engine_here.lock);
        delay(random);
        pthread_mutex_lock(&sim_engine_here.lock);
        status = before = sim_context_state(stream->object.context);
    }
    command->state = before;
    if (status == SIM_OK && type->begin != NULL)
        status = type->begin(command);
    if ((status == SIM_OK || type->always) && type->run != NULL) {
        pthread_mutex_unlock(&sim_engine_here.lock);
        status = type->run(command);
        pthread_mutex_lock(&sim_engine_here.lock);
    }
    if (before == SIM_OK && status != SIM_OK)
        sim_context_fail(stream->object.context, status);
    if (type->end != NULL && (before == SIM_OK || type->always))
        type->end(command, sim_context_state(stream->object.context));
}

static void stop_at_the_end(void)
{
    while (sim_engine_here.stopped)
        pthread_cond_wait(&sim_engine_here.progress, &sim_engine_here.lock);
}

static void *work(void *argument)
{
    sim_stream *stream = argument;
    sim_time_stream();
    pthread_mutex_lock(&sim_engine_here.lock);
    for (;;) {
        while (stream->first == NULL && stream->object.alive)
            pthread_cond_wait(&stream->wake, &sim_engine_here.lock);
        sim_command *command = stream->first;
        if (command == NULL)
            break;
        while (!is_due(command))
            pthread_cond_wait(&sim_engine_here.progress, &sim_engine_here.lock);
        stop_at_the_end();
        execute(stream, command);
        stop_at_the_end();
        stream->first = command->next;
        stream->done = command->ticket;
        sim_load_commands(-1);
        pthread_cond_broadcast(&sim_engine_here.progress);
        free(command->points);
        free(command);
    }
    sim_stream_unlink(stream);
    if (stream->lane >= 0)
        close(stream->lane);
    stream->lane = -1;
    pthread_mutex_unlock(&sim_engine_here.lock);
    return NULL;
}

bool sim_worker_start(sim_stream *stream)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    if (stream->has_thread)
        return true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    stream->has_thread = pthread_create(&thread, &attributes, work, stream) == 0;
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return stream->has_thread;
}

void sim_worker_hang(const sim_stream *stream)
{
    pthread_mutex_lock(&sim_engine_here.lock);
    while (!stream->object.context->device->lost)
        pthread_cond_wait(&sim_engine_here.progress, &sim_engine_here.lock);
    pthread_mutex_unlock(&sim_engine_here.lock);
}
