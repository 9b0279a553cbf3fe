/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, events and host functions. */
#include "entry.h"
#include "../engine/event.h"
#include "../engine/host_function.h"

cuda_result cuStreamCreateWithPriority(cuda_stream *stream, unsigned flags, int priority)
{
    CUDA_CALL(sim_stream_create(flags, priority, (void **)stream));
}

cuda_result cuStreamDestroy_v2(cuda_stream stream)
{
    CUDA_CALL(sim_stream_destroy(stream));
}

cuda_result cuStreamSynchronize(cuda_stream stream)
{
    CUDA_CALL(sim_stream_synchronize(stream));
}

cuda_result cuStreamQuery(cuda_stream stream)
{
    CUDA_CALL(sim_stream_query(stream));
}

cuda_result cuStreamGetPriority(cuda_stream stream, int *priority)
{
    CUDA_CALL(sim_stream_get_priority(stream, priority));
}

cuda_result cuStreamGetFlags(cuda_stream stream, unsigned *flags)
{
    CUDA_CALL(sim_stream_get_flags(stream, flags));
}

cuda_result cuStreamWaitEvent(cuda_stream stream, cuda_event event, unsigned flags)
{
    CUDA_CALL(flags != 0 ? SIM_INVALID_VALUE : sim_event_wait(stream, event));
}

cuda_result cuLaunchHostFunc(cuda_stream stream, cuda_host_function function, void *user)
{
    CUDA_CALL(sim_host_function(stream, function, user));
}

cuda_result cuEventCreate(cuda_event *event, unsigned flags)
{
    CUDA_CALL(sim_event_create(flags, (void **)event));
}

cuda_result cuEventDestroy_v2(cuda_event event)
{
    CUDA_CALL(sim_event_destroy(event));
}

cuda_result cuEventRecord(cuda_event event, cuda_stream stream)
{
    CUDA_CALL(sim_event_record(event, stream));
}

cuda_result cuEventQuery(cuda_event event)
{
    CUDA_CALL(sim_event_query(event));
}

cuda_result cuEventSynchronize(cuda_event event)
{
    CUDA_CALL(sim_event_synchronize(event));
}

cuda_result cuEventElapsedTime(float *milliseconds, cuda_event start, cuda_event end)
{
    CUDA_CALL(sim_event_elapsed(milliseconds, start, end));
}
