/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/guard.h"

#include "core/base/error.h"

#include <pthread.h>

_Atomic uint32_t accel_guard_host_functions;
volatile uint32_t accel_guard_fork_generation;

/* How many host functions the thread is inside of. */
static _Thread_local uint32_t depth;

/* Stack of what was deferred. Pushed with release by any thread, taken whole with acquire, so that nothing is popped singly. */
static _Atomic(accel_deferred *) deferred;

bool accel_guard_inside_slow(void)
{
    return depth != 0;
}

accel_status accel_guard_check(const char *function)
{
    if (!accel_guard_inside())
        return ACCEL_OK;
    return accel_error_set(
        ACCEL_INVALID,
        "%s: called from a host function of a queue, where only retain, release, names, regions, queries that ask no "
        "driver, and accel_event_signal are allowed; call it after accel_queue_wait, or from another thread",
        function);
}

void accel_guard_enter(void)
{
    ++depth;
    atomic_fetch_add_explicit(&accel_guard_host_functions, 1, memory_order_relaxed);
}

void accel_guard_leave(bool may_call)
{
    --depth;
    atomic_fetch_sub_explicit(&accel_guard_host_functions, 1, memory_order_relaxed);
    if (may_call)
        accel_guard_run_deferred();
}

void accel_guard_defer(accel_deferred *link, void (*destroy)(void *object), void *object)
{
    link->destroy = destroy;
    link->object = object;
    link->next = atomic_load_explicit(&deferred, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&deferred, &link->next, link, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

void accel_guard_run_deferred(void)
{
    if (atomic_load_explicit(&deferred, memory_order_relaxed) == NULL || depth != 0)
        return;

    accel_deferred *stack = atomic_exchange_explicit(&deferred, NULL, memory_order_acquire);
    accel_deferred *first = NULL;

    while (stack != NULL) { /* reversed: destroyed in the order in which they were released */
        accel_deferred *next = stack->next;
        stack->next = first;
        first = stack;
        stack = next;
    }
    while (first != NULL) {
        accel_deferred *next = first->next; /* destroy frees the link */
        first->destroy(first->object);
        first = next;
    }
}

void accel_guard_destroy(accel_deferred *link, void (*destroy)(void *object), void *object)
{
    if (accel_guard_inside()) {
        accel_guard_defer(link, destroy, object);
        return;
    }
    destroy(object);
    accel_guard_run_deferred();
}

static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;

void accel_guard_lock(void)
{
    pthread_mutex_lock(&lists);
}

void accel_guard_unlock(void)
{
    pthread_mutex_unlock(&lists);
}

/* Only the forking thread lives in the child: host functions of the others are gone with them. */
static void in_child(void)
{
    accel_guard_unlock();
    accel_guard_fork_generation = accel_guard_fork_generation + 1;
    atomic_store_explicit(&accel_guard_host_functions, depth, memory_order_relaxed);
}

void accel_guard_watch_fork(void)
{
    static _Atomic bool watching; /* whoever sets it registers; without memory the next instance tries again */

    if (!atomic_exchange_explicit(&watching, true, memory_order_relaxed) &&
        pthread_atfork(accel_guard_lock, accel_guard_unlock, in_child) != 0)
        atomic_store_explicit(&watching, false, memory_order_relaxed);
}
