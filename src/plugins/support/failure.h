/* SPDX-License-Identifier: Apache-2.0 */
/* The first failure of a queue or device, with its text, until it is reported (semantics Q7, K10). */
#ifndef ACCEL_PLUGINS_FAILURE_H
#define ACCEL_PLUGINS_FAILURE_H

#include <accel/plugin.h>

#include <pthread.h>
#include <stdatomic.h>

enum { PLUGIN_FAILURE_TEXT = 1024 };

typedef struct plugin_failure {
    /* ACCEL_OK: none. Written under the lock; read without it by callers that only ask whether there is one. */
    _Atomic accel_status status;
    pthread_mutex_t lock; /* guards text, and changes of status */
    char text[PLUGIN_FAILURE_TEXT];
} plugin_failure;

/* All zero before. */
void plugin_failure_begin(plugin_failure *);
void plugin_failure_end(plugin_failure *);

static inline accel_status plugin_failure_status(plugin_failure *failure)
{
    return atomic_load_explicit(&failure->status, memory_order_acquire);
}

/* Keeps the failure, with the calling thread's error text, if it is the first. Returns `status`. */
accel_status plugin_failure_keep(plugin_failure *, const accel_host_services *, accel_status status);
/* Sets the calling thread's error text to that of the failure. Returns its status; ACCEL_OK: there is none. */
accel_status plugin_failure_repeat(plugin_failure *, const accel_host_services *);
/* The same for an operation that is refused because of it: the text says so. */
accel_status plugin_failure_refuse(plugin_failure *, const accel_host_services *);
/* As plugin_failure_repeat, and clears it. */
accel_status plugin_failure_report(plugin_failure *, const accel_host_services *);

/* Sets the text for a failure that an event or timeline carries to a queue that waited for it. Returns `status`, but
 * ACCEL_UNAVAILABLE for the loss of a device: the queue's own is well (semantics Q7). */
accel_status plugin_failure_carried(const accel_host_services *, accel_status status);

#endif
