/* SPDX-License-Identifier: Apache-2.0 */
#include "core/api/released.h"

#include "core/base/error.h"
#include "core/base/guard.h"

#define KEPT 1024u /* a power of two */

/* Guarded by accel_guard_lock. An entry's place are the last bits of its generation. */
static accel_released kept[KEPT];
static uint32_t begun;

bool accel_released_begin_slow(const accel_backend *backend, uint32_t kind, accel_released *released)
{
    released->number = backend->backend_vtable.object_released(kind);
    if (released->number == 0)
        return false;
    released->misused = backend->backend_vtable.object_misused;
    accel_guard_lock();
    released->generation = ACCEL_RELEASED_FIRST | (begun++ & (ACCEL_RELEASED_FIRST - 1));
    accel_guard_unlock();
    return true;
}

void accel_released_keep(const accel_released *released)
{
    atomic_store_explicit(&released->reference->count, ACCEL_REFERENCES_RELEASED, memory_order_relaxed);
    accel_guard_lock();
    accel_released *place = &kept[released->generation % KEPT], oldest = *place;
    *place = *released;
    accel_guard_unlock();
    if (oldest.object != NULL)
        oldest.discard(oldest.object);
}

accel_status accel_released_use(const char *function, uint32_t generation)
{
    accel_guard_lock();
    const accel_released found = kept[generation % KEPT];
    accel_guard_unlock();
    if (found.object == NULL || found.generation != generation || found.misused(found.number, function) == ACCEL_OK)
        accel_error_set(ACCEL_INVALID, "%s: the object was released before", function);
    return ACCEL_INVALID;
}

void accel_released_query_slow(const char *function, uint32_t generation)
{
    char text[ACCEL_ERROR_SIZE];

    accel_error_save(text);
    (void)accel_released_use(function, generation);
    accel_error_restore(text);
}

bool accel_released_begin_own(const accel_backend *backend, uint32_t kind, const void *object, accel_released *released)
{
    if (backend == NULL)
        return false;
    if (backend->backend_vtable.object_ended != NULL)
        backend->backend_vtable.object_ended(kind, object);
    return accel_released_begin(backend, kind, released);
}

void accel_released_made(const accel_backend *backend, uint32_t kind, const void *object)
{
    if (backend != NULL && backend->backend_vtable.object_made != NULL)
        backend->backend_vtable.object_made(kind, object);
}

void accel_reference_released_again(const accel_reference *reference)
{
    char text[ACCEL_ERROR_SIZE];
    uint64_t number = 0;
    accel_status (*misused)(uint64_t, const char *) = NULL;

    accel_guard_lock();
    for (uint32_t i = 0; i < KEPT; ++i) {
        if (kept[i].reference != reference)
            continue;
        number = kept[i].number;
        misused = kept[i].misused;
    }
    accel_guard_unlock();
    if (misused == NULL)
        return;
    accel_error_save(text);
    (void)misused(number, NULL);
    accel_error_restore(text);
}
