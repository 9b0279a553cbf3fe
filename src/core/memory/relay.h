/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relays: copies that neither device's backend can do alone, because one cannot reach the other's memory.
 *
 * A relay is a host function of the queue that was used, so it begins in that queue's order. The copy itself goes through
 * the ports of the devices. Where a host function may wait (a CPU's queue, a blocking queue) it does the copy; where the
 * driver forbids that, it wakes a thread of libaccel's and the queue waits for a timeline. Either way a failure reaches the
 * queue through a timeline.
 */
#ifndef ACCEL_CORE_RELAY_H
#define ACCEL_CORE_RELAY_H

#include "core/api/queue.h"
#include "core/memory/region.h"

/* One end. */
typedef struct accel_relay_end {
    accel_device *device; /* whose port reaches the memory; NULL: the host can address it */
    accel_buffer *buffer; /* kept alive until the copy is done */
    void *ptr;            /* for that device, or for the host */
    accel_region region;
} accel_relay_end;

/* Submits the copy, of two ends of which at least one has a device. Contract of the queue's copy slot, but that the buffers
 * stay the caller's to release, and that a failure has its text with the function's name. */
accel_status accel_relay_submit(const char *function, accel_queue *, const accel_relay_end *dst,
                                const accel_relay_end *src);

/* Carries it out, while the caller waits. A failure names the device that failed, and is ACCEL_UNAVAILABLE for one that
 * was lost: the queue's own device need not be. */
accel_status accel_relay_copy(const accel_relay_end *dst, const accel_relay_end *src);

/* A job for the thread. */
typedef struct accel_relay_job accel_relay_job;
struct accel_relay_job {
    accel_relay_job *next;
    void (*run)(accel_relay_job *);
};
/* Sees to it that there is the thread, which stays until the process ends: ACCEL_LIMIT with a text. */
accel_status accel_relay_thread_start(const char *function);
/* Never fails once the thread is there. May be called on a driver's thread. */
void accel_relay_thread_post(accel_relay_job *);

#endif
