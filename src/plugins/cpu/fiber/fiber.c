/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fiber/fiber.h"

#include <stdint.h>

#if defined(CPU_FIBER_UCONTEXT)

/* makecontext passes ints. */
static void enter(unsigned context_high, unsigned context_low)
{
    cpu_fiber_context *context = (cpu_fiber_context *)(uintptr_t)((uint64_t)context_high << 32 | context_low);
    fesetenv(&context->environment);
    context->entry(context->user);
}

void cpu_fiber_prepare(cpu_fiber_context *context, void *stack, size_t size, void (*entry)(void *user), void *user)
{
    uint64_t argument = (uintptr_t)context;
    context->entry = entry;
    context->user = user;
    getcontext(&context->registers);
    context->registers.uc_stack.ss_sp = stack;
    context->registers.uc_stack.ss_size = size;
    context->registers.uc_link = NULL;
    makecontext(&context->registers, (void (*)(void))enter, 2, (unsigned)(argument >> 32), (unsigned)argument);
}

void cpu_fiber_swap(cpu_fiber_context *from, cpu_fiber_context *to, uint32_t value)
{
    (void)value;
    fegetenv(&to->environment);
    swapcontext(&from->registers, &to->registers);
    fesetenv(&from->environment);
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
