/* SPDX-License-Identifier: Apache-2.0 */
/* A queue: operations in order. The order itself is the plugin's. */
#ifndef ACCEL_CORE_QUEUE_H
#define ACCEL_CORE_QUEUE_H

#include "core/api/device.h"

#define ACCEL_CACHE_LINE 64

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
    /* After a fork the first user asks the plugin, once: it claims the generation, and publishes the answer by
     * settling it. */
    _Atomic uint32_t fork_claimed; /* relaxed compare-exchange: picks the asker */
    _Atomic uint32_t fork_settled; /* released after fork_status is written, acquired before it is read */
    accel_status fork_status;
    accel_queue *next, *previous; /* in root->queues, guarded by accel_guard_lock */
};

static inline bool accel_queue_blocking(const accel_queue *queue)
{
    return (queue->flags & ACCEL_QUEUE_BLOCKING) != 0;
}

/* Waits for every queue of the device and of its sub-devices; returns the first failure, after all were waited for.
 * Parameters are checked by the caller. */
accel_status accel_queue_wait_listed(const char *function, accel_device *);

/* Slow path of the fork check: the generation differs. ACCEL_OK, or ACCEL_FORKED with a text. */
accel_status accel_queue_after_fork(const char *function, accel_queue *);

#endif
