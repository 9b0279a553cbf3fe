/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handlers of the signals that tell a thread of a fault of its own: SIGSEGV while there is a zone (zone.h) or while cpu-check
 * watches the host (check/host/touch.h), that and SIGBUS, SIGFPE and SIGILL while faults of kernels are reported (catcher.h), the
 * first three while cpu-check runs light versions of kernels (check/light/crash.h).
 *
 * A fault that is none of theirs goes to the handler that the program had. One that the program installs later
 * replaces ours, and ours stays as it was for those that call it from theirs.
 */
#ifndef ACCEL_CPU_HANDLER_H
#define ACCEL_CPU_HANDLER_H

#include "plugins/cpu/engine/export.h"

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Runs in a signal handler, and only does what is safe there. True: the thread goes on as `registers` now say. False: the fault
 * is of another kind. */
typedef bool (*cpu_handler_resolve)(int number, const siginfo_t *info, ucontext_t *registers);

/* Guards what follows, which zones are in use, and where buffers are; a fork waits for it. */
CPU_EXPORT void cpu_handler_lock(void);
CPU_EXPORT void cpu_handler_unlock(void);

/* Kinds of faults, in the order in which they are asked. */
typedef enum cpu_handler_kind {
    CPU_HANDLER_ZONES,
    CPU_HANDLER_GUARDS,
    CPU_HANDLER_LIGHT,
    CPU_HANDLER_KERNELS
} cpu_handler_kind;
/* Under the lock, as often as cpu_handler_end. A kind has one function. */
CPU_EXPORT void cpu_handler_begin(cpu_handler_kind, cpu_handler_resolve);
CPU_EXPORT void cpu_handler_end(cpu_handler_kind);

/* Under the lock: the first of all signals that the program, or a tool, handles itself; 0: none. */
CPU_EXPORT int cpu_handler_of_program(void);

/* Does the system call ours first? Takes no lock. */
CPU_EXPORT bool cpu_handler_is_first(int number);

#endif
