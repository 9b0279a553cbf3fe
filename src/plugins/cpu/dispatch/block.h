/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory of the block that a thread is running. */
#ifndef ACCEL_CPU_BLOCK_H
#define ACCEL_CPU_BLOCK_H

#include "plugins/cpu/dispatch/launch.h"

/* At least `size` bytes, 64-byte aligned; contents are undefined. NULL if memory is short. */
void *cpu_scratch_shared(cpu_scratch *, size_t size);

#endif
