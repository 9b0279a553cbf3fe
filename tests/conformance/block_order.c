/* SPDX-License-Identifier: Apache-2.0 */
#include "block_order.h"
#include "trial.h"

enum { GROUP = 32 };

static char *place(void *values, size_t i, size_t size)
{
    return (char *)values + i * size;
}

void block_order_reduce(const void *values, size_t n, size_t size, into_function into, void *result)
{
    char *copy = host_memory(n * size);
    memcpy(copy, values, n * size);
    for (size_t level = n; level != 0; level = level == 1 ? 0 : (level + GROUP - 1) / GROUP) {
        for (size_t first = 0; first < level; first += GROUP) {
            for (size_t h = GROUP / 2; h != 0; h /= 2)
                for (size_t k = 0; k < h && first + k + h < level; ++k)
                    into(place(copy, first + k, size), place(copy, first + k + h, size));
            memcpy(place(copy, first / GROUP, size), place(copy, first, size), size);
        }
    }
    memcpy(result, copy, size);
    free(copy);
}

/* a[0] to a[n - 1], at most 32 of them: each becomes what it and those before it make. */
static void prefixes(char *a, size_t n, size_t size, into_function into)
{
    for (size_t h = 1; h < n; h *= 2) {
        char before[GROUP * BLOCK_ORDER_LARGEST];
        memcpy(before, a, n * size);
        for (size_t k = h; k < n; ++k) {
            char left[BLOCK_ORDER_LARGEST];
            memcpy(left, place(before, k - h, size), size);
            into(left, place(before, k, size));
            memcpy(place(a, k, size), left, size);
        }
    }
}

void block_order_scan(void *values, size_t n, size_t size, into_function into)
{
    char groups[GROUP * BLOCK_ORDER_LARGEST];
    for (size_t first = 0; first < n; first += GROUP) {
        const size_t count = n - first < GROUP ? n - first : GROUP;
        prefixes(place(values, first, size), count, size, into);
        memcpy(place(groups, first / GROUP, size), place(values, first + count - 1, size), size);
    }
    prefixes(groups, (n + GROUP - 1) / GROUP, size, into);
    for (size_t i = GROUP; i < n; ++i) {
        char left[BLOCK_ORDER_LARGEST];
        memcpy(left, place(groups, i / GROUP - 1, size), size);
        into(left, place(values, i, size));
        memcpy(place(values, i, size), left, size);
    }
}
