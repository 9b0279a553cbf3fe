/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fault/signal_stack.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

/* What runtimes that adopt it expect, and with room for the largest set of registers. */
enum { SIZE = 64 << 10 };

CPU_OF_THREAD bool cpu_signal_stack_asked;

static pthread_key_t key;
static bool has_key;

/* At the end of the thread. */
static void end(void *stack)
{
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == stack)
        sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    munmap(stack, SIZE);
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, end) == 0;
}

void cpu_signal_stack_make(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    stack_t now;
    cpu_signal_stack_asked = true;
    pthread_once(&once, make_key);
    if (!has_key || sigaltstack(NULL, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0)
        return;
    void *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return;
    if (pthread_setspecific(key, stack) != 0 || sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = SIZE}, NULL) != 0) {
        pthread_setspecific(key, NULL);
        munmap(stack, SIZE);
    }
}
