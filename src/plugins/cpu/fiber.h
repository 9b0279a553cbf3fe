/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Switching between stacks on one thread. In assembly on x86-64 and aarch64, by ucontext elsewhere or where
 * CPU_FIBER_UCONTEXT is defined. Callee-saved registers are kept; the floating-point environment is shared (semantics
 * T2).
 */
#ifndef ACCEL_CPU_FIBER_H
#define ACCEL_CPU_FIBER_H

#include <stddef.h>

#if !defined(CPU_FIBER_UCONTEXT) && !defined(__x86_64__) && !defined(__aarch64__)
#define CPU_FIBER_UCONTEXT 1
#endif

#if defined(CPU_FIBER_UCONTEXT)
#include <ucontext.h>
typedef struct cpu_fiber_context {
    ucontext_t registers;
} cpu_fiber_context;
void cpu_fiber_swap(cpu_fiber_context *from, cpu_fiber_context *to);
#else
typedef struct cpu_fiber_context {
    void *stack; /* where the registers of a fiber that does not run were pushed */
} cpu_fiber_context;

/* Assembly: pushes the callee-saved registers, stores the stack pointer to *from, takes `to`, pops, returns. */
void cpu_fiber_switch(void **from, void *to);

static inline void cpu_fiber_swap(cpu_fiber_context *from, cpu_fiber_context *to)
{
    cpu_fiber_switch(&from->stack, to->stack);
}
#endif

/* Makes a context that calls entry(user) on the given stack when it is first swapped to. entry never returns. */
void cpu_fiber_prepare(cpu_fiber_context *, void *stack, size_t size, void (*entry)(void *user), void *user);

#endif
