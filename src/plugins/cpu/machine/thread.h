/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the engine: detached, on the CPUs of their device, without the program's signals. */
#ifndef ACCEL_CPU_THREAD_H
#define ACCEL_CPU_THREAD_H

#include "plugins/cpu/engine/export.h"
#include "plugins/cpu/machine/mask.h"

#define CPU_THREAD_NAME "accel-"

enum { CPU_THREAD_STACK = 8 << 20 /* block kernels keep shared and private arrays on it */ };

/* An error number, 0: started. The thread runs on the CPUs of the mask, whatever its creator's are; on its creator's if
 * those have been taken from the process since. The program's signals never run on it. */
CPU_EXPORT int cpu_thread_start(void *(*main)(void *user), void *user, const uint8_t mask[CPU_MASK_BYTES]);
/* The first thing that the thread does. The name is for debuggers, and begins as all do. */
CPU_EXPORT void cpu_thread_begin(const char *name);

#endif
