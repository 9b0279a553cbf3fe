/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/light/crash.h"
#include "plugins/cpu/fault/handler.h"
#include "plugins/cpu/fault/registers.h"

#include <accel/kernel/cpu/check_table.h>

#include <pthread.h>

enum { RED_ZONE = 256 /* bytes below the stack pointer that the kernel may use; the ABI says 128 */ };

/* Set by the thread that runs the kernel, and read by its handler. */
static volatile bool inside;
static pthread_t thread;
static check_crash crash;

/* Goes on where the kernel was, on its stack, outside the handler. */
static void crashed(void *unused)
{
    (void)unused;
    check_light_crashed(&crash, __builtin_frame_address(0));
}

static bool resolve(int number, const siginfo_t *info, ucontext_t *registers)
{
    if (!CPU_REGISTERS_KNOWN || !inside || !pthread_equal(thread, pthread_self()) ||
        (number == SIGFPE && info->si_code != FPE_INTDIV))
        return false;
    inside = false;
    crash = (check_crash){.instruction = cpu_registers_instruction(registers),
                          .address = (uintptr_t)info->si_addr,
                          .has_address = info->si_code != SI_KERNEL,
                          .divides = number == SIGFPE,
                          .how = number == SIGSEGV && cpu_registers_write(registers) ? ACCEL_CHECK_WRITE : 0};
    cpu_registers_call(registers, crashed, NULL, (void *)(cpu_registers_stack(registers) - RED_ZONE));
    return true;
}

void check_crash_catch(bool begin)
{
    cpu_handler_lock();
    if (begin)
        cpu_handler_begin(CPU_HANDLER_LIGHT, resolve);
    else
        cpu_handler_end(CPU_HANDLER_LIGHT);
    cpu_handler_unlock();
}

void check_crash_inside(bool now)
{
    if (now)
        thread = pthread_self();
    inside = now;
}
