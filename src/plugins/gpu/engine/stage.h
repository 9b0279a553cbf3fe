/* SPDX-License-Identifier: Apache-2.0 */
/* Pinned host memory through which pageable memory is copied; one stage per non-blocking queue. */
#ifndef ACCEL_GPU_STAGE_H
#define ACCEL_GPU_STAGE_H

#include "plugins/gpu/engine/device.h"

enum { GPU_STAGE_BYTES = 256 << 10 };

struct gpu_stage {
    gpu_stage *next;      /* of the unused ones of a device */
    pthread_mutex_t lock; /* held while an operation is submitted that goes through it, so that those of two threads do
                             not write into each other's memory */
    unsigned char *memory;
};

/* With the context current: from the device's unused ones, or a new one. */
accel_status gpu_stage_get(accel_impl_device *, gpu_stage **);
void gpu_stage_put(accel_impl_device *, gpu_stage *);
/* With the context current: all are unused. */
void gpu_stages_end(accel_impl_device *);
/* The same, with a context that cannot be entered. */
void gpu_stages_forget(accel_impl_device *);

#endif
