/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels print (semantics K19): an accel_print_buffer in device memory for each queue that launches such kernels. It may
 * be read while they run; what is not written to its end is left for the next time.
 */
#ifndef ACCEL_GPU_LINES_H
#define ACCEL_GPU_LINES_H

#include "plugins/gpu/engine/device.h"

/* With the context current: an empty buffer, whose address is written to `place` in device memory. */
accel_status gpu_lines_make(accel_impl_device *, accel_print_buffer **place, gpu_lines **);
/* Writes the lines to stdout, and how many are missing; makes room for others. */
accel_status gpu_lines_print(accel_impl_device *, gpu_lines *);
/* NULL is allowed. `give_back`: the context is current. */
void gpu_lines_end(accel_impl_device *, gpu_lines *, bool give_back);

#endif
