/* SPDX-License-Identifier: Apache-2.0 */
/* Which host memory the driver copies from and to by itself: what this backend allocated. Everything else counts as
 * pageable, because submitting asks no driver. */
#ifndef ACCEL_GPU_PINNED_H
#define ACCEL_GPU_PINNED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gpu_pinned_range {
    uintptr_t begin, end;
} gpu_pinned_range;

typedef struct gpu_pinned {
    pthread_rwlock_t lock;    /* guards the rest */
    gpu_pinned_range *ranges; /* ascending, disjoint */
    size_t count, capacity;
} gpu_pinned;

void gpu_pinned_init(gpu_pinned *);
void gpu_pinned_clear(gpu_pinned *);
/* False: no memory. */
bool gpu_pinned_add(gpu_pinned *, const void *begin, size_t size);
void gpu_pinned_remove(gpu_pinned *, const void *begin);
/* Lies all of it in one allocation? */
bool gpu_pinned_holds(gpu_pinned *, const void *begin, size_t size);

#endif
