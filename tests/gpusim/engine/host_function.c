/* SPDX-License-Identifier: Apache-2.0 */
#include "host_function.h"
#include "stream.h"
#include "thread.h"
#include "timing.h"

#include <pthread.h>

typedef struct host_command {
    sim_command command;
    void (*function)(void *);
    void (*callback)(void *, sim_status, void *);
    void *user;
} host_command;

/* The functions of all streams run one at a time, as if on one thread: CUDA reserves the right, and ROCm has one thread. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void enter(void)
{
    pthread_mutex_lock(&turn);
    sim_time_begin_function();
    sim_thread_here.inside = true;
}

static void leave(void)
{
    sim_thread_here.inside = false;
    sim_time_end_function();
    pthread_mutex_unlock(&turn);
}

static sim_status call_function(sim_command *command)
{
    const host_command *host = (host_command *)command;
    enter();
    host->function(host->user);
    leave();
    return SIM_OK;
}

static sim_status call_back(sim_command *command)
{
    const host_command *host = (host_command *)command;
    enter();
    host->callback(command->stream->object.handle, command->state, host->user);
    leave();
    return SIM_OK;
}

static sim_status submit(const sim_command_type *type, void *handle, host_command what)
{
    sim_stream *stream;
    sim_status status = sim_stream_of(handle, &stream);
    host_command *command = status == SIM_OK ? sim_command_new(type, sizeof *command) : NULL;
    if (command == NULL)
        return status != SIM_OK ? status : SIM_OUT_OF_MEMORY;
    what.command = command->command;
    *command = what;
    return sim_submit(stream, &command->command);
}

sim_status sim_host_function(void *stream, void (*function)(void *), void *user)
{
    static const sim_command_type type = {.name = "host function", .run = call_function};
    return submit(&type, stream, (host_command){.function = function, .user = user});
}

sim_status sim_host_callback(void *stream, void (*callback)(void *, sim_status, void *), void *user)
{
    static const sim_command_type type = {.name = "callback", .run = call_back, .always = true};
    return submit(&type, stream, (host_command){.callback = callback, .user = user});
}
