/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow. */
#ifndef ACCEL_CPU_CHECK_ROOM_H
#define ACCEL_CPU_CHECK_ROOM_H

#include <stddef.h>
#include <stdlib.h>

/* Where the array of `count` items of `size` bytes is, once it has room for one more. NULL if memory is short: it is where and
 * as it was. An array of no items is NULL, with a capacity of 0. */
static inline void *check_room_for_one(void *items, size_t count, size_t *capacity, size_t size)
{
    enum { FIRST = 64 };
    const size_t larger = *capacity != 0 ? 2 * *capacity : FIRST;
    if (count < *capacity)
        return items;
    void *grown = realloc(items, larger * size);
    if (grown != NULL)
        *capacity = larger;
    return grown;
}

#endif
