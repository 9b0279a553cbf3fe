/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, events and host functions. */
#include "forward.h"

#include <stdlib.h>

hip_result hipStreamCreateWithPriority(hip_stream *stream, unsigned int flags, int priority)
{
    FORWARD_ENTER();
    return forward_result(cuda.stream_create((cuda_stream *)stream, flags, priority));
}

hip_result hipStreamDestroy(hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(cuda.stream_destroy((cuda_stream)stream));
}

hip_result hipStreamSynchronize(hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(cuda.stream_synchronize((cuda_stream)stream));
}

hip_result hipStreamQuery(hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(cuda.stream_query((cuda_stream)stream));
}

hip_result hipStreamWaitEvent(hip_stream stream, hip_event event, unsigned int flags)
{
    FORWARD_ENTER();
    return forward_result(cuda.stream_wait_event((cuda_stream)stream, (cuda_event)event, flags));
}

hip_result hipLaunchHostFunc(hip_stream stream, hip_host_function function, void *user)
{
    FORWARD_ENTER();
    return forward_result(cuda.stream_call((cuda_stream)stream, function, user));
}

typedef struct callback {
    hip_stream stream;
    hip_stream_callback function;
    void *user;
} callback;

static void run_callback(void *user)
{
    callback call = *(callback *)user;

    free(user);
    call.function(call.stream, HIP_RESULT_SUCCESS, call.user);
}

hip_result hipStreamAddCallback(hip_stream stream, hip_stream_callback function, void *user, unsigned int flags)
{
    (void)flags;
    FORWARD_ENTER();
    callback *call = malloc(sizeof(*call));
    if (call == NULL)
        return HIP_RESULT_OUT_OF_MEMORY;
    *call = (callback){stream, function, user};
    cuda_result result = cuda.stream_call((cuda_stream)stream, run_callback, call);
    if (result != CUDA_RESULT_SUCCESS)
        free(call);
    return forward_result(result);
}

hip_result hipEventCreateWithFlags(hip_event *event, unsigned int flags)
{
    FORWARD_ENTER();
    return forward_result(cuda.event_create((cuda_event *)event, flags));
}

hip_result hipEventDestroy(hip_event event)
{
    FORWARD_ENTER();
    return forward_result(cuda.event_destroy((cuda_event)event));
}

hip_result hipEventRecord(hip_event event, hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(cuda.event_record((cuda_event)event, (cuda_stream)stream));
}

hip_result hipEventQuery(hip_event event)
{
    FORWARD_ENTER();
    return forward_result(cuda.event_query((cuda_event)event));
}

hip_result hipEventSynchronize(hip_event event)
{
    FORWARD_ENTER();
    return forward_result(cuda.event_synchronize((cuda_event)event));
}

hip_result hipEventElapsedTime(float *milliseconds, hip_event start, hip_event end)
{
    FORWARD_ENTER();
    return forward_result(cuda.event_elapsed(milliseconds, (cuda_event)start, (cuda_event)end));
}
