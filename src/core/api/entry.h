/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the entry points of objects ask before a slot of a plugin is called, and do with its answer: inside a host
 * function (Q8), made before a fork (O7), device lost (K10).
 */
#ifndef ACCEL_CORE_ENTRY_H
#define ACCEL_CORE_ENTRY_H

#include "core/api/device.h"
#include "core/base/error.h"
#include "core/api/queue.h"

/* ACCEL_INVALID, naming the parameter. */
accel_status accel_entry_null(const char *function, const char *parameter);

/* May the device be called for an object made at fork generation `generation`? `object` names it in the text. */
accel_status accel_entry_usable(const char *function, const char *object, const accel_device *, uint32_t generation);
/* accel_guard_check, then usable. */
accel_status accel_entry_check(const char *function, const char *object, const accel_device *, uint32_t generation);
/* The same for a queue: not NULL, outside host functions, alive after a fork, device not lost. In line: it is what
 * accel_queue_wait of an idle queue costs. */
accel_status accel_entry_queue_slow(const char *function, accel_queue *);
static inline accel_status accel_entry_queue(const char *function, accel_queue *queue)
{
    if (__builtin_expect(
            queue != NULL &&
                atomic_load_explicit(&queue->fork_generation, memory_order_relaxed) == accel_guard_fork_generation &&
                atomic_load_explicit(&queue->root->lost, memory_order_relaxed) == 0 && !accel_guard_inside(),
            1))
        return ACCEL_OK;
    return accel_entry_queue_slow(function, queue);
}
/* As entry_queue, but allowed inside host functions: for queries. */
accel_status accel_entry_queue_query(const char *function, accel_queue *);

/* What a slot answered: remembers a lost device, and puts the function's name before the plugin's text. */
accel_status accel_entry_failed(const char *function, accel_device *, accel_status);
static inline accel_status accel_entry_result(const char *function, accel_device *device, accel_status status)
{
    return __builtin_expect(status == ACCEL_OK, 1) ? ACCEL_OK : accel_entry_failed(function, device, status);
}

/* The operation's queue is not of the buffer's memory: ACCEL_INVALID, with what would do. */
accel_status accel_entry_foreign_buffer(const char *function, const accel_queue *, const accel_device *buffers);
/* For texts that name both devices: " of another instance", or "". */
static inline const char *accel_entry_elsewhere(const accel_queue *queue, const accel_device *device)
{
    return device->instance != queue->device->instance ? " of another instance" : "";
}

/* Destroys an object whose last reference went; inside a host function, later (Q8). */
void accel_entry_destroy(accel_deferred *, void (*destroy)(void *object), void *object);

#endif
