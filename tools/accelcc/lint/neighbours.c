/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region must not read what another of its threads has written. That is found for `s[t] = ...; x = s[31 - t];`: an array
 * is written at an index made of the region's indices, and then read at another that is made of nothing else. An index
 * with further names may lie elsewhere, so nothing is said of it.
 */
#include "lint/rules.h"

#include <string.h>

enum { ACCESSES = 128, SUBSCRIPTS = 4 };

/* [begin, first subscript) is the array: `s`, or `args.y`. */
typedef struct access {
    size_t begin, end, count;
    size_t subscripts[SUBSCRIPTS]; /* their opening brackets */
    bool writes;
} access;

static bool is(const kernel_text *self, size_t at, const char *text)
{
    return token_is(&self->all->items[at], text);
}

static bool same(const kernel_text *self, size_t a, size_t a_end, size_t b, size_t b_end)
{
    const token *items = self->all->items;
    if (a_end - a != b_end - b)
        return false;
    for (; a < a_end; ++a, ++b) {
        if (items[a].kind != items[b].kind || strcmp(items[a].text, items[b].text) != 0)
            return false;
    }
    return true;
}

static bool contains(const kernel_text *self, size_t begin, size_t end, const char *name)
{
    for (; begin < end; ++begin) {
        if (is(self, begin, name))
            return true;
    }
    return false;
}

static bool is_index(const kernel_place *place, const char *name)
{
    for (size_t i = 0; i < KERNEL_INDICES && place->indices[i] != NULL; ++i) {
        if (strcmp(place->indices[i], name) == 0)
            return true;
    }
    return false;
}

static bool has_index(const kernel_text *self, const kernel_place *place, size_t bracket)
{
    for (size_t at = bracket + 1; at < self->all->items[bracket].partner; ++at) {
        if (self->all->items[at].kind == TOKEN_NAME && is_index(place, self->all->items[at].text))
            return true;
    }
    return false;
}

/* Is every name of the subscript an index of the region, or in the other access? */
static bool is_made_of(const kernel_text *self, const kernel_place *place, size_t bracket, const access *other)
{
    for (size_t at = bracket + 1; at < self->all->items[bracket].partner; ++at) {
        const token *item = &self->all->items[at];
        if (item->kind == TOKEN_NAME && !is_index(place, item->text) &&
            !contains(self, other->subscripts[0], other->end, item->text))
            return false;
    }
    return true;
}

static size_t partner_of(const kernel_text *self, size_t bracket)
{
    return self->all->items[bracket].partner;
}

/* The array access whose first bracket this is. */
static bool read_access(const kernel_text *self, size_t bracket, access *found)
{
    const token *items = self->all->items;
    size_t begin = bracket - 1, end = bracket;
    if (items[begin].kind != TOKEN_NAME)
        return false;
    while (is(self, begin - 1, ".") || is(self, begin - 1, "->"))
        begin -= 2;
    *found = (access){.begin = begin};
    for (; is(self, end, "["); end = items[end].partner + 1) {
        if (found->count == SUBSCRIPTS)
            return false;
        found->subscripts[found->count++] = end;
    }
    found->end = end;
    found->writes = token_assigns(&items[end]) || is(self, end, "++") || is(self, end, "--");
    return items[begin].kind == TOKEN_NAME;
}

static size_t read_accesses(const kernel_text *self, const kernel_place *place, access *found)
{
    size_t count = 0;
    for (size_t at = place->begin; at < place->end && count < ACCESSES; ++at) {
        if (!is(self, at, "[") || is(self, at - 1, "]") || !read_access(self, at, &found[count]))
            continue;
        const kernel_variable *variable = kernel_text_variable(self, found[count].begin);
        if (variable == NULL || kernel_text_place(self, variable->at) != place)
            ++count;
    }
    return count;
}

static bool same_array(const kernel_text *self, const access *a, const access *b)
{
    return a->count == b->count && same(self, a->begin, a->subscripts[0], b->begin, b->subscripts[0]);
}

/* Does `read` take an element of which another thread's `write` may be the last? */
static bool is_another_threads(const kernel_text *self, const kernel_place *place, const access *write,
                               const access *read)
{
    bool differs = false;
    for (size_t d = 0; d < read->count; ++d) {
        size_t w = write->subscripts[d], r = read->subscripts[d];
        if (same(self, w, partner_of(self, w), r, partner_of(self, r)))
            continue;
        if (!has_index(self, place, w) || !has_index(self, place, r) || !is_made_of(self, place, r, write))
            return false;
        differs = true;
    }
    return differs;
}

static bool check(const kernel_text *self, const kernel_place *place)
{
    access all[ACCESSES];
    size_t count = read_accesses(self, place, all);
    for (size_t r = 0; r < count; ++r) {
        const access *read = &all[r], *foreign = NULL;
        bool own = read->writes;
        for (size_t w = 0; w < count && !own; ++w) {
            const access *write = &all[w];
            if (!write->writes || !same_array(self, write, read))
                continue;
            own = same(self, write->subscripts[0], write->end, read->subscripts[0], read->end);
            bool is_before = kernel_text_statement(self->all, write->begin) <= read->begin;
            if (is_before && is_another_threads(self, place, write, read))
                foreign = write;
        }
        if (!own && foreign != NULL)
            return rules_broken(
                self, read->begin,
                "%s reads an element of \"%s\" that another thread writes in the same region (line %d); "
                "end the region between them",
                place->name, self->all->items[read->subscripts[0] - 1].text, self->all->items[foreign->begin].line);
    }
    return true;
}

bool rules_neighbours(const kernel_text *self)
{
    bool good = true;
    for (size_t i = 0; i < self->place_count; ++i) {
        if (self->places[i].is_region && !check(self, &self->places[i]))
            good = false;
    }
    return good;
}
