/* SPDX-License-Identifier: Apache-2.0 */
/* Types, declarations, and the module's variables. */
#include "reader.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool ptx_read_type(const char *word, ptx_type *type)
{
    static const struct {
        const char *name;
        ptx_type type;
    } types[] = {{"pred", {PTX_PREDICATE, 1}}, {"b8", {PTX_BITS, 1}},      {"b16", {PTX_BITS, 2}},
                 {"b32", {PTX_BITS, 4}},       {"b64", {PTX_BITS, 8}},     {"u8", {PTX_UNSIGNED, 1}},
                 {"u16", {PTX_UNSIGNED, 2}},   {"u32", {PTX_UNSIGNED, 4}}, {"u64", {PTX_UNSIGNED, 8}},
                 {"s8", {PTX_SIGNED, 1}},      {"s16", {PTX_SIGNED, 2}},   {"s32", {PTX_SIGNED, 4}},
                 {"s64", {PTX_SIGNED, 8}},     {"f32", {PTX_FLOAT, 4}},    {"f64", {PTX_FLOAT, 8}}};
    word += *word == '.';
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i)
        if (strcmp(types[i].name, word) == 0) {
            *type = types[i].type;
            return true;
        }
    return false;
}

bool ptx_read_declaration(ptx_reader *reader, ptx_declaration *out)
{
    ptx_scanner *scanner = &reader->scanner;
    int64_t number;
    memset(out, 0, sizeof(*out));
    snprintf(out->space, sizeof(out->space), "%s", scanner->text + (scanner->text[0] == '.'));
    ptx_scanner_next(scanner);
    if (ptx_scanner_accept_name(scanner, ".align")) {
        if (!ptx_scanner_number(scanner, &number))
            return false;
        out->align = (uint32_t)number;
    }
    if (!ptx_read_type(scanner->text, &out->type))
        return ptx_scanner_fail(scanner, "\"%s\" is no type", scanner->text);
    ptx_scanner_next(scanner);
    if (out->align == 0)
        out->align = out->type.bytes;
    if (scanner->token != PTX_NAME)
        return ptx_scanner_fail(scanner, "a variable's name is missing before \"%s\"", scanner->text);
    snprintf(out->name, sizeof(out->name), "%s", scanner->text);
    ptx_scanner_next(scanner);
    out->bytes = out->type.bytes;
    while (ptx_scanner_accept(scanner, '[')) {
        number = 0;
        out->is_unsized = ptx_scanner_is(scanner, ']');
        if (!out->is_unsized && !ptx_scanner_number(scanner, &number))
            return false;
        out->bytes *= (uint32_t)number;
        if (!ptx_scanner_expect(scanner, ']'))
            return false;
    }
    return true;
}

/* "= {1, 2}" or "= 1", into bytes that are zero. */
static bool read_values(ptx_reader *reader, const ptx_declaration *declared, unsigned char *bytes)
{
    ptx_scanner *scanner = &reader->scanner;
    const bool list = ptx_scanner_accept(scanner, '{');
    for (uint32_t at = 0;; at += declared->type.bytes) {
        int64_t value = (int64_t)scanner->value;
        if (scanner->token == PTX_REAL32 || scanner->token == PTX_REAL64)
            ptx_scanner_next(scanner);
        else if (!ptx_scanner_number(scanner, &value))
            return false;
        if (at + declared->type.bytes > declared->bytes)
            return ptx_scanner_fail(scanner, "%s has fewer elements than values", declared->name);
        memcpy(bytes + at, &value, declared->type.bytes); /* little-endian */
        if (!list || !ptx_scanner_accept(scanner, ','))
            return !list || ptx_scanner_expect(scanner, '}');
    }
}

static bool read_global(ptx_reader *reader, const ptx_declaration *declared)
{
    ptx_program *program = reader->program;
    ptx_global *longer = ptx_grow(reader, program->globals, program->global_count, sizeof(*longer));
    if (longer == NULL)
        return false;
    program->globals = longer;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    reader->global_bytes = ptx_align(reader->global_bytes, declared->align);
    if (reader->global_bytes + (uint64_t)declared->bytes > PTX_MOST_GLOBAL_BYTES)
        return ptx_scanner_fail(&reader->scanner, "more than %u bytes of variables", PTX_MOST_GLOBAL_BYTES);
    longer[program->global_count] = (ptx_global){.name = strdup(declared->name),
                                                 .address = program->memory + page + reader->global_bytes,
                                                 .bytes = declared->bytes};
    const ptx_global *global = &longer[program->global_count++];
    reader->global_bytes += declared->bytes;
    return ptx_add_symbol(reader, declared->name, 0, PTX_NUMBER, (uintptr_t)global->address) &&
           (!ptx_scanner_accept(&reader->scanner, '=') || read_values(reader, declared, global->address)) &&
           ptx_scanner_expect(&reader->scanner, ';');
}

bool ptx_read_variable(ptx_reader *reader)
{
    ptx_declaration declared;
    if (!ptx_read_declaration(reader, &declared))
        return false;
    if (strcmp(declared.space, "global") == 0 || strcmp(declared.space, "const") == 0)
        return read_global(reader, &declared);
    if (strcmp(declared.space, "shared") != 0)
        return ptx_scanner_fail(&reader->scanner, "a variable of the module in .%s", declared.space);
    if (!ptx_scanner_expect(&reader->scanner, ';'))
        return false;
    if (declared.is_unsized)
        return ptx_add_symbol(reader, declared.name, 0, PTX_DYNAMIC, 0);
    const uint32_t offset = ptx_align(reader->shared_bytes, declared.align);
    reader->shared_bytes = offset + declared.bytes;
    return ptx_add_symbol(reader, declared.name, 0, PTX_NUMBER, offset);
}
