/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fault/buffers.h"
#include "plugins/cpu/fault/handler.h"

#include <stdio.h>

static plugin_list all; /* under the lock of handler.h, which a fork waits for */

void cpu_buffers_add(cpu_buffer_note *note, const void *begin, size_t size)
{
    note->begin = (uintptr_t)begin;
    note->size = size;
    cpu_handler_lock();
    plugin_list_append(&all, &note->link);
    cpu_handler_unlock();
}

void cpu_buffers_remove(cpu_buffer_note *note)
{
    if (note->size == 0)
        return;
    cpu_handler_lock();
    plugin_list_remove(&all, &note->link);
    cpu_handler_unlock();
}

/* 0: inside. */
static uintptr_t distance_of(const cpu_buffer_note *note, uintptr_t address)
{
    if (address < note->begin)
        return note->begin - address;
    return address - note->begin < note->size ? 0 : address - note->begin - note->size + 1;
}

bool cpu_buffers_describe(uintptr_t address, char *text, size_t size)
{
    const uintptr_t farthest = (uintptr_t)1 << 32;
    cpu_buffer_note nearest = {.size = 0};
    cpu_handler_lock();
    for (plugin_link *link = all.first; link != NULL; link = link->next) {
        const cpu_buffer_note *note = PLUGIN_OWNER(link, cpu_buffer_note, link);
        if (nearest.size == 0 || distance_of(note, address) < distance_of(&nearest, address))
            nearest = *note;
    }
    cpu_handler_unlock();
    if (nearest.size == 0 || distance_of(&nearest, address) > farthest)
        return false;
    if (address < nearest.begin)
        snprintf(text, size, "%zu bytes before a buffer of %zu bytes", (size_t)(nearest.begin - address), nearest.size);
    else if (distance_of(&nearest, address) != 0)
        snprintf(text, size, "%zu bytes behind a buffer of %zu bytes", (size_t)(address - nearest.begin) - nearest.size,
                 nearest.size);
    else
        snprintf(text, size, "at byte %zu of a buffer of %zu bytes", (size_t)(address - nearest.begin), nearest.size);
    return true;
}
