/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/selection.h"

#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/config/local_rank.h"
#include "core/base/log.h"
#include "core/base/nearest.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"

/* The next entry of a list separated by ',', without blanks around it. false behind the last. */
static bool next_entry(const char **list, const char **entry, size_t *length)
{
    if (*list == NULL)
        return false;

    const char *end = *list + strcspn(*list, ",");
    const char *first = *list + strspn(*list, BLANKS);

    if (first > end)
        first = end;
    *entry = first;
    *length = (size_t)(end - first);
    while (*length > 0 && strchr(BLANKS, first[*length - 1]) != NULL)
        --*length;
    *list = *end == ',' ? end + 1 : NULL;
    return true;
}

static size_t entry_count(const char *list)
{
    size_t count = 1;

    for (; *list != '\0'; ++list)
        count += *list == ',';
    return count;
}

static accel_status no_backend(const accel_selection *selection, const accel_search *search, const char *name)
{
    const char *nearest = accel_nearest(name, (const char *const *)search->names, search->name_count);
    accel_text known = {0}, searched = {0};

    for (size_t i = 0; i < search->name_count; ++i)
        accel_text_add(&known, "%s%s", i > 0 ? ", " : "", search->names[i]);
    if (nearest == NULL) { /* a new name, and no slip */
        accel_text_add(&searched, "; searched for others: ");
        accel_paths_tell(&search->directories, &searched);
    }
    if (nearest == NULL && search->directories.ignored.length > 0)
        accel_text_add(&searched, "; skipped, because it is not absolute: %s",
                       accel_text_peek(&search->directories.ignored));
    accel_error_set(ACCEL_NOT_FOUND, "%s is \"%s\", but there is no backend \"%s\"%s%s%s; known: %s%s",
                    selection->backends_source, selection->backends_value, name, nearest != NULL ? ", maybe \"" : "",
                    nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "", accel_text_peek(&known),
                    accel_text_peek(&searched));
    accel_text_clear(&searched);
    accel_text_clear(&known);
    return ACCEL_NOT_FOUND;
}

static accel_status add_backend(accel_selection *selection, const accel_search *search, const char *name)
{
    for (size_t i = 0; i < search->name_count; ++i) {
        if (strcmp(search->names[i], name) != 0)
            continue;
        for (size_t j = 0; j < selection->listed_count; ++j) {
            if (selection->order[j] == i)
                return accel_error_set(ACCEL_INVALID, "%s is \"%s\", which names \"%s\" twice; name each backend once",
                                       selection->backends_source, selection->backends_value, name);
        }
        selection->order[selection->listed_count++] = i;
        return ACCEL_OK;
    }
    return no_backend(selection, search, name);
}

static accel_status list_backends(accel_selection *selection, const accel_search *search)
{
    const char *list = selection->backends_value, *entry;
    size_t length;

    while (next_entry(&list, &entry, &length)) {
        if (length == 0)
            return accel_error_set(ACCEL_INVALID, "%s is \"%s\", which has an empty entry; separate names by one ','",
                                   selection->backends_source, selection->backends_value);
        char *name = accel_text_format("%.*s", (int)length, entry);
        accel_status status = name != NULL ? add_backend(selection, search, name) : ACCEL_OUT_OF_MEMORY;
        accel_deallocate(name);
        if (status != ACCEL_OK)
            return status;
    }
    return ACCEL_OK;
}

/* All backends: those that may be opened, then the rest. */
static accel_status order_backends(accel_selection *selection, const accel_search *search)
{
    selection->order = accel_allocate_array(search->name_count, sizeof(*selection->order));
    if (selection->order == NULL)
        return ACCEL_OUT_OF_MEMORY;
    if (selection->chosen) {
        accel_status status = list_backends(selection, search);
        if (status != ACCEL_OK)
            return status;
    }
    for (size_t i = 0; !selection->chosen && i < search->name_count; ++i) {
        if (!accel_search_on_request(search->names[i]))
            selection->order[selection->listed_count++] = i;
    }

    size_t count = selection->listed_count;

    for (size_t i = 0; i < search->name_count; ++i) {
        bool listed = false;
        for (size_t j = 0; j < selection->listed_count; ++j)
            listed |= selection->order[j] == i;
        if (!listed)
            selection->order[count++] = i;
    }
    return ACCEL_OK;
}

static accel_status bad_devices(const accel_selection *selection, const char *entry, size_t length, const char *problem)
{
    return accel_error_set(ACCEL_INVALID,
                           "%s is \"%s\": \"%.*s\" %s; it takes device numbers (\"0,2\") or \"local-rank\"",
                           selection->devices_source, selection->devices_value, (int)length, entry, problem);
}

static accel_status list_devices(accel_selection *selection)
{
    const char *list = selection->devices_value, *entry;
    size_t length;

    selection->ordinals = accel_allocate_array(entry_count(list), sizeof(*selection->ordinals));
    if (selection->ordinals == NULL)
        return ACCEL_OUT_OF_MEMORY;
    while (next_entry(&list, &entry, &length)) {
        uint32_t ordinal = 0;
        if (length == 0)
            return bad_devices(selection, entry, length, "is an empty entry");
        if (length > 6 || strspn(entry, "0123456789") < length)
            return bad_devices(selection, entry, length, "is no device number");
        for (size_t i = 0; i < length; ++i)
            ordinal = ordinal * 10 + (uint32_t)(entry[i] - '0');
        for (size_t i = 0; i < selection->ordinal_count; ++i) {
            if (selection->ordinals[i] == ordinal)
                return bad_devices(selection, entry, length, "is there twice");
        }
        selection->ordinals[selection->ordinal_count++] = ordinal;
    }
    return ACCEL_OK;
}

static accel_status narrow_devices(accel_selection *selection)
{
    const char *list = selection->devices_value, *entry = "", *variable = NULL;
    size_t length = 0;

    next_entry(&list, &entry, &length);
    if (list != NULL || length != strlen("local-rank") || strncmp(entry, "local-rank", length) != 0)
        return list_devices(selection);

    accel_status status = accel_local_rank(&selection->rank, &variable);

    if (status == ACCEL_OK) {
        selection->by_rank = true;
        accel_log(ACCEL_LOG_INFO, "rank on this node is %u, from %s", selection->rank, variable);
    }
    return status;
}

accel_status accel_selection_create(const accel_config *config, const accel_search *search, accel_selection *out)
{
    bool program_backends = strcmp(accel_config_source(config, "ACCEL_BACKEND"), "program") == 0;
    bool program_devices = strcmp(accel_config_source(config, "ACCEL_DEVICES"), "program") == 0;
    accel_selection selection = {
        .backends_source = program_backends ? "the descriptor's backends" : "ACCEL_BACKEND",
        .backends_value = accel_config_value(config, "ACCEL_BACKEND"),
        .devices_source = program_devices ? "the descriptor's devices" : "ACCEL_DEVICES",
        .devices_value = accel_config_value(config, "ACCEL_DEVICES"),
    };

    selection.chosen = program_backends || selection.backends_value[0] != '\0';
    selection.narrowed = program_devices || selection.devices_value[0] != '\0';

    accel_status status = order_backends(&selection, search);

    if (status == ACCEL_OK && selection.narrowed)
        status = narrow_devices(&selection);
    if (status != ACCEL_OK) {
        accel_selection_destroy(&selection);
        return status;
    }
    *out = selection;
    return ACCEL_OK;
}

void accel_selection_destroy(accel_selection *selection)
{
    accel_deallocate(selection->order);
    accel_deallocate(selection->ordinals);
    *selection = (accel_selection){0};
}
