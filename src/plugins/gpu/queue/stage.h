/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies between a device and pageable memory of the host, on queues that do not block: drivers would wait. They go
 * through a piece of pinned memory of the queue's own, in the stream's order: a function of the stream copies between the
 * caller's memory and the piece, the driver between the piece and the device.
 */
#ifndef ACCEL_GPU_STAGE_H
#define ACCEL_GPU_STAGE_H

#include "plugins/gpu/engine/engine.h"

/* With the context current: from the device's unused ones, or a new one. */
accel_status gpu_stage_get(accel_impl_device *, gpu_stage **);
void gpu_stage_put(accel_impl_device *, gpu_stage *);
/* With the context current: all are unused. */
void gpu_stages_end(accel_impl_device *);
/* The same, with a context that cannot be entered. */
void gpu_stages_forget(accel_impl_device *);

/* One end is pageable. With the context current, no obstacle. */
accel_status gpu_stage_copy(accel_impl_queue *, const accel_copy_params *);
/* The pattern, over and over, as often as `size` (a multiple of it) bytes and the piece hold; *size is what was
 * written. */
accel_status gpu_stage_pattern(accel_impl_queue *, void *dst, const void *pattern, size_t pattern_size, size_t *size);

#endif
