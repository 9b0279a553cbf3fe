/* SPDX-License-Identifier: Apache-2.0 */
/* The last launches of a queue, for the text of a fault. Adding one is a few plain stores. */
#ifndef ACCEL_GPU_HISTORY_H
#define ACCEL_GPU_HISTORY_H

#include <stdatomic.h>
#include <stdint.h>

enum { GPU_HISTORY_LENGTH = 8 }; /* a power of two */

/* Names of kernels whose code ran live as long as the device. Threads that launch on one queue at once may mix two
 * entries. */
typedef struct gpu_history_entry {
    _Atomic(const char *) kernel;
    _Atomic uint32_t blocks[3], threads[3];
} gpu_history_entry;

typedef struct gpu_history {
    _Atomic uint32_t count; /* launches so far; the next goes to entries[count % GPU_HISTORY_LENGTH] */
    gpu_history_entry entries[GPU_HISTORY_LENGTH];
} gpu_history;

static inline void gpu_history_add(gpu_history *history, const char *kernel, const uint32_t blocks[3],
                                   const uint32_t threads[3])
{
    uint32_t count = atomic_load_explicit(&history->count, memory_order_relaxed);
    gpu_history_entry *entry = &history->entries[count % GPU_HISTORY_LENGTH];
    atomic_store_explicit(&entry->kernel, kernel, memory_order_relaxed);
    for (int i = 0; i < 3; ++i) {
        atomic_store_explicit(&entry->blocks[i], blocks[i], memory_order_relaxed);
        atomic_store_explicit(&entry->threads[i], threads[i], memory_order_relaxed);
    }
    atomic_store_explicit(&history->count, count + 1, memory_order_release);
}

#endif
