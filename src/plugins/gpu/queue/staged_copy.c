/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/staged_copy.h"
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/engine/stage.h"
#include "plugins/gpu/queue/call.h"
#include "plugins/gpu/transfer/decomposition.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------ the stream's functions -- */

static gpu_result move(void *user, const gpu_copy_3d *part)
{
    (void)user;
    gpu_copy_on_host(part);
    return 0;
}

typedef struct move_call {
    gpu_call call;
    gpu_copy_3d part;
} move_call;

typedef struct copy_call {
    gpu_call call;
    accel_copy_params params;
} copy_call;

typedef struct pattern_call {
    gpu_call call;
    unsigned char *memory;
    size_t size, pattern_size;
    unsigned char pattern[];
} pattern_call;

static void run_move(gpu_call *call, accel_status status)
{
    if (status == ACCEL_OK)
        gpu_copy_on_host(&((move_call *)(void *)call)->part);
}

static void run_copy(gpu_call *call, accel_status status)
{
    if (status == ACCEL_OK)
        gpu_decompose_copy(&((copy_call *)(void *)call)->params, SIZE_MAX, move, NULL);
}

static void repeat(unsigned char *memory, size_t size, const void *pattern, size_t pattern_size)
{
    memcpy(memory, pattern, pattern_size);
    for (size_t done = pattern_size; done < size;) {
        size_t more = done < size - done ? done : size - done;
        memcpy(memory + done, memory, more);
        done += more;
    }
}

static void run_pattern(gpu_call *call, accel_status status)
{
    pattern_call *own = (pattern_call *)(void *)call;

    if (status == ACCEL_OK)
        repeat(own->memory, own->size, own->pattern, own->pattern_size);
}

static void end_call(gpu_call *call)
{
    free(call);
}

static void *make(size_t size, void (*run)(gpu_call *, accel_status))
{
    gpu_call *call = calloc(1, size);

    if (call != NULL) {
        call->run = run;
        call->end = end_call;
    } else {
        gpu_host()->error(ACCEL_OUT_OF_MEMORY, "copy: no memory for %zu bytes to copy in steps", size);
    }
    return call;
}

static accel_status submit(accel_impl_queue *queue, gpu_call *call)
{
    accel_status status = gpu_call_submit(queue, call, "copying in steps");

    if (status != ACCEL_OK)
        free(call);
    return status;
}

/* ------------------------------------------------------------------------------------------ copying -- */

/* A copy in steps. What went to the driver before a step failed cannot be taken back: the queue has failed then. */
typedef struct staging {
    accel_impl_queue *queue;
    accel_status status;
    unsigned steps; /* so far */
} staging;

static accel_status step(staging *s, const gpu_copy_3d *chunk)
{
    accel_impl_queue *queue = s->queue;
    const gpu_driver *driver = queue->device->driver;
    move_call *call = make(sizeof(*call), run_move);
    gpu_packed_chunk packed = gpu_pack_chunk(chunk, queue->stage->memory);

    if (call == NULL)
        return ACCEL_OUT_OF_MEMORY;
    call->part = packed.on_host;
    bool to_device = chunk->src_host;
    if (to_device) {
        accel_status status = submit(queue, &call->call);
        if (status != ACCEL_OK)
            return status;
        ++s->steps;
    }
    gpu_result result = chunk->height == 1 && chunk->depth == 1
                            ? driver->copy(packed.on_device.dst, packed.on_device.src, chunk->width, queue->stream)
                            : driver->copy_3d(&packed.on_device, queue->stream);
    if (result != 0) {
        if (!to_device)
            free(call);
        return gpu_device_failed(queue->device, "copy", result);
    }
    ++s->steps;
    return to_device ? ACCEL_OK : submit(queue, &call->call);
}

static gpu_result stage_chunk(void *user, const gpu_copy_3d *chunk)
{
    staging *s = user;

    s->status = step(s, chunk);
    return s->status == ACCEL_OK ? 0 : 1;
}

static gpu_result stage_part(void *user, const gpu_copy_3d *part)
{
    return gpu_decompose_chunks(part, GPU_STAGE_BYTES, stage_chunk, user);
}

/* From host to host a driver copies while the caller waits. */
static accel_status copy_on_host(accel_impl_queue *queue, const accel_copy_params *params)
{
    copy_call *call = make(sizeof(*call), run_copy);

    if (call == NULL)
        return ACCEL_OUT_OF_MEMORY;
    call->params = *params;
    return submit(queue, &call->call);
}

accel_status gpu_copy_staged(accel_impl_queue *queue, const accel_copy_params *params)
{
    staging s = {.queue = queue};

    if (params->dst_device == NULL && params->src_device == NULL)
        return copy_on_host(queue, params);
    pthread_mutex_lock(&queue->stage->lock);
    gpu_decompose_copy(params, (size_t)queue->device->attributes[GPU_ATTRIBUTE_MAX_PITCH], stage_part, &s);
    pthread_mutex_unlock(&queue->stage->lock);
    return s.status == ACCEL_OK || s.steps == 0 ? s.status : gpu_queue_fail(queue, s.status);
}

/* ------------------------------------------------------------------------------------------ patterns -- */

/* A blocking queue has no stage: the caller waits for a copy of its own. */
static accel_status write_pattern(accel_impl_queue *queue, void *dst, const void *pattern, size_t pattern_size,
                                  size_t size)
{
    static const char what[] = "fill";
    unsigned char *memory = malloc(size);

    if (memory == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for %zu bytes", what, size);
    repeat(memory, size, pattern, pattern_size);
    const gpu_driver *driver = queue->device->driver;
    gpu_result result = driver->copy(dst, memory, size, queue->stream);
    if (result == 0)
        result = gpu_stream_finish(driver, queue->stream);
    free(memory);
    return result == 0 ? ACCEL_OK : gpu_device_failed(queue->device, what, result);
}

accel_status gpu_write_pattern(accel_impl_queue *queue, void *dst, const void *pattern, size_t pattern_size,
                               size_t *size)
{
    enum { MOST = 64 << 10 };
    size_t bytes = MOST / pattern_size * pattern_size;

    if (bytes > *size)
        bytes = *size;
    *size = bytes;
    if (queue->stage == NULL)
        return write_pattern(queue, dst, pattern, pattern_size, bytes);
    pattern_call *call = make(sizeof(*call) + pattern_size, run_pattern);
    if (call == NULL)
        return ACCEL_OUT_OF_MEMORY;
    call->memory = queue->stage->memory;
    call->size = bytes;
    call->pattern_size = pattern_size;
    memcpy(call->pattern, pattern, pattern_size);
    pthread_mutex_lock(&queue->stage->lock);
    accel_status status = submit(queue, &call->call);
    if (status == ACCEL_OK) {
        gpu_result result = queue->device->driver->copy(dst, queue->stage->memory, bytes, queue->stream);
        if (result != 0)
            status = gpu_device_failed(queue->device, "fill", result);
    }
    pthread_mutex_unlock(&queue->stage->lock);
    return status;
}
