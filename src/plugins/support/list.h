/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intrusive lists: the link is a member of what is listed. All zero is an empty list. Whoever shares a list guards it.
 *
 *     struct job { plugin_link link; ... };
 *     struct job *job = PLUGIN_OWNER(plugin_list_take(&list), struct job, link);
 */
#ifndef ACCEL_PLUGINS_LIST_H
#define ACCEL_PLUGINS_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct plugin_link {
    struct plugin_link *previous, *next;
} plugin_link;

typedef struct plugin_list {
    plugin_link *first, *last;
} plugin_list;

/* The struct of which `pointer`, which is not NULL, is a member. */
#define PLUGIN_OWNER(pointer, type, member) ((type *)(void *)((char *)(pointer)-offsetof(type, member)))

static inline bool plugin_list_is_empty(const plugin_list *list)
{
    return list->first == NULL;
}

/* Behind `place`; NULL: as the first. */
static inline void plugin_list_insert(plugin_list *list, plugin_link *place, plugin_link *link)
{
    link->previous = place;
    link->next = place != NULL ? place->next : list->first;
    if (link->next != NULL)
        link->next->previous = link;
    else
        list->last = link;
    if (place != NULL)
        place->next = link;
    else
        list->first = link;
}

static inline void plugin_list_append(plugin_list *list, plugin_link *link)
{
    plugin_list_insert(list, list->last, link);
}

static inline void plugin_list_remove(plugin_list *list, plugin_link *link)
{
    if (link->previous != NULL)
        link->previous->next = link->next;
    else
        list->first = link->next;
    if (link->next != NULL)
        link->next->previous = link->previous;
    else
        list->last = link->previous;
}

/* Removes the first, and returns it; NULL: the list is empty. */
static inline plugin_link *plugin_list_take(plugin_list *list)
{
    plugin_link *link = list->first;

    if (link != NULL)
        plugin_list_remove(list, link);
    return link;
}

/* Moves all of `from` behind what is in the list. */
static inline void plugin_list_append_all(plugin_list *list, plugin_list *from)
{
    if (from->first == NULL)
        return;
    from->first->previous = list->last;
    if (list->last != NULL)
        list->last->next = from->first;
    else
        list->first = from->first;
    list->last = from->last;
    *from = (plugin_list){NULL, NULL};
}

#endif
