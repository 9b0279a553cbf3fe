/* SPDX-License-Identifier: Apache-2.0 */
/* A growing list of strings: command lines, sources, dependencies. Memory is the arena's. */
#ifndef ACCELCC_LIST_H
#define ACCELCC_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct list {
    const char **items; /* always followed by a NULL, as exec wants it; NULL while the list is empty */
    size_t count, capacity;
} list;

void list_add(list *, const char *item);
void list_extend(list *, const list *more);
/* `count` words at once. */
void list_add_words(list *, const char *const words[], size_t count);
bool list_contains(const list *, const char *item);
/* Adds the words of `text`, which are separated by any of the characters in `separators`. */
void list_split(list *, const char *text, const char *separators);
/* "a, b, c" */
const char *list_join(const list *, const char *separator);

#endif
