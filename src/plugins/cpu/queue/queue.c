/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/queue.h"
#include "plugins/cpu/engine/process.h"

#include <stdlib.h>
#include <string.h>

static void destroy_storage(accel_impl_queue *queue)
{
    cpu_retire_remove(&queue->retired);
    plugin_failure_end(&queue->failure);
    cpu_ring_clear(&queue->ring);
    cpu_scratch_clear(&queue->scratch);
    cpu_absent_shared_end(&queue->absent_shared);
    cpu_catcher_end(queue->catcher);
    if (queue->timeline != NULL)
        cpu_host()->timeline_release(queue->timeline);
    cpu_device_release(queue->device);
    free(queue);
}

void cpu_queue_retain(accel_impl_queue *queue)
{
    plugin_reference_retain(&queue->references);
}

void cpu_queue_release(accel_impl_queue *queue)
{
    if (plugin_reference_release(&queue->references))
        destroy_storage(queue);
}

void cpu_queue_end_awaited(accel_impl_queue *queue)
{
    cpu_lock_wake(&queue->run);
    cpu_retire_collect(&queue->retired);
}

accel_status cpu_queue_report_shared(accel_impl_queue *queue, accel_status status)
{
    accel_status failed = cpu_absent_shared_report(&queue->absent_shared);
    if (failed == ACCEL_OK)
        return status;
    plugin_failure_keep(&queue->failure, cpu_host(), failed);
    return status == ACCEL_OK ? failed : status;
}

/* `run` was given back before there was a reason to look, so that launches without a fault do not look. */
accel_status cpu_queue_end_faulty(accel_impl_queue *queue, accel_status status)
{
    cpu_queue_end_awaited(queue);
    if (cpu_absent_shared_is_used(&queue->absent_shared)) {
        cpu_lock_acquire(&queue->run);
        status = cpu_queue_report_shared(queue, status);
        cpu_queue_end(queue);
    }
    return status;
}

accel_status cpu_queue_create(accel_impl_device *device, uint32_t flags, int32_t priority, accel_impl_queue **made)
{
    (void)priority; /* there is one */
    accel_impl_backend *backend = device->backend;
    size_t size = (sizeof(accel_impl_queue) + CPU_RING_LINE - 1) / CPU_RING_LINE * CPU_RING_LINE;
    accel_impl_queue *queue = aligned_alloc(CPU_RING_LINE, size);
    if (queue == NULL)
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "queue of %s: no memory for %zu bytes", backend->executor->name,
                                 size);
    memset(queue, 0, size);
    accel_timeline *timeline;
    accel_status status = cpu_host()->timeline_create(&timeline);
    if (status != ACCEL_OK) {
        free(queue);
        return status;
    }
    cpu_device_retain(device);
    queue->blocking = (flags & ACCEL_QUEUE_BLOCKING) != 0;
    queue->profiling = (flags & ACCEL_QUEUE_PROFILING) != 0;
    queue->device = device;
    queue->executor = device->executor;
    queue->catcher = cpu_catcher_make(device->executor, &backend->settings);
    queue->runner = queue->catcher != NULL ? &queue->catcher->executor : device->executor;
    queue->inline_blocks = queue->catcher == NULL && device->executor->observer == NULL;
    cpu_device_after_fork(device);
    cpu_absent_shared_begin(&queue->absent_shared, &queue->run, &queue->prepared);
    queue->site = (cpu_launch_site){.locks = cpu_process_locks,
                                    .lock_mask = CPU_LOCKS - 1,
                                    .settings = &backend->settings,
                                    .absent_shared = queue->absent_shared.memory};
    plugin_failure_begin(&queue->failure);
    plugin_reference_begin(&queue->references);
    queue->generation = *cpu_host()->fork_generation;
    queue->timeline = timeline;
    queue->ring.awaited = UINT64_MAX;
    queue->retired.run = queue->blocking ? &queue->run : NULL;
    queue->retired.ring = &queue->ring;
    queue->retired.generation = &queue->generation;
    cpu_retire_add(&queue->retired);
    *made = queue;
    return ACCEL_OK;
}

/* With all commands complete whoever holds `run` is on the way out, or finds nothing to do: what wait waited for is done
 * before the worker gives `run` back. Only a submit leaves the ring half changed. */
static bool was_idle(accel_impl_queue *queue)
{
    if (queue->blocking)
        return !cpu_lock_is_held(&queue->run);
    return atomic_load_explicit(&queue->ring.lock.held, memory_order_acquire) != CPU_LOCK_HELD &&
           cpu_ring_published(&queue->ring) == cpu_ring_completed(&queue->ring);
}

accel_status cpu_queue_check_fork(accel_impl_queue *queue)
{
    return queue->generation == *cpu_host()->fork_generation
               ? ACCEL_OK
               : cpu_host()->error(
                     ACCEL_FORKED,
                     "queue of %s: it had work pending when the process forked; create a new queue in the child",
                     queue->executor->name);
}

/* The forking thread is the only one here. If it was idle, everything is in order but for the worker thread, which does
 * not exist in the child, and counts of threads that waited. */
accel_status cpu_queue_after_fork(accel_impl_queue *queue)
{
    if (queue->generation == *cpu_host()->fork_generation)
        return ACCEL_OK;
    if (!was_idle(queue))
        return ACCEL_FORKED;
    queue->run = (cpu_lock){0};
    queue->ring.lock = (cpu_lock){0};
    plugin_failure_begin(&queue->failure); /* its lock */
    atomic_store(&queue->ring.awaited, UINT64_MAX);
    queue->generation = *cpu_host()->fork_generation;
    cpu_retire_after_fork(&queue->retired);
    cpu_device_after_fork(queue->device);
    if (queue->worker != CPU_WORKER_NONE) {
        atomic_store(&queue->worker, CPU_WORKER_NONE);
        cpu_queue_release(queue); /* the worker's; the caller's keeps it */
    }
    return ACCEL_OK;
}
