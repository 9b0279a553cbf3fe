/* SPDX-License-Identifier: Apache-2.0 */
#include "core/tools/pending.h"

#include "core/base/allocate.h"

/* Pushed one by one with release, taken all at once with acquire: so no thread sees a record come back meanwhile. */
static _Atomic(watch_pending *) given;

watch_pending *accel_pending_take(watch_pending **list)
{
    watch_pending *taken = *list;

    if (taken == NULL && atomic_load_explicit(&given, memory_order_relaxed) != NULL)
        taken = atomic_exchange_explicit(&given, NULL, memory_order_acquire);
    if (taken == NULL)
        return accel_allocate(sizeof(*taken));
    *list = taken->next;
    return taken;
}

void accel_pending_give(watch_pending *pending)
{
    pending->next = atomic_load_explicit(&given, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&given, &pending->next, pending, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

static void discard(watch_pending *list)
{
    while (list != NULL) {
        watch_pending *next = list->next;
        accel_deallocate(list);
        list = next;
    }
}

void accel_pending_discard(watch_pending **list)
{
    discard(*list);
    *list = NULL;
    discard(atomic_exchange_explicit(&given, NULL, memory_order_acquire));
}
