/* SPDX-License-Identifier: Apache-2.0 */
/* A function's body: its registers and variables, its labels, and the order of its instructions. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

bool ptx_add_label(ptx_reader *reader, const char *name, uint32_t at, bool is_target)
{
    ptx_label *longer = ptx_grow(reader, reader->labels, reader->label_count, sizeof(*longer));
    if (longer == NULL)
        return false;
    reader->labels = longer;
    longer[reader->label_count++] =
        (ptx_label){.name = strdup(name), .at = at, .is_target = is_target, .line = reader->scanner.line};
    return true;
}

/* Branches learn where their labels are. */
static bool close_labels(ptx_reader *reader)
{
    bool good = true;
    for (size_t i = 0; i < reader->label_count && good; ++i) {
        const ptx_label *branch = &reader->labels[i], *found = NULL;
        for (size_t k = 0; k < reader->label_count && branch->is_target; ++k)
            if (!reader->labels[k].is_target && strcmp(reader->labels[k].name, branch->name) == 0)
                found = &reader->labels[k];
        if (found != NULL && found->at >= reader->function->count)
            found = NULL;
        if (found != NULL)
            reader->function->code[branch->at].target = found->at;
        good = found != NULL || !branch->is_target ||
               ptx_scanner_fail(&reader->scanner, "there is no label %s", branch->name);
    }
    for (size_t i = 0; i < reader->label_count; ++i)
        free(reader->labels[i].name);
    free(reader->labels);
    reader->labels = NULL;
    reader->label_count = 0;
    return good;
}

/* ".reg .b32 %r<30>, %a;" */
static bool read_registers(ptx_reader *reader)
{
    ptx_scanner *scanner = &reader->scanner;
    ptx_type type;
    ptx_scanner_next(scanner);
    if (!ptx_read_type(scanner->text, &type))
        return ptx_scanner_fail(scanner, "registers of type \"%s\"", scanner->text);
    ptx_scanner_next(scanner);
    do {
        char name[sizeof(scanner->text)];
        int64_t range = 0;
        memcpy(name, scanner->text, sizeof(name));
        ptx_scanner_next(scanner);
        if (ptx_scanner_accept(scanner, '<') &&
            (!ptx_scanner_number(scanner, &range) || !ptx_scanner_expect(scanner, '>')))
            return false;
        if (!ptx_add_symbol(reader, name, (uint32_t)range, PTX_REGISTER, reader->function->registers))
            return false;
        reader->function->registers += range > 0 ? (uint32_t)range : 1;
    } while (ptx_scanner_accept(scanner, ','));
    return ptx_scanner_expect(scanner, ';');
}

/* ".local .align 8 .b8 __local_depot0[40];", ".shared ..." or a call's ".param .b64 param0;" */
static bool read_variable(ptx_reader *reader)
{
    ptx_function *function = reader->function;
    ptx_declaration declared;
    if (!ptx_read_declaration(reader, &declared) || !ptx_scanner_expect(&reader->scanner, ';'))
        return false;
    if (strcmp(declared.space, "shared") == 0 && function->is_kernel) {
        const uint32_t before = function->shared_bytes > 0 ? function->shared_bytes : reader->shared_bytes;
        const uint32_t offset = ptx_align(before, declared.align);
        function->shared_bytes = offset + declared.bytes;
        return ptx_add_symbol(reader, declared.name, 0, PTX_NUMBER, offset);
    }
    if (strcmp(declared.space, "local") != 0 && strcmp(declared.space, "param") != 0)
        return ptx_scanner_fail(&reader->scanner, "a function's variable in .%s", declared.space);
    const uint32_t offset = ptx_align(function->local_bytes, declared.align > 8 ? declared.align : 8);
    function->local_bytes = offset + declared.bytes;
    return ptx_add_symbol(reader, declared.name, 0, PTX_FRAME, offset);
}

static ptx_instruction *add_instruction(ptx_reader *reader)
{
    ptx_function *function = reader->function;
    ptx_instruction *longer = ptx_grow(reader, function->code, function->count, sizeof(*longer));
    if (longer == NULL)
        return NULL;
    function->code = longer;
    return &longer[function->count++];
}

/* A label if a colon follows, else an instruction. */
static bool read_statement(ptx_reader *reader)
{
    ptx_scanner *scanner = &reader->scanner;
    const ptx_scanner before = *scanner;
    if (scanner->token == PTX_NAME) {
        ptx_scanner_next(scanner);
        if (ptx_scanner_accept(scanner, ':'))
            return ptx_add_label(reader, before.text, reader->function->count, false);
        *scanner = before;
    }
    ptx_instruction *instruction = add_instruction(reader);
    return instruction != NULL && ptx_read_instruction(reader, instruction);
}

/* "{" and "}" bound the names of variables. */
static bool read_block(ptx_reader *reader, unsigned depth)
{
    ptx_scanner *scanner = &reader->scanner;
    const size_t scope = reader->symbol_count;
    bool good = depth < 64 || ptx_scanner_fail(scanner, "blocks within too many blocks");
    while (good && !ptx_scanner_is(scanner, '}')) {
        if (ptx_scanner_accept(scanner, '{'))
            good = read_block(reader, depth + 1);
        else if (ptx_scanner_is_name(scanner, ".reg"))
            good = read_registers(reader);
        else if (ptx_scanner_is_name(scanner, ".local") || ptx_scanner_is_name(scanner, ".shared") ||
                 ptx_scanner_is_name(scanner, ".param"))
            good = read_variable(reader);
        else if (ptx_scanner_is_name(scanner, ".pragma") || ptx_scanner_is_name(scanner, ".loc"))
            ptx_scanner_end_line(scanner);
        else if (!ptx_scanner_accept(scanner, ';'))
            good = read_statement(reader);
    }
    ptx_drop_symbols(reader, scope);
    return good && ptx_scanner_expect(scanner, '}');
}

bool ptx_read_body(ptx_reader *reader)
{
    ptx_function *function = reader->function;
    if (!function->is_kernel)
        function->local_bytes = ptx_align(function->parameter_bytes, 8);
    if (!read_block(reader, 0))
        return false;
    const ptx_instruction *last = function->count > 0 ? &function->code[function->count - 1] : NULL;
    if (last == NULL || last->guard >= 0 || (strcmp(last->name, "ret") != 0 && strcmp(last->name, "bra") != 0))
        return ptx_scanner_fail(&reader->scanner, "%s does not end with ret or bra", function->name);
    if (!close_labels(reader))
        return false;
    function->local_bytes = ptx_align(function->local_bytes, 16);
    function->frame_bytes = ptx_align(function->registers * (uint32_t)sizeof(uint64_t), 16) + function->local_bytes;
    return true;
}
