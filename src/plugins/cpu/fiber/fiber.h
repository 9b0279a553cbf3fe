/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Switching between stacks on one thread. In assembly on x86-64 and aarch64, by ucontext elsewhere or where
 * CPU_FIBER_UCONTEXT is defined. Callee-saved registers are kept; the floating-point environment is shared (semantics
 * T2).
 */
#ifndef ACCEL_CPU_FIBER_H
#define ACCEL_CPU_FIBER_H

#include <stddef.h>
#include <stdint.h>

#if !defined(CPU_FIBER_UCONTEXT) && !defined(__x86_64__) && !defined(__aarch64__)
#define CPU_FIBER_UCONTEXT 1
#endif

#if defined(CPU_FIBER_UCONTEXT)
#include <fenv.h>
#include <ucontext.h>
typedef struct cpu_fiber_context {
    ucontext_t registers;
    fenv_t environment; /* of whoever swaps to it: a context of its own is none (semantics T2) */
    void (*entry)(void *user);
    void *user;
} cpu_fiber_context;
#else
typedef struct cpu_fiber_context {
    void *stack; /* where the registers of a fiber that does not run were pushed */
} cpu_fiber_context;

/*
 * For barriers: pushes the callee-saved registers, asks cpu_fiber_arrive, which the user of this file defines, where to
 * go on, pops, and returns there with the value. A thread kernel's tiled product runs 1.5 times as fast as with
 * cpu_fiber_swap in a C function: a processor predicts each return from the last calls, which were the other fiber's.
 * Between two barriers of a loop that is always wrong; so a fiber that called from elsewhere is jumped to.
 */
uint32_t cpu_fiber_sync(const void *fiber, uint32_t mode, uint32_t predicate);

typedef struct cpu_fiber_next {
    void *stack; /* another fiber's, or the caller's own: then it simply returns */
    uintptr_t value;
} cpu_fiber_next;
cpu_fiber_next cpu_fiber_arrive(void *fiber, uint32_t mode, uint32_t predicate, void *stack);
#endif

/* Leaves `from` for `to`. A fiber that cpu_fiber_sync left returns from it with `value`. */
void cpu_fiber_swap(cpu_fiber_context *from, cpu_fiber_context *to, uint32_t value);

/* Makes a context that calls entry(user) on the given stack when it is first swapped to. entry never returns. */
void cpu_fiber_prepare(cpu_fiber_context *, void *stack, size_t size, void (*entry)(void *user), void *user);

#endif
