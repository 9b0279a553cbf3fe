/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/support/history.h"

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

bool plugin_history_list(const plugin_history *history, const char *head, char *text, size_t size)
{
    uint32_t count = atomic_load_explicit(&history->count, memory_order_acquire);
    uint32_t listed = count < PLUGIN_HISTORY_LENGTH ? count : PLUGIN_HISTORY_LENGTH;

    if (count == 0)
        return false;
    append(text, size, "%s", head);
    for (uint32_t i = 0; i < listed; ++i) {
        const plugin_history_entry *entry = &history->entries[(count - 1 - i) % PLUGIN_HISTORY_LENGTH];
        const char *name = atomic_load_explicit(&entry->kernel, memory_order_relaxed);
        uint32_t n[6];
        for (int k = 0; k < 3; ++k) {
            n[k] = atomic_load_explicit(&entry->blocks[k], memory_order_relaxed);
            n[3 + k] = atomic_load_explicit(&entry->threads[k], memory_order_relaxed);
        }
        append(text, size, "%s\"%s\" (%ux%ux%u blocks of %ux%ux%u threads)", i != 0 ? ", " : " ", name, n[0], n[1],
               n[2], n[3], n[4], n[5]);
    }
    return true;
}
