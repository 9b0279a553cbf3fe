/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/history.h"
#include "plugins/gpu/engine/module.h"
#include "plugins/gpu/queue/queue.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static void list_queue(gpu_history *history, uint32_t count, char *text, size_t size)
{
    uint32_t kept = count < GPU_HISTORY_LENGTH ? count : GPU_HISTORY_LENGTH;
    for (uint32_t i = 0; i < kept; ++i) {
        gpu_history_entry *entry = &history->entries[(count - 1 - i) % GPU_HISTORY_LENGTH];
        const accel_impl_kernel *kernel = atomic_load_explicit(&entry->kernel, memory_order_relaxed);
        uint32_t n[6];
        for (int k = 0; k < 3; ++k) {
            n[k] = atomic_load_explicit(&entry->blocks[k], memory_order_relaxed);
            n[3 + k] = atomic_load_explicit(&entry->threads[k], memory_order_relaxed);
        }
        append(text, size, "%s\"%s\" (%ux%ux%u blocks of %ux%ux%u threads)", i != 0 ? ", " : " ", kernel->name, n[0],
               n[1], n[2], n[3], n[4], n[5]);
    }
}

void gpu_history_list(accel_impl_device *device, char *text, size_t size)
{
    unsigned listed = 0;
    text[0] = '\0';
    pthread_mutex_lock(&device->queue_lock);
    for (accel_impl_queue *queue = device->queues; queue != NULL; queue = queue->next) {
        uint32_t count = atomic_load_explicit(&queue->history.count, memory_order_acquire);
        if (count == 0)
            continue;
        append(text, size, "%s", listed == 0 ? "Last launches, latest first:" : "; on another queue:");
        list_queue(&queue->history, count, text, size);
        ++listed;
    }
    pthread_mutex_unlock(&device->queue_lock);
    append(text, size, "%s", listed == 0 ? "No kernel was launched on its queues" : "");
}
