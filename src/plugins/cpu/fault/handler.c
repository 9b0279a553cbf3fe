/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fault/handler.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { SIGNALS = 4, KINDS = 4 };

typedef struct handled {
    const int number;
    int users; /* the rest: under the lock */
    bool installed;
    struct sigaction previous; /* the program's. Written before ours is installed */
} handled;

static handled signals[SIGNALS] = {{.number = SIGSEGV}, {.number = SIGBUS}, {.number = SIGFPE}, {.number = SIGILL}};

/* How many of the signals a kind is about. */
static const int signals_of[KINDS] = {
    [CPU_HANDLER_ZONES] = 1, [CPU_HANDLER_GUARDS] = 1, [CPU_HANDLER_LIGHT] = 3, [CPU_HANDLER_KERNELS] = SIGNALS};
static _Atomic(cpu_handler_resolve) resolve[KINDS]; /* written before the handlers are installed; stays */

/* --- in the handler --- */

/* Without ours the instruction faults again, as if we had never been here; a signal that was sent is sent again. */
static void act_by_default(int number, const siginfo_t *info)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    if (info->si_code <= 0)
        raise(number);
}

static void pass_on(struct sigaction *previous, int number, siginfo_t *info, void *registers)
{
    if ((previous->sa_flags & SA_SIGINFO) != 0)
        previous->sa_sigaction(number, info, registers);
    else if (previous->sa_handler == SIG_DFL)
        act_by_default(number, info);
    else if (previous->sa_handler != SIG_IGN)
        previous->sa_handler(number);
    else if (info->si_code > 0) /* the system does not let a fault be ignored */
        act_by_default(number, info);
    if (((unsigned)previous->sa_flags & (unsigned)SA_RESETHAND) != 0)
        *previous = (struct sigaction){.sa_handler = SIG_DFL};
}

static bool is_resolved(int number, const siginfo_t *info, ucontext_t *registers)
{
    bool resolved = false;
    for (int kind = 0; kind < KINDS && !resolved && info->si_code > 0 /* not sent */; ++kind) {
        cpu_handler_resolve function = atomic_load_explicit(&resolve[kind], memory_order_acquire);
        resolved = function != NULL && function(number, info, registers);
    }
    return resolved;
}

static void handle(int number, siginfo_t *info, void *registers)
{
    int error = errno;
    if (!is_resolved(number, info, registers))
        for (int i = 0; i < SIGNALS; ++i)
            if (signals[i].number == number)
                pass_on(&signals[i].previous, number, info, registers);
    errno = error;
}

/* --- the handlers' coming and going, under the lock --- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, cpu_handler_unlock, cpu_handler_unlock);
}

void cpu_handler_lock(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
}

void cpu_handler_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == handle;
}

bool cpu_handler_is_first(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && is_ours(&now);
}

static void install(handled *one)
{
    struct sigaction *previous = &one->previous;
    if (one->installed || sigaction(one->number, NULL, previous) != 0)
        return;
    struct sigaction action = {.sa_sigaction = handle, .sa_mask = previous->sa_mask};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (previous->sa_flags & (SA_NODEFER | SA_RESTART));
    one->installed = sigaction(one->number, &action, NULL) == 0;
}

/* Below a handler of the program's it stays for good: that one may call it. */
static void uninstall(handled *one)
{
    struct sigaction now;
    if (one->installed && sigaction(one->number, NULL, &now) == 0 && is_ours(&now))
        one->installed = sigaction(one->number, &one->previous, NULL) != 0;
}

void cpu_handler_begin(cpu_handler_kind kind, cpu_handler_resolve function)
{
    atomic_store_explicit(&resolve[kind], function, memory_order_release);
    for (int i = 0; i < signals_of[kind]; ++i)
        if (signals[i].users++ == 0)
            install(&signals[i]);
}

void cpu_handler_end(cpu_handler_kind kind)
{
    for (int i = 0; i < signals_of[kind]; ++i)
        if (--signals[i].users == 0)
            uninstall(&signals[i]);
}

int cpu_handler_of_program(void)
{
    for (int i = 0; i < SIGNALS; ++i) {
        struct sigaction now;
        if (sigaction(signals[i].number, NULL, &now) != 0)
            continue;
        if (is_ours(&now))
            now = signals[i].previous;
        if ((now.sa_flags & SA_SIGINFO) != 0 || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN))
            return signals[i].number;
    }
    return 0;
}
