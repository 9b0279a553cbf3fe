/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Released objects of a backend that finds errors of programs (plugin.h: object_released). Their memory stays readable
 * for a while, with a reference count and a fork generation that no live object has: so the checks that every function
 * makes anyway lead here, and the plugin is told. Other backends' objects are freed at once.
 */
#ifndef ACCEL_CORE_RELEASED_H
#define ACCEL_CORE_RELEASED_H

#include "core/plugins/backend.h"
#include "core/base/reference.h"

/* Fork generations of released objects; forks are fewer. */
#define ACCEL_RELEASED_FIRST 0x80000000u

/* The kind of instances, which are none of enum accel_object_kind. */
#define ACCEL_RELEASED_INSTANCE 0u

static inline bool accel_is_released(uint32_t generation)
{
    return generation >= ACCEL_RELEASED_FIRST;
}

typedef struct accel_released {
    void *object;
    void (*discard)(void *object); /* frees its memory, and touches nothing else of libaccel */
    accel_reference *reference;
    /* The rest is filled by accel_released_begin. */
    uint32_t generation;
    uint64_t number; /* the plugin's */
    accel_status (*misused)(uint64_t number, const char *function);
} accel_released;

/* The object has ended, and only its memory is left. false: nobody wants it, and the caller frees it. Else the caller
 * writes `generation` into it, accel_device_of_released where it has a device, and then calls accel_released_keep. */
bool accel_released_begin_slow(const accel_backend *, uint32_t kind, accel_released *);
static inline bool accel_released_begin(const accel_backend *backend, uint32_t kind, accel_released *released)
{
    return backend != NULL && __builtin_expect(backend->backend_vtable.object_released != NULL, 0) &&
           accel_released_begin_slow(backend, kind, released);
}
/* The same of an object of libaccel's own, of which the plugin knows no end: it is told first. */
bool accel_released_begin_own(const accel_backend *, uint32_t kind, const void *object, accel_released *);
/* One is there. No backend (NULL) wants to know in most programs. */
void accel_released_made(const accel_backend *, uint32_t kind, const void *object);
/* Frees what was kept longest, if there is too much. */
void accel_released_keep(const accel_released *);

/* A function of the program's is called with a released object: ACCEL_INVALID, with a text. */
accel_status accel_released_use(const char *function, uint32_t generation);
/* The same where the answer is no status: libaccel's text of the thread stays. Does nothing for objects that live. */
void accel_released_query_slow(const char *function, uint32_t generation);
static inline void accel_released_query(const char *function, uint32_t generation)
{
    if (__builtin_expect(accel_is_released(generation), 0))
        accel_released_query_slow(function, generation);
}

#endif
