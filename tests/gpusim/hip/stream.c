/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, events and host functions. */
#include "entry.h"
#include "../engine/event.h"
#include "../engine/host_function.h"

#include <stdlib.h>

hip_result hipStreamCreateWithPriority(hip_stream *stream, unsigned flags, int priority)
{
    HIP_CALL(sim_stream_create(flags, priority, (void **)stream));
}

hip_result hipStreamDestroy(hip_stream stream)
{
    HIP_CALL(sim_stream_destroy(stream));
}

hip_result hipStreamSynchronize(hip_stream stream)
{
    HIP_CALL(sim_stream_synchronize(stream));
}

hip_result hipStreamQuery(hip_stream stream)
{
    HIP_CALL(sim_stream_query(stream));
}

hip_result hipStreamGetPriority(hip_stream stream, int *priority)
{
    HIP_CALL(sim_stream_get_priority(stream, priority));
}

hip_result hipStreamGetFlags(hip_stream stream, unsigned *flags)
{
    HIP_CALL(sim_stream_get_flags(stream, flags));
}

hip_result hipStreamWaitEvent(hip_stream stream, hip_event event, unsigned flags)
{
    HIP_CALL(flags != 0 ? SIM_INVALID_VALUE : sim_event_wait(stream, event));
}

hip_result hipLaunchHostFunc(hip_stream stream, hip_host_function function, void *user)
{
    HIP_CALL(sim_host_function(stream, function, user));
}

typedef struct callback {
    hip_stream_callback function;
    hip_stream stream;
    void *user;
} callback;

static void call_back(void *stream, sim_status status, void *user)
{
    callback carried = *(callback *)user;
    (void)stream;
    free(user);
    carried.function(carried.stream, hip_result_of(status), carried.user);
}

static sim_status add_callback(callback what)
{
    callback *carried = malloc(sizeof *carried);
    if (carried == NULL)
        return SIM_OUT_OF_MEMORY;
    *carried = what;
    sim_status status = sim_host_callback(what.stream, call_back, carried);
    if (status != SIM_OK)
        free(carried);
    return status;
}

hip_result hipStreamAddCallback(hip_stream stream, hip_stream_callback function, void *user, unsigned flags)
{
    HIP_CALL(flags != 0 ? SIM_INVALID_VALUE : add_callback((callback){function, stream, user}));
}

hip_result hipEventCreateWithFlags(hip_event *event, unsigned flags)
{
    HIP_CALL(sim_event_create(flags, (void **)event));
}

hip_result hipEventDestroy(hip_event event)
{
    HIP_CALL(sim_event_destroy(event));
}

hip_result hipEventRecord(hip_event event, hip_stream stream)
{
    HIP_CALL(sim_event_record(event, stream));
}

hip_result hipEventQuery(hip_event event)
{
    HIP_CALL(sim_event_query(event));
}

hip_result hipEventSynchronize(hip_event event)
{
    HIP_CALL(sim_event_synchronize(event));
}

hip_result hipEventElapsedTime(float *milliseconds, hip_event start, hip_event end)
{
    HIP_CALL(sim_event_elapsed(milliseconds, start, end));
}
