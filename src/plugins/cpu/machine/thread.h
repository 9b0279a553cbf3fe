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

/* The system's number of the calling thread. */
CPU_EXPORT int cpu_thread_number(void);
/*
 * Before a sleeping thread is woken: keeps it off the waker's CPU, of those that it may run on. The system else tends to put it
 * there, before or behind its waker, though another CPU is idle: a virtual CPU that sleeps does not count as idle. Then the
 * two take turns, milliseconds each. True: it is kept off, until another call. Nothing changes if no CPU would be left, the
 * CPU is not one of them, or the number is 0. The thread must be alive.
 */
CPU_EXPORT bool cpu_thread_keep_off(int thread, const uint8_t allowed[CPU_MASK_BYTES], int cpu);
/* The calling thread runs on all these CPUs again. */
CPU_EXPORT void cpu_thread_allow(const uint8_t allowed[CPU_MASK_BYTES]);

#endif
