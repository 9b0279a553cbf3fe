/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fault/zone.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Never freed, because a handler on another thread may look at it; used again instead. */
struct cpu_zone {
    /* begin is stored last and cleared first, with release. */
    _Atomic uintptr_t begin; /* 0: not in use */
    uintptr_t end;
    cpu_zone_touched touched;
    void *owner;
    cpu_zone *next; /* never changes */
};

static _Atomic(cpu_zone *) zones;

static struct {
    pthread_mutex_t lock; /* guards the rest, and which zones are in use; a fork waits for it */
    size_t used;
    bool installed;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The program's. Written before ours is installed. */
static struct sigaction previous;

/* --- in the handler --- */

static bool is_touched(uintptr_t address, ucontext_t *registers)
{
    for (cpu_zone *zone = atomic_load_explicit(&zones, memory_order_acquire); zone != NULL; zone = zone->next) {
        uintptr_t begin = atomic_load_explicit(&zone->begin, memory_order_acquire);
        if (begin != 0 && address >= begin && address < zone->end)
            return zone->touched(zone->owner, address, registers);
    }
    return false;
}

/* Without ours the instruction faults again, as if we had never been here; a signal that was sent is sent again. */
static void act_by_default(int number, const siginfo_t *info)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    if (info->si_code <= 0)
        raise(number);
}

static void pass_on(int number, siginfo_t *info, void *registers)
{
    if ((previous.sa_flags & SA_SIGINFO) != 0)
        previous.sa_sigaction(number, info, registers);
    else if (previous.sa_handler == SIG_DFL)
        act_by_default(number, info);
    else if (previous.sa_handler != SIG_IGN)
        previous.sa_handler(number);
    else if (info->si_code > 0) /* the system does not let a fault be ignored */
        act_by_default(number, info);
    if (((unsigned)previous.sa_flags & (unsigned)SA_RESETHAND) != 0)
        previous = (struct sigaction){.sa_handler = SIG_DFL};
}

static void handle(int number, siginfo_t *info, void *registers)
{
    int error = errno;
    bool ours = info->si_code > 0 && is_touched((uintptr_t)info->si_addr, registers);
    if (!ours)
        pass_on(number, info, registers);
    errno = error;
}

/* --- the handler's coming and going, under the lock --- */

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == handle;
}

static void install(void)
{
    if (state.installed || sigaction(SIGSEGV, NULL, &previous) != 0)
        return;
    struct sigaction action = {.sa_sigaction = handle, .sa_mask = previous.sa_mask};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (previous.sa_flags & (SA_NODEFER | SA_RESTART));
    state.installed = sigaction(SIGSEGV, &action, NULL) == 0;
}

/* Below a handler of the program's it stays for good: that one may call it. */
static void uninstall(void)
{
    struct sigaction now;
    if (state.installed && sigaction(SIGSEGV, NULL, &now) == 0 && is_ours(&now))
        state.installed = sigaction(SIGSEGV, &previous, NULL) != 0;
}

static void before_fork(void)
{
    pthread_mutex_lock(&state.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&state.lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

static cpu_zone *unused_zone(void)
{
    cpu_zone *first = atomic_load_explicit(&zones, memory_order_relaxed), *zone = first;
    while (zone != NULL && atomic_load_explicit(&zone->begin, memory_order_relaxed) != 0)
        zone = zone->next;
    if (zone != NULL || (zone = calloc(1, sizeof(*zone))) == NULL)
        return zone;
    zone->next = first;
    atomic_store_explicit(&zones, zone, memory_order_release);
    return zone;
}

cpu_zone *cpu_zone_add(const void *begin, size_t size, cpu_zone_touched touched, void *owner)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&state.lock);
    cpu_zone *zone = unused_zone();
    if (zone != NULL) {
        zone->end = (uintptr_t)begin + size;
        zone->touched = touched;
        zone->owner = owner;
        atomic_store_explicit(&zone->begin, (uintptr_t)begin, memory_order_release);
        if (state.used++ == 0)
            install();
    }
    pthread_mutex_unlock(&state.lock);
    return zone;
}

void cpu_zone_remove(cpu_zone *zone)
{
    if (zone == NULL)
        return;
    pthread_mutex_lock(&state.lock);
    atomic_store_explicit(&zone->begin, 0, memory_order_release);
    if (--state.used == 0)
        uninstall();
    pthread_mutex_unlock(&state.lock);
}
