/* SPDX-License-Identifier: Apache-2.0 */
/* Scans on behalf of algorithms, which checked their buffers themselves. */
#ifndef ACCEL_CORE_SCAN_H
#define ACCEL_CORE_SCAN_H

#include "core/api/queue.h"
#include "core/launch/kernel.h"

/* ACCEL_INVALID unless they are of enum accel_scan_flag. */
accel_status accel_scan_check_flags(const char *function, uint32_t flags);
/* accel_scan of one of libaccel's own kernels, whose results go to `out`; NULL: its final pass writes them. The texts of
 * errors begin with "accel_scan". */
accel_status accel_scan_run(accel_queue *, accel_kernel *, size_t n, const void *args, size_t args_size, void *out,
                            uint32_t flags);

#endif
