/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies between a device and pageable memory of the host, on queues that do not block: drivers would make the caller
 * wait. They go through the queue's stage (engine/stage.h), in the stream's order: a function of the stream copies
 * between the caller's memory and the stage, the driver between the stage and the device.
 */
#ifndef ACCEL_GPU_STAGED_COPY_H
#define ACCEL_GPU_STAGED_COPY_H

#include <accel/plugin.h>

/* One end is pageable. With the context current; the queue admits operations. */
accel_status gpu_copy_staged(accel_impl_queue *, const accel_copy_params *);
/* The pattern, over and over, as often as `size` (a multiple of it) bytes and the stage hold; *size is what was
 * written. */
accel_status gpu_write_pattern(accel_impl_queue *, void *dst, const void *pattern, size_t pattern_size, size_t *size);

#endif
