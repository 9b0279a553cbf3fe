/* SPDX-License-Identifier: Apache-2.0 */
/* The limits of a launch, asked by accel_launch and by accel_work_divide, so that no division is refused (K2). */
#ifndef ACCEL_CORE_LAUNCH_H
#define ACCEL_CORE_LAUNCH_H

#include "core/launch/kernel.h"

/* Work of this library's own struct_size against the limits of kernel and device. What accel_launch compares inline,
 * but with the text that names the limit. ACCEL_OK if a launch is possible, or has no blocks. */
accel_status accel_launch_check(const char *function, const accel_kernel *, const accel_work *);

#endif
