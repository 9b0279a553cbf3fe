/* SPDX-License-Identifier: Apache-2.0 */
#include "core/config/plugin_values.h"

#include "core/base/allocate.h"

#include <stdatomic.h>
#include <string.h>

/* Both lists only ever grow: few entries, each once, pushed with release and read with acquire. No lock that a fork could
 * leave behind. Two threads that push one name or text at once both add it: the entry nearer to the head counts. */
typedef struct kept_text {
    struct kept_text *next;
    char text[];
} kept_text;
static _Atomic(kept_text *) kept_texts;

typedef struct plugin_value {
    struct plugin_value *next;
    _Atomic(const char *) value; /* one of kept_texts; replaced as a whole by each instance */
    char name[];
} plugin_value;
static _Atomic(plugin_value *) values;

static accel_status keep(const char *text, const char **kept)
{
    kept_text *item = atomic_load_explicit(&kept_texts, memory_order_acquire);

    while (item != NULL && strcmp(item->text, text) != 0)
        item = item->next;
    if (item == NULL) {
        size_t size = strlen(text) + 1;
        item = accel_allocate(sizeof(*item) + size);
        if (item == NULL)
            return ACCEL_OUT_OF_MEMORY;
        memcpy(item->text, text, size);
        item->next = atomic_load_explicit(&kept_texts, memory_order_relaxed);
        while (!atomic_compare_exchange_weak_explicit(&kept_texts, &item->next, item, memory_order_release,
                                                      memory_order_relaxed))
            continue;
    }
    *kept = item->text;
    return ACCEL_OK;
}

static plugin_value *find(const char *name)
{
    plugin_value *item = atomic_load_explicit(&values, memory_order_acquire);

    while (item != NULL && strcmp(item->name, name) != 0)
        item = item->next;
    return item;
}

accel_status accel_plugin_value_set(const char *name, const char *value)
{
    plugin_value *item = find(name);
    const char *kept = NULL;

    if (value != NULL && keep(value, &kept) != ACCEL_OK)
        return ACCEL_OUT_OF_MEMORY;
    if (item != NULL) {
        atomic_store_explicit(&item->value, kept, memory_order_release);
        return ACCEL_OK;
    }

    size_t size = strlen(name) + 1;

    item = accel_allocate(sizeof(*item) + size);
    if (item == NULL)
        return ACCEL_OUT_OF_MEMORY;
    memcpy(item->name, name, size);
    atomic_init(&item->value, kept);
    item->next = atomic_load_explicit(&values, memory_order_relaxed);
    while (
        !atomic_compare_exchange_weak_explicit(&values, &item->next, item, memory_order_release, memory_order_relaxed))
        continue;
    return ACCEL_OK;
}

const char *accel_plugin_value(const char *name)
{
    const plugin_value *item = find(name);

    return item != NULL ? atomic_load_explicit(&item->value, memory_order_acquire) : NULL;
}
