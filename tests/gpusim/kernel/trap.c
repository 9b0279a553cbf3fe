/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that a kernel's thread raises end its block, not the process. */
#include "block.h"
#include "trap.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { SIGNAL_STACK = 65536 };

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };
static struct sigaction before[SIGNALS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread gpusim_escape *volatile escape; /* of a thread that interprets */

/* On the signal stack. Outside kernels the old handler is in place again when the instruction is repeated. */
static void on_signal(int number, siginfo_t *information, void *context)
{
    gpusim_runner *runner = gpusim_runner_inside();
    (void)context;
    if (escape != NULL) {
        escape->signal = number;
        escape->address = information->si_addr;
        siglongjmp(escape->place, 2);
    }
    if (runner != NULL) {
        runner->signal = number;
        runner->address = information->si_addr;
        siglongjmp(runner->escape, 1);
    }
    for (size_t i = 0; i < SIGNALS; ++i)
        if (signals[i] == number)
            sigaction(number, &before[i], NULL);
}

static void install(void)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; ++i)
        sigaction(signals[i], &action, &before[i]);
}

void gpusim_trap_enter(gpusim_escape *place)
{
    pthread_once(&once, install);
    escape = place;
}

void gpusim_trap_install(gpusim_runner *runner)
{
    stack_t stack = {.ss_size = SIGNAL_STACK};
    stack.ss_sp = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    pthread_once(&once, install);
    if (stack.ss_sp == MAP_FAILED)
        return;
    runner->signal_stack = stack.ss_sp;
    sigaltstack(&stack, NULL);
}

void gpusim_trap_remove(gpusim_runner *runner)
{
    stack_t stack = {.ss_flags = SS_DISABLE};
    sigaltstack(&stack, NULL);
    if (runner->signal_stack != NULL)
        munmap(runner->signal_stack, SIGNAL_STACK);
}

void gpusim_trap_describe(const gpusim_runner *runner, gpusim_fault *fault)
{
    const char *own = (const char *)runner->stacks, *address = runner->address;
    if (runner->misuse != NULL) {
        fault->status = GPUSIM_GRID_TRAP;
        snprintf(fault->text, sizeof(fault->text), "%s", runner->misuse);
    } else if (runner->signal == SIGSEGV || runner->signal == SIGBUS) {
        fault->status = GPUSIM_GRID_ILLEGAL_ADDRESS;
        fault->address = address;
        snprintf(fault->text, sizeof(fault->text), "%s %p",
                 address >= own && address < own + (size_t)GPUSIM_MAX_THREADS * GPUSIM_STACK_STRIDE
                     ? "a thread's stack overflowed at"
                     : "there is no memory at",
                 runner->address);
    } else {
        fault->status = GPUSIM_GRID_TRAP;
        snprintf(fault->text, sizeof(fault->text), "%s",
                 runner->signal == SIGFPE ? "an arithmetic trap" : "an illegal instruction");
    }
}
