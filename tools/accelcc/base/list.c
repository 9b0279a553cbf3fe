/* SPDX-License-Identifier: Apache-2.0 */
#include "base/list.h"

#include "base/arena.h"

#include <string.h>

void list_add(list *self, const char *item)
{
    if (self->count + 1 >= self->capacity) {
        size_t capacity = self->capacity == 0 ? 16 : 2 * self->capacity;
        const char **items = arena_alloc(capacity * sizeof *items);
        if (self->count != 0)
            memcpy(items, self->items, self->count * sizeof *items);
        self->items = items;
        self->capacity = capacity;
    }
    self->items[self->count++] = item;
    self->items[self->count] = NULL;
}

void list_add_words(list *self, const char *const words[], size_t count)
{
    for (size_t i = 0; i < count; ++i)
        list_add(self, words[i]);
}

void list_extend(list *self, const list *more)
{
    list_add_words(self, more->items, more->count);
}

bool list_contains(const list *self, const char *item)
{
    for (size_t i = 0; i < self->count; ++i) {
        if (strcmp(self->items[i], item) == 0)
            return true;
    }
    return false;
}

void list_split(list *self, const char *text, const char *separators)
{
    for (;;) {
        text += strspn(text, separators);
        if (*text == '\0')
            return;
        size_t length = strcspn(text, separators);
        list_add(self, arena_copy(text, length));
        text += length;
    }
}

const char *list_join(const list *self, const char *separator)
{
    size_t size = 1;
    for (size_t i = 0; i < self->count; ++i)
        size += strlen(self->items[i]) + strlen(separator);
    char *text = arena_alloc(size), *end = text;
    for (size_t i = 0; i < self->count; ++i) {
        if (i != 0)
            end = stpcpy(end, separator);
        end = stpcpy(end, self->items[i]);
    }
    return text;
}
