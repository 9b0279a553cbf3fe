/* SPDX-License-Identifier: Apache-2.0 */
/* A queue: operations in order. The order itself is the plugin's. */
#ifndef ACCEL_CORE_QUEUE_H
#define ACCEL_CORE_QUEUE_H

#include "core/api/device.h"

#define ACCEL_CACHE_LINE 64

struct accel_scratch; /* core/patterns/scratch.h */

struct accel_queue {
    /* Read by every launch: one cache line, written only after a fork. */
    _Alignas(ACCEL_CACHE_LINE) accel_impl_queue *impl;
    accel_status (*launch)(accel_impl_queue *, accel_impl_kernel *, const accel_work *, const void *args);
    accel_device *root;               /* device->root: kernels must be of it */
    _Atomic uint32_t fork_generation; /* in which it may be used; relaxed: only compared */
    uint32_t flags;                   /* ACCEL_QUEUE_* */
    accel_backend *backend;
    accel_device *device; /* retained */

    _Alignas(ACCEL_CACHE_LINE) accel_reference reference;
    accel_deferred deferred;
    /* After a fork the first user asks the plugin, once: it claims the generation, and publishes the result by
     * settling it. */
    _Atomic uint32_t fork_claimed; /* relaxed compare-exchange: picks the asker */
    _Atomic uint32_t fork_settled; /* released after fork_status is written, acquired before it is read */
    accel_status fork_status;
    accel_queue *next, *previous; /* in root->queues, guarded by accel_guard_lock */
    /* Memory of patterns: NULL until the first one that needs it, then the same to the end. */
    _Atomic(struct accel_scratch *) scratch;
    void (*_Atomic end_scratch)(accel_queue *); /* set before it */
};

static inline bool accel_queue_blocking(const accel_queue *queue)
{
    return (queue->flags & ACCEL_QUEUE_BLOCKING) != 0;
}

/* The fork check once the generation differs: ACCEL_OK, or ACCEL_FORKED with a text. */
accel_status accel_queue_after_fork(const char *function, accel_queue *);

/* API check of a queue: not NULL, outside host functions (Q8), alive after a fork (O7), device not lost (K10). Inline:
 * it is all that accel_queue_wait of an idle queue costs. */
accel_status accel_queue_check_slow(const char *function, accel_queue *);
static inline accel_status accel_queue_check(const char *function, accel_queue *queue)
{
    if (__builtin_expect(
            queue != NULL &&
                atomic_load_explicit(&queue->fork_generation, memory_order_relaxed) == accel_guard_fork_generation &&
                atomic_load_explicit(&queue->root->lost, memory_order_relaxed) == 0 && !accel_guard_inside(),
            1))
        return ACCEL_OK;
    return accel_queue_check_slow(function, queue);
}
/* The same, but allowed inside host functions: for queries. */
accel_status accel_queue_check_query(const char *function, accel_queue *);

/* The queue is not of the buffer's memory: ACCEL_INVALID, with what would do. */
accel_status accel_queue_foreign_buffer(const char *function, const accel_queue *, const accel_device *buffers);
/* For texts that name both devices: " of another instance", or "". */
static inline const char *accel_queue_elsewhere(const accel_queue *queue, const accel_device *device)
{
    return device->instance != queue->device->instance ? " of another instance" : "";
}

#endif
