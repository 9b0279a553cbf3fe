/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/kernel_text.h"

#include <string.h>

static bool is(const tokens *all, size_t at, const char *text)
{
    return at < all->count && token_is(&all->items[at], text);
}

static bool is_name(const tokens *all, size_t at)
{
    return at < all->count && all->items[at].kind == TOKEN_NAME;
}

static bool is_one_of(const tokens *all, size_t at, const char *const *words)
{
    for (; *words != NULL; ++words) {
        if (is(all, at, *words))
            return true;
    }
    return false;
}

/* What is followed by parentheses and then by a statement. */
static bool has_statement(const tokens *all, size_t at)
{
    static const char *const words[] = {
        "for", "while", "if", "switch", "accel_lint_region", "accel_lint_loop", "accel_lint_update", NULL};
    return is_one_of(all, at, words) && is(all, at + 1, "(");
}

size_t kernel_text_statement(const tokens *all, size_t at)
{
    if (is(all, at, "{"))
        return all->items[at].partner + 1;
    if (is(all, at, "else") || is(all, at, "do")) {
        size_t end = kernel_text_statement(all, at + 1);
        return is(all, end, "while") && is(all, at, "do") ? all->items[end + 1].partner + 2 : end;
    }
    if (has_statement(all, at)) {
        size_t end = kernel_text_statement(all, all->items[at + 1].partner + 1);
        return is(all, at, "if") && is(all, end, "else") ? kernel_text_statement(all, end) : end;
    }
    while (at < all->count && !is(all, at, ";") && !is(all, at, "}")) {
        size_t partner = all->items[at].partner;
        at = partner > at ? partner + 1 : at + 1;
    }
    return is(all, at, ";") ? at + 1 : at;
}

static void add_variable(kernel_text *self, size_t at, size_t end, bool is_memory)
{
    if (self->variable_count < KERNEL_VARIABLES)
        self->variables[self->variable_count++] = (kernel_variable){self->all->items[at].text, at, end, is_memory};
}

/* The names among the marker's arguments, from the first on. */
static void add_arguments(kernel_text *self, size_t marker, size_t end, bool is_memory)
{
    size_t last = self->all->items[marker + 1].partner;
    for (size_t at = marker + 2; at < last; ++at) {
        bool begins = is(self->all, at - 1, "(") || is(self->all, at - 1, ",");
        if (begins && is_name(self->all, at))
            add_variable(self, at, end, is_memory);
    }
}

static void add_place(kernel_text *self, size_t at)
{
    const tokens *all = self->all;
    size_t last = all->items[at + 1].partner, count = 0;
    kernel_place place = {is(all, at, "accel_lint_region"), at, kernel_text_statement(all, at), "", {NULL}};
    if (self->place_count == KERNEL_PLACES)
        return;
    for (size_t i = at + 2; i < last; ++i) {
        if (all->items[i].kind == TOKEN_TEXT)
            place.name = all->items[i].text;
        else if (is_name(all, i) && count < KERNEL_INDICES)
            place.indices[count++] = all->items[i].text;
    }
    self->places[self->place_count++] = place;
    add_arguments(self, at, place.end, true);
}

/* Where the scope of what is declared here ends. */
static size_t scope_end(const kernel_text *self, size_t at)
{
    for (size_t depth = 0; at < self->end; ++at) {
        if (is(self->all, at, "{"))
            ++depth;
        else if (is(self->all, at, "}") && depth-- == 0)
            return at;
    }
    return self->end;
}

/* The end of `TYPE NAME`, `TYPE *NAME` and the like that begins here, which is the NAME; 0: it is no declaration. */
static size_t declared(const tokens *all, size_t at)
{
    static const char *const others[] = {"return", "goto", "case", "else", "do", "sizeof", "break", "continue", NULL};
    size_t names = 0, last = 0;
    if (is_one_of(all, at, others))
        return 0;
    for (; is_name(all, at) || (names != 0 && (is(all, at, "*") || is(all, at, "&"))); ++at) {
        names += is_name(all, at);
        last = at;
    }
    bool ends = is(all, at, "=") || is(all, at, ";") || is(all, at, ",") || is(all, at, "[");
    return names >= 2 && ends && is_name(all, last) ? last : 0;
}

/* A declaration of one or several names. */
static void add_declaration(kernel_text *self, size_t at, size_t end)
{
    static const char *const statics[] = {"static", "extern", NULL};
    const tokens *all = self->all;
    bool is_memory = is_one_of(all, at, statics);
    size_t name = declared(all, at);
    if (name == 0)
        return;
    add_variable(self, name, end, is_memory);
    for (at = name + 1; at < self->end && !is(all, at, ";"); ++at) {
        if (all->items[at].partner > at) {
            at = all->items[at].partner;
        } else if (is(all, at, ",")) {
            while (is(all, at + 1, "*"))
                ++at;
            if (is_name(all, at + 1))
                add_variable(self, at + 1, end, is_memory);
        }
    }
}

static bool begins_statement(const tokens *all, size_t at)
{
    if (is(all, at - 1, ";") || is(all, at - 1, "{") || is(all, at - 1, "}"))
        return true;
    return is(all, at - 1, ")") && has_statement(all, all->items[at - 1].partner - 1);
}

void kernel_text_read(const tokens *all, size_t marker, kernel_text *self)
{
    size_t body = all->items[marker + 1].partner + 1;
    *self = (kernel_text){.all = all, .name = all->items[marker + 2].text, .begin = body, .end = body};
    if (!is(all, body, "{"))
        return;
    self->end = all->items[body].partner;
    for (size_t at = body + 1; at < self->end; ++at) {
        if ((is(all, at, "accel_lint_region") || is(all, at, "accel_lint_loop")) && is(all, at + 1, "("))
            add_place(self, at);
        else if (is(all, at, "accel_lint_update") && is(all, at + 1, "("))
            add_arguments(self, at, kernel_text_statement(all, at), true);
        else if ((is(all, at, "accel_lint_shared") || is(all, at, "accel_lint_private")) && is(all, at + 1, "("))
            add_arguments(self, at, scope_end(self, at), true);
        else if (is(all, at - 1, "(") && is(all, at - 2, "for"))
            add_declaration(self, at, kernel_text_statement(all, at - 2));
        else if (begins_statement(all, at))
            add_declaration(self, at, scope_end(self, at));
    }
}

const kernel_place *kernel_text_place(const kernel_text *self, size_t at)
{
    for (size_t i = self->place_count; i-- != 0;) {
        if (at >= self->places[i].begin && at < self->places[i].end)
            return &self->places[i];
    }
    return NULL;
}

const kernel_variable *kernel_text_variable(const kernel_text *self, size_t at)
{
    for (size_t i = self->variable_count; i-- != 0;) {
        const kernel_variable *variable = &self->variables[i];
        if (at >= variable->at && at < variable->end && strcmp(variable->name, self->all->items[at].text) == 0)
            return variable;
    }
    return NULL;
}
