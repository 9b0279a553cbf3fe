/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handlers of the signals that tell a thread of a fault of its own: SIGSEGV while there is a zone (zone.h), that and SIGBUS,
 * SIGFPE and SIGILL while faults of kernels are reported (catcher.h).
 *
 * A fault that is neither a zone's nor a kernel's goes to the handler that the program had. One that the program installs later
 * replaces ours, and ours stays as it was for those that call it from theirs.
 */
#ifndef ACCEL_CPU_HANDLER_H
#define ACCEL_CPU_HANDLER_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Runs in a signal handler, and only does what is safe there. True: the thread goes on as `registers` now say. False: the fault
 * is of another kind. */
typedef bool (*cpu_handler_resolve)(int number, const siginfo_t *info, ucontext_t *registers);

/* Guards what follows, which zones are in use, and where buffers are; a fork waits for it. */
void cpu_handler_lock(void);
void cpu_handler_unlock(void);

/* Kinds of faults, in the order in which they are asked. */
typedef enum cpu_handler_kind { CPU_HANDLER_ZONES, CPU_HANDLER_KERNELS } cpu_handler_kind;
/* Under the lock, as often as cpu_handler_end. A kind has one function. */
void cpu_handler_begin(cpu_handler_kind, cpu_handler_resolve);
void cpu_handler_end(cpu_handler_kind);

/* Under the lock: the first of all signals that the program, or a tool, handles itself; 0: none. */
int cpu_handler_of_program(void);

#endif
