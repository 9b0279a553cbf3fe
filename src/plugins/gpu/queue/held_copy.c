/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/held_copy.h"
#include "plugins/gpu/queue/call.h"
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/queue/retire_list.h"
#include "plugins/gpu/transfer/copier.h"

#include <stdlib.h>
#include <time.h>

typedef struct held_copy {
    gpu_call call; /* runs when the copy is over */
    gpu_transfer transfer;
    gpu_retired *retired;
} held_copy;

static const char what[] = "copy";

/* What a stage takes at once is copied there with less delay. */
bool gpu_copy_may_be_held(const accel_impl_queue *queue, const accel_copy_params *params)
{
    return !queue->wrapped && (params->dst_device == NULL) != (params->src_device == NULL) &&
           gpu_copy_bytes(params) > GPU_STAGE_BYTES;
}

void gpu_copy_hold_not(accel_impl_queue *queue)
{
    atomic_fetch_sub_explicit(&queue->held_copies, 1, memory_order_release);
}

/* Either this sees that the stream is shared, or whoever shares it sees the copy. */
bool gpu_copy_hold_begin(accel_impl_queue *queue)
{
    atomic_fetch_add_explicit(&queue->held_copies, 1, memory_order_seq_cst);
    if (!atomic_load_explicit(&queue->shared, memory_order_seq_cst))
        return true;
    gpu_copy_hold_not(queue);
    return false;
}

static void refused(gpu_transfer *transfer, accel_status status)
{
    gpu_queue_fail(PLUGIN_OWNER(transfer, held_copy, transfer)->call.queue, status);
}

static void done(gpu_transfer *transfer)
{
    gpu_job *job = &PLUGIN_OWNER(transfer, held_copy, transfer)->call.job;

    job->run(job);
}

static bool post(gpu_call *call)
{
    gpu_copier_post(call->queue->device, &PLUGIN_OWNER(call, held_copy, call)->transfer);
    return true;
}

/* What the copy holds goes back behind the driver's part of it. */
static void run(gpu_call *call, accel_status status)
{
    (void)status;
    gpu_retire_add(call->queue, PLUGIN_OWNER(call, held_copy, call)->retired);
    gpu_copy_hold_not(call->queue);
}

static void end(gpu_call *call)
{
    free(PLUGIN_OWNER(call, held_copy, call));
}

static accel_status submit(accel_impl_queue *queue, const accel_copy_params *params, gpu_retired *retired)
{
    accel_impl_device *device = queue->device;
    accel_status status = gpu_copier_start(device);

    if (status != ACCEL_OK)
        return status;
    held_copy *copy = calloc(1, sizeof(*copy));
    if (copy == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for %zu bytes", what, sizeof(*copy));
    copy->call = (gpu_call){.holds = true, .post = post, .run = run, .end = end};
    copy->transfer = (gpu_transfer){.params = *params, .stream = queue->stream, .refused = refused, .done = done};
    copy->retired = retired;
    if (device->driver->stream_query(queue->stream) == 0) { /* its turn has come, and no driver need say so */
        gpu_call_run_instead(queue, &copy->call);
        return ACCEL_OK;
    }
    status = gpu_call_submit(queue, &copy->call, what);
    if (status != ACCEL_OK)
        free(copy);
    return status;
}

accel_status gpu_copy_hold(accel_impl_queue *queue, const accel_copy_params *params, gpu_retired *retired)
{
    accel_status status = submit(queue, params, retired);

    if (status != ACCEL_OK)
        gpu_copy_hold_not(queue);
    return status;
}

/* A thread of the driver, which may be the one that the copy's turn waits for, cannot submit to the stream anyway. */
void gpu_copy_hold_no_more(accel_impl_queue *queue)
{
    atomic_store_explicit(&queue->shared, true, memory_order_seq_cst);
    while (gpu_thread_kind() != GPU_THREAD_DRIVER &&
           (atomic_load_explicit(&queue->held_copies, memory_order_seq_cst) != 0 || gpu_deferred_is_moving(queue)))
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}
