/* SPDX-License-Identifier: Apache-2.0 */
#include "object.h"
#include "front.h"
#include "report.h"
#include "thread.h"

#include <stdint.h>
#include <stdlib.h>

enum { CHUNK = 256, CHUNKS = 4096, STEP = 64 };

static struct {
    sim_object **chunks[CHUNKS];
    size_t count;
} tables[SIM_KINDS];

static uintptr_t first_handle(sim_kind kind)
{
    return sim_front_here.handles + ((uintptr_t)kind << 32) + STEP;
}

void *sim_object_new(sim_kind kind, size_t size)
{
    size_t n = tables[kind].count;
    if (n == (size_t)CHUNK * CHUNKS)
        return NULL;
    sim_object ***chunk = &tables[kind].chunks[n / CHUNK];
    if (*chunk == NULL && (*chunk = calloc(CHUNK, sizeof **chunk)) == NULL)
        return NULL;
    sim_object *object = calloc(1, size);
    if (object == NULL)
        return NULL;
    object->kind = kind;
    object->alive = true;
    object->handle = (void *)(first_handle(kind) + n * STEP); /* NOLINT(performance-no-int-to-ptr) */
    (*chunk)[n % CHUNK] = object;
    ++tables[kind].count;
    return object;
}

void *sim_object_at(sim_kind kind, size_t n)
{
    return n < tables[kind].count ? tables[kind].chunks[n / CHUNK][n % CHUNK] : NULL;
}

void *sim_object_find(sim_kind kind, const void *handle)
{
    uintptr_t number = (uintptr_t)handle - first_handle(kind);
    return number % STEP == 0 ? sim_object_at(kind, number / STEP) : NULL;
}

void *sim_object_live(sim_kind kind, const void *handle)
{
    sim_object *object = sim_object_find(kind, handle);
    if (object != NULL && object->alive)
        return object;
    if (object != NULL)
        sim_violation("use after free", "%s: the %s was destroyed before", sim_thread_here.function,
                      sim_kind_name(kind));
    else
        sim_violation("handle", "%s: %p is no %s", sim_thread_here.function, handle, sim_kind_name(kind));
    return NULL;
}

const char *sim_kind_name(sim_kind kind)
{
    static const char *const names[] = {"context", "stream", "event", "module", "function"};
    return names[kind];
}
