/* SPDX-License-Identifier: Apache-2.0 */
/* The last launches of a queue, for the text of a fault. Adding one is a few plain stores. */
#ifndef ACCEL_PLUGINS_HISTORY_H
#define ACCEL_PLUGINS_HISTORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLUGIN_HISTORY_LENGTH = 8 }; /* a power of two */

/* Names of kernels whose code ran live as long as the device, or the process. Threads that launch on one queue at once may mix two
 * entries. */
typedef struct plugin_history_entry {
    _Atomic(const char *) kernel;
    _Atomic uint32_t blocks[3], threads[3];
} plugin_history_entry;

typedef struct plugin_history {
    _Atomic uint32_t count; /* launches so far; the next goes to entries[count % PLUGIN_HISTORY_LENGTH] */
    plugin_history_entry entries[PLUGIN_HISTORY_LENGTH];
} plugin_history;

static inline void plugin_history_add(plugin_history *history, const char *kernel, const uint32_t blocks[3],
                                      const uint32_t threads[3])
{
    uint32_t count = atomic_load_explicit(&history->count, memory_order_relaxed);
    plugin_history_entry *entry = &history->entries[count % PLUGIN_HISTORY_LENGTH];
    atomic_store_explicit(&entry->kernel, kernel, memory_order_relaxed);
    for (int i = 0; i < 3; ++i) {
        atomic_store_explicit(&entry->blocks[i], blocks[i], memory_order_relaxed);
        atomic_store_explicit(&entry->threads[i], threads[i], memory_order_relaxed);
    }
    atomic_store_explicit(&history->count, count + 1, memory_order_release);
}

/* Appends the head and the launches, latest first: " "axpy" (8x1x1 blocks of 256x1x1 threads), ...". False: there was none, and
 * nothing is appended. */
bool plugin_history_list(const plugin_history *, const char *head, char *text, size_t size);

#endif
