/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool rules_broken(const kernel_text *self, size_t at, const char *format, ...)
{
    const token *item = &self->all->items[at];
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: error: kernel \"%s\": ", item->file, item->line, self->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

static bool is(const kernel_text *self, size_t at, const char *text)
{
    return token_is(&self->all->items[at], text);
}

static const kernel_place *around(const kernel_text *self, const kernel_place *inner)
{
    for (const kernel_place *outer = inner; outer-- != self->places;) {
        if (inner->begin < outer->end)
            return outer;
    }
    return NULL;
}

bool rules_nesting(const kernel_text *self)
{
    bool good = true;
    for (size_t i = 0; i < self->place_count; ++i) {
        const kernel_place *inner = &self->places[i], *outer = around(self, inner);
        if (outer == NULL)
            continue;
        if (!inner->is_region)
            good = rules_broken(self, inner->begin,
                                "%s stands inside %s; it divides its elements among the blocks, so it stands outside "
                                "regions and other such loops",
                                inner->name, outer->name);
        else
            good = rules_broken(self, inner->begin,
                                "%s stands inside %s; regions do not nest, because each ends with a barrier of the "
                                "block: end the outer one before",
                                inner->name, outer->name);
    }
    return good;
}

bool rules_atomics(const kernel_text *self)
{
    bool good = true;
    for (size_t at = self->begin; at < self->end; ++at) {
        bool is_update = is(self, at, "accel_lint_update");
        bool is_atomic =
            is(self, at, "ACCEL_SCATTER_JOIN") ||
            (self->all->items[at].kind == TOKEN_NAME && strncmp(self->all->items[at].text, "accel_atomic_", 13) == 0);
        if ((is_update || is_atomic) && is(self, at + 1, "(") && kernel_text_place(self, at) == NULL)
            good = rules_broken(self, at,
                                "%s stands outside regions, where it runs once per block on a CPU and once per thread "
                                "on a GPU; put it into ACCEL_ONCE or another region",
                                self->all->items[is_update ? at + 2 : at].text);
    }
    return good;
}

bool rules_collectives(const kernel_text *self)
{
    static const char *const names[] = {"accel_block_reduce",
                                        "accel_block_inclusive_scan",
                                        "accel_block_exclusive_scan",
                                        "accel_block_broadcast",
                                        "accel_block_sort",
                                        "accel_block_range_reduce",
                                        "accel_block_range_inclusive_scan",
                                        "accel_block_range_exclusive_scan"};
    bool good = true;
    for (size_t at = self->begin; at < self->end; ++at) {
        const kernel_place *outer = self->all->items[at].kind == TOKEN_NAME ? kernel_text_place(self, at) : NULL;
        for (size_t i = 0; outer != NULL && i < sizeof names / sizeof names[0]; ++i) {
            if (is(self, at, names[i]))
                good = rules_broken(self, at,
                                    "%s stands inside %s; it is a barrier of the block and takes the values of all "
                                    "threads: end the region before",
                                    names[i], outer->name);
        }
    }
    return good;
}

bool rules_privates(const kernel_text *self)
{
    bool good = true;
    for (size_t at = self->begin; at + 3 < self->end; ++at) {
        if (is(self, at, "accel_lint_private") && is(self, at + 1, "(") && is(self, at + 3, "["))
            good = rules_broken(self, at,
                                "ACCEL_PRIVATE makes a value for each thread of a name alone, without subscripts; give "
                                "arrays a type of their own: typedef float %s_type[4]; ACCEL_PRIVATE(acc, %s_type, %s)",
                                self->all->items[at + 2].text, self->all->items[at + 2].text,
                                self->all->items[at + 2].text);
    }
    return good;
}

/* ----------------------------------------------------------------------------------------------- variables -- */

static bool is_member(const kernel_text *self, size_t at)
{
    return is(self, at - 1, ".") || is(self, at - 1, "->");
}

/* Is the `*` at `at` that of a pointer, and not a product? */
static bool dereferences(const kernel_text *self, size_t at)
{
    const token *before = &self->all->items[at - 1];
    return is(self, at, "*") && before->kind != TOKEN_NAME && before->kind != TOKEN_NUMBER && !token_is(before, ")") &&
           !token_is(before, "]");
}

/* Is this name of a variable assigned to, with its subscripts and members? Not what a pointer points to. */
static bool is_written(const kernel_text *self, size_t at)
{
    bool steps = is(self, at - 1, "++") || is(self, at - 1, "--");
    bool is_pointed_to = dereferences(self, at - 1);
    for (++at; is(self, at, "[") || is(self, at, "."); ++at)
        at = is(self, at, "[") ? self->all->items[at].partner : at + 1;
    return !is_pointed_to &&
           (steps || is(self, at, "++") || is(self, at, "--") || token_assigns(&self->all->items[at]));
}

/* Is the variable an array or no pointer? What is behind a pointer is memory. */
static bool is_plain_write(const kernel_text *self, const kernel_variable *variable, size_t at)
{
    bool is_array = is(self, variable->at + 1, "[");
    return is_array || !is(self, at + 1, "[");
}

/* Is the value that the loop left there used behind it? A new value may come first. */
static bool is_read_behind(const kernel_text *self, const kernel_variable *variable, size_t end)
{
    for (size_t at = end; at < variable->end; ++at) {
        if (strcmp(self->all->items[at].text, variable->name) != 0 || self->all->items[at].kind != TOKEN_NAME ||
            is_member(self, at) || kernel_text_variable(self, at) != variable)
            continue;
        return !is(self, at + 1, "=") || kernel_text_place(self, at) != NULL;
    }
    return false;
}

bool rules_block_variables(const kernel_text *self)
{
    bool good = true;
    for (size_t at = self->begin + 1; at < self->end; ++at) {
        const kernel_place *place = self->all->items[at].kind == TOKEN_NAME ? kernel_text_place(self, at) : NULL;
        if (place == NULL || is_member(self, at) || !is_written(self, at))
            continue;
        const kernel_variable *variable = kernel_text_variable(self, at);
        if (variable == NULL || variable->is_memory || kernel_text_place(self, variable->at) != NULL ||
            !is_plain_write(self, variable, at))
            continue;
        if (place->is_region)
            good =
                rules_broken(self, at,
                             "%s writes \"%s\", a variable of the block: on GPUs each thread has its own; declare it "
                             "inside the region, or with ACCEL_PRIVATE or ACCEL_SHARED",
                             place->name, variable->name);
        else if (is_read_behind(self, variable, place->end))
            good = rules_broken(self, at,
                                "%s writes \"%s\", which is read behind it: on CPUs that is the block's value, on GPUs "
                                "each thread's; use ACCEL_FOR_EACH_THREAD and a value of ACCEL_PRIVATE",
                                place->name, variable->name);
    }
    return good;
}
