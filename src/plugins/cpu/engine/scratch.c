/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/dispatch/block.h"
#include "plugins/cpu/fiber/fiber_pool.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 };

void *cpu_scratch_shared(cpu_scratch *scratch, size_t size)
{
    if (size > scratch->shared_capacity) {
        size_t capacity = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        void *shared = aligned_alloc(ALIGNMENT, capacity);
        if (shared == NULL)
            return NULL;
        free(scratch->shared);
        scratch->shared = shared;
        scratch->shared_capacity = capacity;
    }
    return scratch->shared;
}

void cpu_scratch_clear(cpu_scratch *scratch)
{
    free(scratch->shared);
    cpu_fiber_pool_destroy(scratch->fibers);
    *scratch = (cpu_scratch){0};
}
