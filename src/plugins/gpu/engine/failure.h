/* SPDX-License-Identifier: Apache-2.0 */
/* The first failure of a queue or device, which stays (semantics Q7, K10), and what results of the driver mean. */
#ifndef ACCEL_GPU_FAILURE_H
#define ACCEL_GPU_FAILURE_H

#include "plugins/gpu/driver/driver.h"

#include <pthread.h>
#include <stdatomic.h>

enum { GPU_FAILURE_TEXT = 1024 };

typedef struct gpu_failure {
    /* ACCEL_OK: none. Written under the lock; read without it by whoever only asks whether there is one. */
    _Atomic accel_status status;
    pthread_mutex_t lock; /* guards text, and changes of status */
    char text[GPU_FAILURE_TEXT];
} gpu_failure;

static inline accel_status gpu_failure_status(gpu_failure *failure)
{
    return atomic_load_explicit(&failure->status, memory_order_acquire);
}

/* Keeps the failure, with the calling thread's error text, if it is the first. Returns `status`. */
accel_status gpu_failure_keep(gpu_failure *, accel_status status);
/* Tells the calling thread of the failure. Returns its status. */
accel_status gpu_failure_repeat(gpu_failure *);
/* The same, and clears it. */
accel_status gpu_failure_report(gpu_failure *);

/* GPU_CLASS_SUCCESS, ..., and the status that belongs to it (may be NULL). */
uint32_t gpu_error_class_of(const gpu_driver *, gpu_result, accel_status *);

/* A driver's call on the device failed while libaccel did `what` ("launch of kernel \"axpy\""): sets the error text
 * and returns the status. A fault or a loss stays with the device: its text names the last launches, and all queues
 * learn of it. */
accel_status gpu_device_failed(accel_impl_device *, const char *what, gpu_result);
/* ACCEL_OK, or the device's sticky failure with its text. */
accel_status gpu_device_check(accel_impl_device *);

#endif
