/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of a thread that a signal interrupted. */
#ifndef ACCEL_CPU_REGISTERS_H
#define ACCEL_CPU_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__) || defined(__aarch64__)
#define CPU_REGISTERS_KNOWN 1
#else
#define CPU_REGISTERS_KNOWN 0
#endif

static inline uintptr_t cpu_registers_stack(const ucontext_t *registers)
{
#if defined(__x86_64__)
    return (uintptr_t)registers->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)registers->uc_mcontext.sp;
#else
    (void)registers;
    return 0;
#endif
}

static inline uintptr_t cpu_registers_instruction(const ucontext_t *registers)
{
#if defined(__x86_64__)
    return (uintptr_t)registers->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)registers->uc_mcontext.pc;
#else
    (void)registers;
    return 0;
#endif
}

/* Of a page fault on this machine: was it a write? */
#if defined(__x86_64__)
#define CPU_REGISTERS_TELL_WRITES 1
#else
#define CPU_REGISTERS_TELL_WRITES 0
#endif
static inline bool cpu_registers_write(const ucontext_t *registers)
{
#if defined(__x86_64__)
    enum { WRITE = 1 << 1 }; /* of the processor's error code */
    return (registers->uc_mcontext.gregs[REG_ERR] & WRITE) != 0;
#else
    (void)registers;
    return false;
#endif
}

/* After the handler the thread calls function(argument), which never returns, on the stack that ends below `top`. */
static inline void cpu_registers_call(ucontext_t *registers, void (*function)(void *), void *argument, void *top)
{
    uintptr_t *stack = (uintptr_t *)((uintptr_t)top & ~(uintptr_t)15) - 2;
#if defined(__x86_64__)
    enum { DIRECTION = 1 << 10 };
    greg_t *values = registers->uc_mcontext.gregs;
    *--stack = 0; /* a return address */
    values[REG_RIP] = (greg_t)(uintptr_t)function;
    values[REG_RDI] = (greg_t)(uintptr_t)argument;
    values[REG_RSP] = (greg_t)(uintptr_t)stack;
    values[REG_EFL] &= ~(greg_t)DIRECTION;
#elif defined(__aarch64__)
    registers->uc_mcontext.pc = (uintptr_t)function;
    registers->uc_mcontext.regs[0] = (uintptr_t)argument;
    registers->uc_mcontext.regs[30] = 0;
    registers->uc_mcontext.sp = (uintptr_t)stack;
#else
    (void)registers, (void)function, (void)argument, (void)stack;
#endif
}

#endif
