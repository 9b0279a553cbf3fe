/* SPDX-License-Identifier: Apache-2.0 */
#include "core/memory/relay.h"
#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/timeline.h"
#include "core/memory/buffer.h"

/* -------------------------------------------------------------------------- of a non-blocking queue -- */

typedef struct relay {
    accel_relay_job job;
    accel_reference reference; /* the submitter's, and the host function's */
    _Atomic bool claimed;      /* by whoever carries the copy out, or takes it back */
    accel_status given;        /* the queue's status when the relay's turn came */
    accel_relay_end dst, src;  /* whose buffers are retained */
    accel_timeline *timeline;  /* 1: done, or skipped */
} relay;

static void release(relay *r)
{
    if (!accel_reference_release(&r->reference))
        return;
    accel_buffer_release(r->dst.buffer);
    accel_buffer_release(r->src.buffer);
    accel_timeline_release(r->timeline);
    accel_deallocate(r);
}

static bool claim(relay *r)
{
    return !atomic_exchange_explicit(&r->claimed, true, memory_order_acq_rel);
}

/* Gives back what is held before anybody learns that the copy is done: whoever waited finds the memory freed. */
static void end(relay *r, accel_status status)
{
    accel_timeline *timeline = r->timeline;

    accel_timeline_retain(timeline);
    accel_buffer_release(r->dst.buffer);
    accel_buffer_release(r->src.buffer);
    r->dst.buffer = r->src.buffer = NULL;
    accel_timeline_signal(timeline, 1, status);
    accel_timeline_release(timeline);
}

/* On a thread that may wait. Its own error text is no business of ours: it may be the program's. */
static void carry_out(relay *r)
{
    char text[ACCEL_ERROR_SIZE];

    if (claim(r)) {
        accel_status status = ACCEL_OK;
        if (r->given == ACCEL_OK) {
            accel_error_save(text);
            status = accel_relay_copy(&r->dst, &r->src);
            if (status != ACCEL_OK)
                accel_log(ACCEL_LOG_ERROR, "%s", accel_error_message());
            accel_error_restore(text);
        }
        end(r, status);
    }
    release(r);
}

static void run_job(accel_relay_job *job)
{
    carry_out((relay *)(void *)job);
}

/* The host functions. */
static void run_here(void *user, accel_status status)
{
    relay *r = user;

    r->given = status;
    carry_out(r);
}

static void run_elsewhere(void *user, accel_status status)
{
    relay *r = user;

    r->given = status;
    accel_relay_thread_post(&r->job);
}

static relay *make(const accel_relay_end *dst, const accel_relay_end *src)
{
    relay *r = accel_allocate(sizeof(*r));

    if (r == NULL || accel_timeline_create(&r->timeline) != ACCEL_OK) {
        accel_deallocate(r);
        return NULL;
    }
    accel_reference_init(&r->reference);
    r->job.run = run_job;
    r->dst = *dst;
    r->src = *src;
    accel_buffer_retain(dst->buffer);
    accel_buffer_retain(src->buffer);
    return r;
}

/* The queue does not wait for the relay: takes it back, or, if it is under way, waits in the queue's place. */
static accel_status take_back(const char *function, relay *r, accel_status status)
{
    if (claim(r)) {
        end(r, ACCEL_OK);
        return status;
    }
    accel_status done = accel_timeline_wait(r->timeline, 1);

    if (done == ACCEL_OK)
        return ACCEL_OK;
    return accel_error_set(done, "%s: the copy failed; ACCEL_LOG=error shows why", function);
}

static accel_status submit(const char *function, accel_queue *queue, const accel_relay_end *dst,
                           const accel_relay_end *src)
{
    const accel_queue_vtable *vtable = &queue->backend->queue_vtable;
    bool here = queue->device->properties.kind == ACCEL_DEVICE_CPU;
    accel_status status = here ? ACCEL_OK : accel_relay_thread_start(function);

    if (status != ACCEL_OK)
        return status;

    relay *r = make(dst, src);

    if (r == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    accel_reference_retain(&r->reference); /* the host function's */
    status = vtable->call(queue->impl, here ? run_here : run_elsewhere, r);
    if (status != ACCEL_OK) {
        accel_device_failed(function, queue->device, status);
        release(r);
        release(r);
        return status;
    }
    status = vtable->wait_timeline(queue->impl, r->timeline, 1);
    if (status != ACCEL_OK) {
        accel_device_failed(function, queue->device, status);
        status = take_back(function, r, status);
    }
    release(r);
    return status;
}

/* ------------------------------------------------------------------------------ of a blocking queue -- */

typedef struct direct {
    const accel_relay_end *dst, *src;
    accel_status status; /* of the copy, or of the queue before it */
    bool copied;
    char text[ACCEL_ERROR_SIZE];
} direct;

static void run_now(void *user, accel_status status)
{
    direct *d = user;

    d->status = status;
    if (status != ACCEL_OK)
        return;
    d->copied = true;
    d->status = accel_relay_copy(d->dst, d->src);
    accel_error_save(d->text); /* this may be another thread */
}

/* The queue keeps the copy's failure; or tells its own, for which the copy was skipped. */
static accel_status keep(const char *function, accel_queue *queue, const direct *d)
{
    accel_timeline *timeline;
    accel_status status = accel_timeline_create(&timeline);

    if (status == ACCEL_OK) {
        accel_timeline_signal(timeline, 1, d->copied ? d->status : ACCEL_OK);
        status = queue->backend->queue_vtable.wait_timeline(queue->impl, timeline, 1);
        accel_timeline_release(timeline);
    }
    if (d->copied) {
        accel_error_restore(d->text);
        return d->status;
    }
    if (status != ACCEL_OK)
        return accel_device_failed(function, queue->device, status);
    return accel_error_set(d->status, "%s: skipped, because the queue had failed; another thread was told of it",
                           function);
}

static accel_status submit_blocking(const char *function, accel_queue *queue, const accel_relay_end *dst,
                                    const accel_relay_end *src)
{
    direct d = {.dst = dst, .src = src};
    accel_status status = queue->backend->queue_vtable.call(queue->impl, run_now, &d);

    if (status != ACCEL_OK)
        return accel_device_failed(function, queue->device, status);
    return d.status == ACCEL_OK ? ACCEL_OK : keep(function, queue, &d);
}

accel_status accel_relay_submit(const char *function, accel_queue *queue, const accel_relay_end *dst,
                                const accel_relay_end *src)
{
    return accel_queue_blocking(queue) ? submit_blocking(function, queue, dst, src) : submit(function, queue, dst, src);
}
