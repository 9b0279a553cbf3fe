/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/pinned.h"

#include <stdlib.h>
#include <string.h>

void gpu_pinned_init(gpu_pinned *pinned)
{
    pthread_rwlock_init(&pinned->lock, NULL);
}

void gpu_pinned_clear(gpu_pinned *pinned)
{
    pthread_rwlock_destroy(&pinned->lock);
    free(pinned->ranges);
}

/* The first range that ends behind the address. */
static size_t find(const gpu_pinned *pinned, uintptr_t address)
{
    size_t low = 0, high = pinned->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pinned->ranges[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool gpu_pinned_add(gpu_pinned *pinned, const void *begin, size_t size)
{
    bool room = true;
    pthread_rwlock_wrlock(&pinned->lock);
    if (pinned->count == pinned->capacity) {
        size_t capacity = pinned->capacity != 0 ? pinned->capacity * 2 : 16;
        gpu_pinned_range *grown = realloc(pinned->ranges, capacity * sizeof(*grown));
        room = grown != NULL;
        if (room) {
            pinned->ranges = grown;
            pinned->capacity = capacity;
        }
    }
    if (room) {
        size_t at = find(pinned, (uintptr_t)begin);
        memmove(pinned->ranges + at + 1, pinned->ranges + at, (pinned->count - at) * sizeof(*pinned->ranges));
        pinned->ranges[at] = (gpu_pinned_range){(uintptr_t)begin, (uintptr_t)begin + size};
        ++pinned->count;
    }
    pthread_rwlock_unlock(&pinned->lock);
    return room;
}

void gpu_pinned_remove(gpu_pinned *pinned, const void *begin)
{
    pthread_rwlock_wrlock(&pinned->lock);
    size_t at = find(pinned, (uintptr_t)begin);
    if (at < pinned->count && pinned->ranges[at].begin == (uintptr_t)begin) {
        --pinned->count;
        memmove(pinned->ranges + at, pinned->ranges + at + 1, (pinned->count - at) * sizeof(*pinned->ranges));
    }
    pthread_rwlock_unlock(&pinned->lock);
}

bool gpu_pinned_holds(gpu_pinned *pinned, const void *begin, size_t size)
{
    pthread_rwlock_rdlock(&pinned->lock);
    size_t at = find(pinned, (uintptr_t)begin);
    bool holds = at < pinned->count && pinned->ranges[at].begin <= (uintptr_t)begin &&
                 pinned->ranges[at].end - (uintptr_t)begin >= size;
    pthread_rwlock_unlock(&pinned->lock);
    return holds;
}
