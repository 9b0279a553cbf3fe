/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/includes.h"

#include "base/arena.h"
#include "base/message.h"
#include "output/object.h"

#include <ctype.h>
#include <string.h>

/* Names begin so; what has a header of its own stands in front of what only begins alike. */
static const struct {
    const char *name, *header;
} places[] = {
    {"ACCEL_ASSERT", "accel/kernel/debug.h"},
    {"ACCEL_PRINTF", "accel/kernel/print.h"},
    {"ACCEL_REDUCER", "accel/kernel/reducer.h"},
    {"ACCEL_REDUCE", "accel/kernel/pattern.h"},
    {"ACCEL_SCAN", "accel/kernel/pattern.h"},
    {"ACCEL_FINAL_PASS", "accel/kernel/pattern.h"},
    {"ACCEL_FOR_EACH_ROW", "accel/kernel/row.h"},
    {"ACCEL_ROW_", "accel/kernel/row.h"},
    {"accel_row_", "accel/kernel/row.h"},
    {"ACCEL_SCATTER", "accel/kernel/scatter.h"},
    {"accel_scratch_", "accel/kernel/scratch.h"},
    {"accel_block_reduce", "accel/kernel/collective.h"},
    {"accel_block_inclusive_scan", "accel/kernel/collective.h"},
    {"accel_block_exclusive_scan", "accel/kernel/collective.h"},
    {"accel_block_broadcast", "accel/kernel/collective.h"},
    {"accel_block_sort", "accel/kernel/collective.h"},
    {"accel_sync_block_reduce", "accel/kernel/collective.h"},
    {"accel_sync_block_inclusive_scan", "accel/kernel/collective.h"},
    {"accel_sync_block_exclusive_scan", "accel/kernel/collective.h"},
    {"accel_sync_block_broadcast", "accel/kernel/collective.h"},
    {"accel_sync_block_sort", "accel/kernel/collective.h"},
    {"ACCEL_KERNEL", "accel/kernel.h"},
    {"ACCEL_THREAD_KERNEL", "accel/kernel.h"},
    {"ACCEL_FN", "accel/kernel.h"},
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *header_of(const char *name)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        if (strncmp(name, places[i].name, strlen(places[i].name)) == 0)
            return places[i].header;
    }
    return NULL;
}

static bool is_included(const char *header, const char *text)
{
    if (strcmp(header, "accel/kernel.h") == 0 && strstr(text, "accel/kernel/") != NULL)
        return true; /* each of these includes it */
    return strstr(text, header) != NULL;
}

/* Once for each header. */
static void show(const char *name, const char *header, const char *source, list *shown)
{
    const char *key = arena_format("%s for %s", header, source);
    if (list_contains(shown, key))
        return;
    message_note("%s is in <%s>, which \"%s\" does not include", name, header, source);
    list_add(shown, key);
}

void includes_show_missing(const char *source, const char *output, list *shown)
{
    size_t size = 0;
    const unsigned char *data = object_is_file(source) ? object_read(source, &size) : NULL;
    const char *text = data != NULL ? arena_copy((const char *)data, size) : NULL;
    for (const char *at = output; text != NULL && *at != '\0';) {
        size_t length = 0;
        while (is_word(at[length]))
            ++length;
        const char *header = length != 0 ? header_of(at) : NULL;
        if (header != NULL && !is_included(header, text))
            show(arena_format("%.*s", (int)length, at), header, source, shown);
        at += length != 0 ? length : 1;
    }
}
