/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/process_slot.h"
#include "core/base/allocate.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { NAME_SIZE = 64, ALIGNMENT = 64 };

typedef struct slot {
    struct slot *next; /* immutable once the slot is in the list */
    size_t size;
    char name[NAME_SIZE];
} slot;

/* Slots are only ever put in at the front, with release: readers need no lock, and a fork at any moment leaves a whole
 * list. The memory of a slot follows it. */
static _Atomic(slot *) slots;

_Static_assert(sizeof(slot) <= 2 * ALIGNMENT, "memory of a slot begins behind two cache lines");

static slot *find(slot *first, const char *name)
{
    while (first != NULL && strcmp(first->name, name) != 0)
        first = first->next;
    return first;
}

void *accel_process_slot(const char *name, size_t size)
{
    size_t length = strlen(name);
    if (length >= NAME_SIZE || size > SIZE_MAX / 2)
        return NULL;
    slot *made = NULL;
    slot *first = atomic_load_explicit(&slots, memory_order_acquire);
    slot *found;
    while ((found = find(first, name)) == NULL) {
        if (made == NULL) {
            size_t bytes = (2 * ALIGNMENT + size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            made = accel_allocate_aligned(ALIGNMENT, bytes);
            if (made == NULL)
                return NULL;
            memset(made, 0, bytes);
            memcpy(made->name, name, length);
            made->size = size;
        }
        made->next = first;
        if (atomic_compare_exchange_strong_explicit(&slots, &first, made, memory_order_acq_rel, memory_order_acquire)) {
            found = made;
            made = NULL;
        }
    }
    accel_deallocate(made);
    return found->size == size ? (unsigned char *)found + 2 * ALIGNMENT : NULL;
}
