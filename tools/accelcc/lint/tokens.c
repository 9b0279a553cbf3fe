/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/tokens.h"

#include "base/arena.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool token_is(const token *self, const char *text)
{
    return self->kind != TOKEN_TEXT && strcmp(self->text, text) == 0;
}

bool token_assigns(const token *self)
{
    static const char *const signs[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    for (size_t i = 0; self->kind == TOKEN_SIGN && i < sizeof signs / sizeof signs[0]; ++i) {
        if (strcmp(self->text, signs[i]) == 0)
            return true;
    }
    return false;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind a string or character that begins here. */
static const char *behind_quotes(const char *at)
{
    char quote = *at++;
    while (*at != '\0' && *at != quote)
        at += *at == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

static size_t sign_length(const char *at)
{
    static const char *const signs[] = {"<<=", ">>=", "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=",
                                        "&=",  "|=",  "^=",  "==", "!=", "<=", ">=", "&&", "||", "<<", ">>"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; ++i) {
        if (strncmp(at, signs[i], strlen(signs[i])) == 0)
            return strlen(signs[i]);
    }
    return 1;
}

static void add(tokens *self, token item)
{
    if (self->count == self->capacity) {
        size_t capacity = self->capacity == 0 ? 1024 : 2 * self->capacity;
        token *grown = arena_alloc(capacity * sizeof *grown);
        if (self->count != 0)
            memcpy(grown, self->items, self->count * sizeof *grown);
        self->items = grown;
        self->capacity = capacity;
    }
    item.partner = self->count;
    self->items[self->count++] = item;
}

/* # 12 "file" */
static void read_marker(const char *at, int *line, const char **file)
{
    const char *quote = strchr(at, '"');
    size_t length = strcspn(at, "\n");
    if (quote == NULL || quote > at + length)
        return;
    at += strcspn(at, "0123456789\n");
    if (*at == '\n')
        return;
    *line = atoi(at) - 1;
    *file = arena_copy(quote + 1, strcspn(quote + 1, "\""));
}

static void find_partners(tokens *self)
{
    static const char openers[] = "([{", closers[] = ")]}";
    size_t *open = arena_alloc((self->count + 1) * sizeof *open), depth = 0;
    for (size_t i = 0; i < self->count; ++i) {
        const token *item = &self->items[i];
        if (item->kind != TOKEN_SIGN || item->text[1] != '\0')
            continue;
        const char *closer = strchr(closers, *item->text);
        if (strchr(openers, *item->text) != NULL) {
            open[depth++] = i;
        } else if (closer != NULL && depth != 0 && *self->items[open[depth - 1]].text == openers[closer - closers]) {
            self->items[i].partner = open[--depth];
            self->items[open[depth]].partner = i;
        }
    }
}

void tokens_read(const char *text, tokens *self)
{
    const char *file = "", *at = text;
    int line = 1;
    for (bool begins = true; *at != '\0';) {
        const char *begin = at;
        token item = {.kind = TOKEN_SIGN, .file = file, .line = line};
        if (*at == '\n') {
            ++line;
            ++at;
            begins = true;
            continue;
        }
        if (isspace((unsigned char)*at)) {
            ++at;
            continue;
        }
        if (begins && *at == '#') {
            read_marker(at, &line, &file);
            at += strcspn(at, "\n");
            continue;
        }
        begins = false;
        if (*at == '"' || *at == '\'') {
            at = behind_quotes(at);
            item.kind = TOKEN_TEXT;
            item.text = arena_copy(begin + 1, at - begin > 2 ? (size_t)(at - begin) - 2 : 0);
        } else {
            if (is_word(*at)) {
                item.kind = isdigit((unsigned char)*at) ? TOKEN_NUMBER : TOKEN_NAME;
                while (is_word(*at) || (item.kind == TOKEN_NUMBER && *at == '.'))
                    ++at;
            } else {
                at += sign_length(at);
            }
            item.text = arena_copy(begin, (size_t)(at - begin));
        }
        add(self, item);
    }
    find_partners(self);
}
