/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines (plugin.h): how one backend waits for another. */
#ifndef ACCEL_CORE_TIMELINE_H
#define ACCEL_CORE_TIMELINE_H

#include <accel/plugin.h>

/* These are the host services of the same names. The caller of each holds a reference for the duration of the call. */
accel_status accel_timeline_create(accel_timeline **);
void accel_timeline_retain(accel_timeline *);
void accel_timeline_release(accel_timeline *);
/* Values that were skipped carry the status of the next one. Without memory for one more failure the values since the
 * last failure count as failed too: a success may look failed, never the reverse. */
void accel_timeline_signal(accel_timeline *, uint64_t value, accel_status);
bool accel_timeline_reached(accel_timeline *, uint64_t value, accel_status *status);
accel_status accel_timeline_wait(accel_timeline *, uint64_t value);
bool accel_timeline_on_signal(accel_timeline *, uint64_t value, accel_timeline_waiter *);

#endif
