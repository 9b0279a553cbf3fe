/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/includes.h"

#include "base/arena.h"
#include "base/message.h"

#include <ctype.h>
#include <stdio.h>
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
    {"ACCEL_THREAD_FOR_EACH_ROW", "accel/kernel/row.h"},
    {"ACCEL_ROW_", "accel/kernel/row.h"},
    {"accel_row_", "accel/kernel/row.h"},
    {"ACCEL_SCATTER", "accel/kernel/scatter.h"},
    {"accel_scratch_", "accel/kernel/scratch.h"},
    {"accel_block_reduce", "accel/kernel/collective.h"},
    {"accel_block_inclusive_scan", "accel/kernel/collective.h"},
    {"accel_block_exclusive_scan", "accel/kernel/collective.h"},
    {"accel_block_broadcast", "accel/kernel/collective.h"},
    {"accel_block_sort", "accel/kernel/collective.h"},
    {"accel_block_range_", "accel/kernel/collective.h"},
    {"accel_sync_block_reduce", "accel/kernel/collective.h"},
    {"accel_sync_block_inclusive_scan", "accel/kernel/collective.h"},
    {"accel_sync_block_exclusive_scan", "accel/kernel/collective.h"},
    {"accel_sync_block_broadcast", "accel/kernel/collective.h"},
    {"accel_sync_block_sort", "accel/kernel/collective.h"},
    {"accel_sync_block_range_", "accel/kernel/collective.h"},
    {"ACCEL_KERNEL", "accel/kernel.h"},
    {"ACCEL_THREAD_KERNEL", "accel/kernel.h"},
    {"ACCEL_FN", "accel/kernel.h"},
};

/* "# include <accel/kernel/pattern.h>", or with quotes. */
static bool is_directive(const char *line, const char *const headers[], size_t count)
{
    static const char directive[] = "include";
    line += strspn(line, " \t");
    if (*line != '#')
        return false;
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, directive, sizeof directive - 1) != 0)
        return false;
    line += sizeof directive - 1;
    line += strspn(line, " \t");
    for (size_t i = 0; (*line == '<' || *line == '"') && i < count; ++i) {
        if (strncmp(line + 1, headers[i], strlen(headers[i])) == 0)
            return true;
    }
    return false;
}

/* A line that is longer than the buffer is read in parts, of which only the first can begin with '#'. A source that cannot
 * be read is the compiler's to report. */
bool includes_any(const char *source, const char *const headers[], size_t count)
{
    FILE *file = fopen(source, "r");
    char line[256];
    bool found = false, begins = true;
    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        found = begins && is_directive(line, headers, count);
        begins = strchr(line, '\n') != NULL;
    }
    fclose(file);
    return found;
}

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

/* Once for each header. Those of accel/kernel include accel/kernel.h. */
static void show(const char *name, const char *header, const char *source, list *shown)
{
    const char *key = arena_format("%s for %s", header, source);
    const char *const wanted = strcmp(header, "accel/kernel.h") == 0 ? "accel/kernel" : header;
    if (list_contains(shown, key) || includes_any(source, &wanted, 1))
        return;
    message_note("%s is in <%s>, which \"%s\" does not include", name, header, source);
    list_add(shown, key);
}

void includes_show_missing(const char *source, const char *output, list *shown)
{
    for (const char *at = output; *at != '\0';) {
        size_t length = 0;
        while (is_word(at[length]))
            ++length;
        const char *header = length != 0 ? header_of(at) : NULL;
        if (header != NULL)
            show(arena_format("%.*s", (int)length, at), header, source, shown);
        at += length != 0 ? length : 1;
    }
}
