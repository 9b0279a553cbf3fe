/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/ptx.h"
#include "gpu/ptx_module.h"

#include "base/arena.h"

#include <accel/object.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ptx_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool begins(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !ptx_is_word(text[length]);
}

/* Behind spaces and comments. */
const char *ptx_skip_space(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n\v\f");
        if (strncmp(at, "//", 2) == 0)
            at += strcspn(at, "\n");
        else if (strncmp(at, "/*", 2) == 0 && strstr(at + 2, "*/") != NULL)
            at = strstr(at + 2, "*/") + 2;
        else
            return at;
    }
}

/* Behind one character, or one string or comment. */
const char *ptx_step(const char *at)
{
    if (*at == '"') {
        const char *end = strchr(at + 1, '"');
        return end != NULL ? end + 1 : at + strlen(at);
    }
    const char *behind = ptx_skip_space(at);
    return behind != at ? behind : at + 1;
}

/* Behind the statement that begins here. Directives such as .version end with their line, functions and sections with
 * their brace, everything else with a semicolon. */
static const char *statement_end(const char *at, bool ends_with_line, bool has_body)
{
    size_t depth = 0;
    if (ends_with_line)
        return at + strcspn(at, "\n");
    while (*at != '\0') {
        char c = *at;
        at = ptx_step(at);
        if (c == '{')
            ++depth;
        else if (c == '}' && depth != 0 && --depth == 0 && has_body)
            return at;
        else if (c == ';' && depth == 0)
            return at;
    }
    return at;
}

/* The first word that is no directive, no number and not inside parentheses. */
static const char *name_in(const char *at)
{
    size_t depth = 0;
    for (at = ptx_skip_space(at); *at != '\0'; at = ptx_skip_space(at)) {
        size_t length = 0;
        if (*at == '.')
            ++length;
        while (ptx_is_word(at[length]))
            ++length;
        if (length == 0) {
            depth += *at == '(';
            depth -= *at == ')' && depth != 0;
            at = ptx_step(at);
            continue;
        }
        if (depth == 0 && *at != '.' && !isdigit((unsigned char)*at))
            return arena_copy(at, length);
        at += length;
    }
    return "";
}

static bool is_one_of(const char *at, const char *const *words)
{
    for (; *words != NULL; ++words) {
        if (begins(at, *words))
            return true;
    }
    return false;
}

static const char *read_item(const char *at, ptx_module *module)
{
    static const char *const headers[] = {".version", ".target", ".address_size", NULL};
    static const char *const spaces[] = {".global", ".const", ".shared", ".tex", NULL};
    static const char *const linkages[] = {".visible", ".extern", ".weak", ".common", NULL};
    ptx_item item = {.kind = PTX_OTHER, .is_local = true, .name = ""};
    const char *begin = at, *inner = at;
    while (is_one_of(inner, linkages)) {
        item.is_local = false;
        item.is_extern = item.is_extern || begins(inner, ".extern");
        inner += 1;
        while (ptx_is_word(*inner))
            ++inner;
        inner = ptx_skip_space(inner);
    }
    if (is_one_of(inner, headers))
        item.kind = PTX_HEADER;
    else if (begins(inner, ".file"))
        item.kind = PTX_FILE;
    else if (begins(inner, ".section"))
        item.kind = PTX_SECTION;
    else if (begins(inner, ".func") || begins(inner, ".entry"))
        item.kind = PTX_FUNCTION;
    else if (is_one_of(inner, spaces))
        item.kind = PTX_VARIABLE;
    const char *end = statement_end(begin, item.kind == PTX_HEADER || item.kind == PTX_FILE,
                                    item.kind == PTX_FUNCTION || item.kind == PTX_SECTION);
    const char *last = end;
    while (last > begin && isspace((unsigned char)last[-1]))
        --last;
    item.text = arena_copy(begin, (size_t)(last - begin));
    if (item.kind == PTX_SECTION)
        item.name = arena_copy(inner, strcspn(inner, "{"));
    else if (item.kind == PTX_FUNCTION || item.kind == PTX_VARIABLE)
        item.name = name_in(inner);
    item.is_definition =
        item.kind == PTX_VARIABLE ? !item.is_extern : item.kind == PTX_FUNCTION && strchr(item.text, '{') != NULL;
    if (item.kind == PTX_FILE) {
        uint32_t number = (uint32_t)strtoul(inner + strlen(".file"), NULL, 10);
        module->last_file = number > module->last_file ? number : module->last_file;
    }
    if (module->count == module->capacity) {
        size_t capacity = module->capacity == 0 ? 64 : 2 * module->capacity;
        ptx_item *grown = arena_alloc(capacity * sizeof *grown);
        if (module->count != 0)
            memcpy(grown, module->items, module->count * sizeof *grown);
        module->items = grown;
        module->capacity = capacity;
    }
    module->items[module->count++] = item;
    return end;
}

void ptx_parse(const char *text, ptx_module *module)
{
    for (const char *at = ptx_skip_space(text); *at != '\0'; at = ptx_skip_space(at))
        at = read_item(at, module);
}

bool ptx_has_kernels(const char *text)
{
    for (const char *at = text; (at = strstr(at, ACCEL_DESCRIPTOR_PREFIX)) != NULL; ++at) {
        const char *line = at;
        while (line > text && line[-1] != '\n')
            --line;
        if (strncmp(line, ".visible", 8) == 0)
            return true;
    }
    return false;
}

static bool is_defined(const char *name, const ptx_module *module)
{
    for (size_t i = 0; i < module->count; ++i) {
        if (module->items[i].is_definition && strcmp(module->items[i].name, name) == 0)
            return true;
    }
    return false;
}

const char *ptx_missing(const char *text)
{
    static const char *const known[] = {"vprintf", "malloc", "free", "__assertfail", NULL};
    ptx_module module = {0};
    ptx_parse(text, &module);
    for (size_t i = 0; i < module.count; ++i) {
        const ptx_item *item = &module.items[i];
        bool is_shared = item->kind == PTX_VARIABLE && strstr(item->text, ".shared") != NULL;
        if (item->is_extern && !is_shared && !is_one_of(item->name, known) && !is_defined(item->name, &module))
            return item->name;
    }
    return NULL;
}

static const char *version_in(const char *text)
{
    for (const char *at = ptx_skip_space(text); *at != '\0'; at = ptx_skip_space(at + strcspn(at, "\n"))) {
        if (begins(at, ".version"))
            return at;
    }
    return NULL;
}

ptx_version ptx_version_of(const char *text)
{
    ptx_version version = {0, 0};
    const char *at = version_in(text);
    if (at != NULL)
        sscanf(at, ".version %d.%d", &version.major, &version.minor);
    return version;
}

const char *ptx_header(const char *text)
{
    const char *header = "";
    ptx_module module = {0};
    ptx_parse(text, &module);
    for (size_t i = 0; i < module.count; ++i) {
        if (module.items[i].kind == PTX_HEADER)
            header = arena_format("%s%s\n", header, module.items[i].text);
    }
    return header;
}

const char *ptx_with_version(const char *text, ptx_version version)
{
    const char *at = version_in(text);
    if (at == NULL)
        return text;
    return arena_format("%.*s.version %d.%d%s", (int)(at - text), text, version.major, version.minor,
                        at + strcspn(at, "\n"));
}
