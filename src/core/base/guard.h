/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every entry point asks first: are we inside a host function (semantics Q8), or in the child of a fork (O7)?
 * Both checks cost one load of a global in the common case.
 */
#ifndef ACCEL_CORE_GUARD_H
#define ACCEL_CORE_GUARD_H

#include <accel/accel.h>
#include <stdatomic.h>

/* Number of host functions running now in the process. Only if it is not 0 is the thread-local flag looked at. */
__attribute__((visibility("hidden"))) extern _Atomic uint32_t accel_guard_host_functions;
/* Incremented by pthread_atfork's child handler, which the first instance registers. */
__attribute__((visibility("hidden"))) extern volatile uint32_t accel_guard_fork_generation;

/* Is the calling thread inside a host function? */
bool accel_guard_inside_slow(void);
static inline bool accel_guard_inside(void)
{
    return atomic_load_explicit(&accel_guard_host_functions, memory_order_relaxed) != 0 && accel_guard_inside_slow();
}
/* ACCEL_INVALID with a text, if the calling thread is inside a host function. */
accel_status accel_guard_check(const char *function);

/* Around a host function, on the thread that runs it. leave runs the releases that were deferred if `may_call` says
 * that the thread may call into drivers; otherwise the next accel_guard_run_deferred does. */
void accel_guard_enter(void);
void accel_guard_leave(bool may_call);
/* Inside a host function the last release of an object is put off: destroy(object) runs later. `link` is storage inside
 * the object. Never fails. */
typedef struct accel_deferred {
    struct accel_deferred *next;
    void (*destroy)(void *object);
    void *object;
} accel_deferred;
void accel_guard_defer(accel_deferred *link, void (*destroy)(void *object), void *object);
/* Runs what was deferred; called by create and release functions outside host functions. One load if there is none. */
void accel_guard_run_deferred(void);
/* Destroys an object whose last reference was released. Inside a host function it is destroyed later (Q8). */
void accel_guard_destroy(accel_deferred *link, void (*destroy)(void *object), void *object);
/* Registers the fork handlers once. */
void accel_guard_watch_fork(void);

/* The process's one lock for lists of objects: queues of a device, kernels of a module. A fork waits for it, so that
 * the child finds it free and the lists whole. Held for a few instructions, never around a slot, never by a launch. */
void accel_guard_lock(void);
void accel_guard_unlock(void);

#endif
