/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch may be given: asked by accel_launch, by accel_work_divide, so that no division is refused (K2), and by
 * patterns. */
#ifndef ACCEL_CORE_LAUNCH_H
#define ACCEL_CORE_LAUNCH_H

#include "core/api/queue.h"
#include "core/launch/kernel.h"

/* Work of this library's own struct_size against the limits of kernel and device. What accel_launch compares inline,
 * but with the text that names the limit. ACCEL_OK if a launch is possible, or has no blocks. */
accel_status accel_launch_check(const char *function, const accel_kernel *, const accel_work *);
/* Was the kernel loaded for the queue's device? */
accel_status accel_launch_check_queue(const char *function, const accel_kernel *, const accel_queue *);
/* Are these the kernel's arguments? NULL, 0 are those of a kernel without any. */
accel_status accel_launch_check_args(const char *function, const accel_kernel *, const void *args, size_t args_size);

#endif
