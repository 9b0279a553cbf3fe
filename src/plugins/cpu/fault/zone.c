/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fault/zone.h"
#include "plugins/cpu/fault/handler.h"

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

static bool resolve(int number, const siginfo_t *info, ucontext_t *registers)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    if (number != SIGSEGV)
        return false;
    for (cpu_zone *zone = atomic_load_explicit(&zones, memory_order_acquire); zone != NULL; zone = zone->next) {
        uintptr_t begin = atomic_load_explicit(&zone->begin, memory_order_acquire);
        if (begin != 0 && address >= begin && address < zone->end)
            return zone->touched(zone->owner, address, registers);
    }
    return false;
}

/* Under the lock of handler.h. */
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
    cpu_handler_lock();
    cpu_zone *zone = unused_zone();
    if (zone != NULL) {
        zone->end = (uintptr_t)begin + size;
        zone->touched = touched;
        zone->owner = owner;
        atomic_store_explicit(&zone->begin, (uintptr_t)begin, memory_order_release);
        cpu_handler_begin(CPU_HANDLER_ZONES, resolve);
    }
    cpu_handler_unlock();
    return zone;
}

void cpu_zone_remove(cpu_zone *zone)
{
    if (zone == NULL)
        return;
    cpu_handler_lock();
    atomic_store_explicit(&zone->begin, 0, memory_order_release);
    cpu_handler_end(CPU_HANDLER_ZONES);
    cpu_handler_unlock();
}
