/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/light/kernels.h"
#include "plugins/cpu/check/common/room.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    const accel_descriptor *kernel, *light;
} pair;

/* By the kernels' addresses. */
static struct {
    pair *items;
    size_t count, capacity;
} all;

/* The first that is not less. */
static size_t find(const accel_descriptor *kernel)
{
    size_t low = 0, high = all.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)all.items[middle].kernel < (uintptr_t)kernel)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool check_kernels_add(const accel_descriptor *kernel, const accel_descriptor *light)
{
    pair *grown = check_room_for_one(all.items, all.count, &all.capacity, sizeof(*grown));
    if (grown == NULL)
        return false;
    all.items = grown;
    const size_t at = find(kernel);
    memmove(&all.items[at + 1], &all.items[at], (all.count++ - at) * sizeof(*all.items));
    all.items[at] = (pair){kernel, light};
    return true;
}

const accel_descriptor *check_kernels_light(const accel_descriptor *kernel)
{
    const size_t at = find(kernel);
    return at < all.count && all.items[at].kernel == kernel ? all.items[at].light : NULL;
}
