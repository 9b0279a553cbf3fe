/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "gpu/ptx.h"
#include "gpu/ptx_module.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the statements of one module are spelled in the merged one. */
typedef struct spelling {
    const list *local;   /* names to be marked */
    const char *suffix;  /* the mark; "" changes nothing */
    uint32_t first_file; /* to be added to numbers of files */
} spelling;

static void write_number(FILE *out, const char **at, uint32_t add)
{
    char *end;
    uint32_t number = (uint32_t)strtoul(*at, &end, 10);
    if (end == *at)
        return;
    fprintf(out, " %" PRIu32, number + add);
    *at = end;
}

static void write_text(FILE *out, const char *at, const spelling *how)
{
    while (*at != '\0') {
        size_t length = *at == '.';
        while (ptx_is_word(at[length]))
            ++length;
        if (length == 0 || (length == 1 && *at == '.')) {
            const char *behind = ptx_step(at);
            fwrite(at, 1, (size_t)(behind - at), out);
            at = behind;
            continue;
        }
        const char *word = arena_copy(at, length);
        at += length;
        fputs(word, out);
        if (list_contains(how->local, word) || (strncmp(word, "$L__", 4) == 0))
            fputs(how->suffix, out);
        else if (strcmp(word, ".loc") == 0 || strcmp(word, ".file") == 0 || strcmp(word, "inlined_at") == 0)
            write_number(out, &at, how->first_file);
    }
    fputc('\n', out);
}

static const ptx_item *definition_of(const char *name, const ptx_module *modules, size_t count, size_t *where)
{
    for (size_t m = 0; m < count; ++m) {
        for (size_t i = 0; i < modules[m].count; ++i) {
            const ptx_item *item = &modules[m].items[i];
            if (item->is_definition && !item->is_local && strcmp(item->name, name) == 0) {
                *where = m;
                return item;
            }
        }
    }
    return NULL;
}

static bool is_weak(const ptx_item *item)
{
    return strncmp(item->text, ".weak", 5) == 0 || strncmp(item->text, ".common", 7) == 0;
}

/* Writes a statement that other modules may have too. `done` has what is written. */
static bool write_shared(FILE *out, const ptx_item *item, const spelling *how, const ptx_module *modules, size_t count,
                         list *done, const char **twice)
{
    size_t where = 0;
    const char *key = arena_format("%c%s", item->is_definition ? 'd' : item->is_extern ? 'e' : 'f', item->name);
    const ptx_item *definition = item->is_extern ? definition_of(item->name, modules, count, &where) : NULL;
    if (list_contains(done, key)) {
        if (!item->is_definition || is_weak(item))
            return true;
        *twice = item->name;
        return false;
    }
    list_add(done, key);
    if (definition != NULL && item->kind == PTX_VARIABLE)
        return true;          /* written first of all */
    if (definition != NULL) { /* a declaration may stand before the definition if it promises the same */
        fputs(".visible ", out);
        write_text(out, ptx_skip_space(item->text + strlen(".extern")), how);
        return true;
    }
    write_text(out, item->text, how);
    return true;
}

/* The local names of a module that must be marked. */
static void local_names(const ptx_module *module, list *names)
{
    for (size_t i = 0; i < module->count; ++i) {
        const ptx_item *item = &module->items[i];
        if ((item->kind == PTX_FUNCTION || item->kind == PTX_VARIABLE) && item->is_local &&
            !list_contains(names, item->name))
            list_add(names, item->name);
    }
}

/* Variables that another module declares, before any of them is used. */
static void write_first(FILE *out, const ptx_module *modules, size_t count, const spelling *how, list *done)
{
    for (size_t m = 0; m < count; ++m) {
        for (size_t i = 0; i < modules[m].count; ++i) {
            size_t where = 0;
            const ptx_item *item = &modules[m].items[i];
            if (item->kind != PTX_VARIABLE || !item->is_extern)
                continue;
            const ptx_item *definition = definition_of(item->name, modules, count, &where);
            const char *key = definition != NULL ? arena_format("d%s", item->name) : NULL;
            if (key == NULL || list_contains(done, key))
                continue;
            list_add(done, key);
            write_text(out, definition->text, &how[where]);
        }
    }
}

static bool write_module(FILE *out, const ptx_module *modules, size_t count, size_t m, const spelling *how,
                         const list *first, list *done, const char **twice)
{
    for (size_t i = 0; i < modules[m].count; ++i) {
        const ptx_item *item = &modules[m].items[i];
        bool has_name = item->kind == PTX_FUNCTION || item->kind == PTX_VARIABLE;
        if (item->kind == PTX_HEADER || item->kind == PTX_SECTION)
            continue;
        if (item->is_definition && item->kind == PTX_VARIABLE &&
            list_contains(first, arena_format("d%s", item->name))) {
            const ptx_item *written = definition_of(item->name, modules, count, &(size_t){0});
            if (written == item || is_weak(item))
                continue;
        }
        if (!has_name || item->is_local)
            write_text(out, item->text, how);
        else if (!write_shared(out, item, how, modules, count, done, twice))
            return false;
    }
    return true;
}

/* Sections of one name become one. Returns false if one has no braces. */
static bool write_sections(FILE *out, const ptx_module *modules, size_t count, const spelling *how)
{
    list done = {0};
    for (size_t m = 0; m < count; ++m) {
        for (size_t i = 0; i < modules[m].count; ++i) {
            const char *name = modules[m].items[i].name;
            if (modules[m].items[i].kind != PTX_SECTION || list_contains(&done, name))
                continue;
            list_add(&done, name);
            fprintf(out, "%s{\n", name);
            for (size_t k = m; k < count; ++k) {
                for (size_t j = 0; j < modules[k].count; ++j) {
                    const ptx_item *item = &modules[k].items[j];
                    if (item->kind != PTX_SECTION || strcmp(item->name, name) != 0)
                        continue;
                    const char *begin = strchr(item->text, '{'), *end = strrchr(item->text, '}');
                    if (begin == NULL || end == NULL || end < begin)
                        return false;
                    write_text(out, arena_copy(begin + 1, (size_t)(end - begin - 1)), &how[k]);
                }
            }
            fputs("}\n", out);
        }
    }
    return true;
}

const char *ptx_merge(const list *texts, const char **twice)
{
    ptx_module *modules = arena_alloc(texts->count * sizeof *modules);
    spelling *how = arena_alloc(texts->count * sizeof *how);
    list *local = arena_alloc(texts->count * sizeof *local), done = {0};
    ptx_version newest = {0, 0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool good = out != NULL;
    *twice = NULL;
    for (size_t m = 0; m < texts->count; ++m) {
        ptx_version version = ptx_version_of(texts->items[m]);
        ptx_parse(texts->items[m], &modules[m]);
        if (version.major > newest.major || (version.major == newest.major && version.minor > newest.minor))
            newest = version;
        if (m != 0)
            local_names(&modules[m], &local[m]);
        how[m] = (spelling){&local[m], m == 0 ? "" : arena_format("$m%zu", m),
                            m == 0 ? 0 : how[m - 1].first_file + modules[m - 1].last_file};
    }
    if (good)
        fprintf(out, ".version %d.%d\n", newest.major, newest.minor);
    for (size_t i = 0; good && i < modules[0].count; ++i) {
        if (modules[0].items[i].kind == PTX_HEADER && strncmp(modules[0].items[i].text, ".version", 8) != 0)
            fprintf(out, "%s\n", modules[0].items[i].text);
    }
    list first = {0};
    if (good)
        write_first(out, modules, texts->count, how, &first);
    list_extend(&done, &first);
    for (size_t m = 0; good && m < texts->count; ++m)
        good = write_module(out, modules, texts->count, m, &how[m], &first, &done, twice);
    good = good && write_sections(out, modules, texts->count, how);
    if (out == NULL || fclose(out) != 0)
        good = false;
    const char *result = good ? arena_copy(text, size) : NULL;
    free(text);
    return result;
}
