/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fiber/fiber_tools.h"

#include <pthread.h>
#include <stdint.h>

/* The sanitizers' own interfaces; null where their run-time library is not part of the program. */
__attribute__((weak)) void __sanitizer_start_switch_fiber(void **fake_stack, const void *stack, size_t size);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void *fake_stack, const void **old_stack, size_t *old_size);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *address, size_t size);
__attribute__((weak)) void *__tsan_get_current_fiber(void);
__attribute__((weak)) void *__tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_destroy_fiber(void *fiber);
__attribute__((weak)) void __tsan_switch_to_fiber(void *fiber, unsigned flags);

/* Valgrind recognises a sequence of instructions that does nothing elsewhere (valgrind.h, "client requests"). */
enum { VALGRIND_RUNNING = 0x1001, VALGRIND_STACK_REGISTER = 0x1501, VALGRIND_STACK_DEREGISTER = 0x1502 };

static uintptr_t valgrind(uintptr_t request, uintptr_t first, uintptr_t second)
{
    volatile uintptr_t arguments[6] = {request, first, second, 0, 0, 0};
    uintptr_t result = 0;
#if defined(__x86_64__)
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "=d"(result)
                     : "a"(&arguments[0]), "0"(result)
                     : "cc", "memory");
#elif defined(__aarch64__)
    __asm__ volatile(
        "mov x3, %1; mov x4, %2; ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61; "
        "orr x10, x10, x10; mov %0, x3"
        : "=r"(result)
        : "r"(result), "r"(&arguments[0])
        : "cc", "memory", "x3", "x4");
#else
    (void)arguments;
#endif
    return result;
}

bool cpu_fiber_tools_has_valgrind(void)
{
    return valgrind(VALGRIND_RUNNING, 0, 0) != 0;
}

bool cpu_fiber_tools_present(void)
{
    return __sanitizer_start_switch_fiber != NULL || __tsan_create_fiber != NULL || cpu_fiber_tools_has_valgrind();
}

void cpu_fiber_tools_create(cpu_fiber_marks *marks, const void *stack, size_t size)
{
    *marks = (cpu_fiber_marks){.stack = stack, .size = size};
    marks->valgrind = (unsigned)valgrind(VALGRIND_STACK_REGISTER, (uintptr_t)stack, (uintptr_t)stack + size - 1);
    if (__tsan_create_fiber != NULL)
        marks->fiber = __tsan_create_fiber(0);
}

void cpu_fiber_tools_destroy(cpu_fiber_marks *marks)
{
    valgrind(VALGRIND_STACK_DEREGISTER, marks->valgrind, 0);
    if (__tsan_destroy_fiber != NULL)
        __tsan_destroy_fiber(marks->fiber);
    cpu_fiber_tools_forget(marks);
}

/* Red zones of frames that were never left would stay behind when the memory is used for something else. */
void cpu_fiber_tools_forget(const cpu_fiber_marks *marks)
{
    if (__asan_unpoison_memory_region != NULL)
        __asan_unpoison_memory_region(marks->stack, marks->size);
}

void cpu_fiber_tools_own(cpu_fiber_marks *marks)
{
    *marks = (cpu_fiber_marks){.fiber = NULL};
    if (__tsan_get_current_fiber != NULL)
        marks->fiber = __tsan_get_current_fiber();
    pthread_attr_t attributes;
    if (__sanitizer_start_switch_fiber != NULL && pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *stack;
        pthread_attr_getstack(&attributes, &stack, &marks->size);
        marks->stack = stack;
        pthread_attr_destroy(&attributes);
    }
}

/* TSan keeps a stack of calls per fiber: what an instrumented function entered on one it must not leave on another. */
#if defined(__clang__)
#define NOT_INSTRUMENTED __attribute__((disable_sanitizer_instrumentation))
#else
#define NOT_INSTRUMENTED __attribute__((no_sanitize_thread))
#endif

NOT_INSTRUMENTED void cpu_fiber_tools_leave(cpu_fiber_marks *from, const cpu_fiber_marks *to)
{
    if (__sanitizer_start_switch_fiber != NULL)
        __sanitizer_start_switch_fiber(&from->fake_stack, to->stack, to->size);
    if (__tsan_switch_to_fiber != NULL)
        __tsan_switch_to_fiber(to->fiber, 0);
}

void cpu_fiber_tools_arrive(cpu_fiber_marks *self)
{
    if (__sanitizer_finish_switch_fiber != NULL)
        __sanitizer_finish_switch_fiber(self->fake_stack, NULL, NULL);
}
