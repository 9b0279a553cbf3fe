/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fiber/fiber.h"

#include <stdint.h>

#if defined(CPU_FIBER_UCONTEXT)

/* makecontext passes ints. */
static void enter(unsigned entry_high, unsigned entry_low, unsigned user_high, unsigned user_low)
{
    void (*entry)(void *) = (void (*)(void *))(uintptr_t)((uint64_t)entry_high << 32 | entry_low);
    entry((void *)(uintptr_t)((uint64_t)user_high << 32 | user_low));
}

void cpu_fiber_prepare(cpu_fiber_context *context, void *stack, size_t size, void (*entry)(void *user), void *user)
{
    uint64_t function = (uintptr_t)entry, argument = (uintptr_t)user;
    getcontext(&context->registers);
    context->registers.uc_stack.ss_sp = stack;
    context->registers.uc_stack.ss_size = size;
    context->registers.uc_link = NULL;
    makecontext(&context->registers, (void (*)(void))enter, 4, (unsigned)(function >> 32), (unsigned)function,
                (unsigned)(argument >> 32), (unsigned)argument);
}

void cpu_fiber_swap(cpu_fiber_context *from, cpu_fiber_context *to, uint32_t value)
{
    (void)value;
    swapcontext(&from->registers, &to->registers);
}

#else

void cpu_fiber_enter(void);

/* What cpu_fiber_switch pops, lowest address first. Behind it the stack pointer is a multiple of 16, as the ABIs want
 * it before a call. */
typedef struct frame {
#if defined(__x86_64__)
    uintptr_t r15, r14, r13, argument /* r12 */, entry /* rbx */, rbp, start;
    uintptr_t end; /* a return address of 0 */
#else
    uintptr_t entry /* x19 */, argument /* x20 */, x21_x28[8], x29, start /* x30 */, d8_d15[8];
#endif
} frame;

void cpu_fiber_prepare(cpu_fiber_context *context, void *stack, size_t size, void (*entry)(void *user), void *user)
{
    uintptr_t top = ((uintptr_t)stack + size) & ~(uintptr_t)15;
#if defined(__x86_64__)
    frame *first = (frame *)(top - sizeof(frame) - sizeof(uintptr_t));
#else
    frame *first = (frame *)(top - sizeof(frame));
#endif
    *first = (frame){.entry = (uintptr_t)entry, .argument = (uintptr_t)user, .start = (uintptr_t)cpu_fiber_enter};
    context->stack = first;
}

#endif
