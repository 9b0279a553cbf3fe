/* SPDX-License-Identifier: Apache-2.0 */
/* The module: its functions' heads, and the memory of its variables. */
#include "program.h"

#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

ptx_function *ptx_program_function(const ptx_program *program, const char *name)
{
    for (size_t i = 0; i < program->function_count; ++i)
        if (strcmp(program->functions[i]->name, name) == 0)
            return program->functions[i];
    return NULL;
}

const ptx_global *ptx_program_global(const ptx_program *program, const char *name)
{
    for (size_t i = 0; i < program->global_count; ++i)
        if (strcmp(program->globals[i].name, name) == 0)
            return &program->globals[i];
    return NULL;
}

ptx_function *ptx_function_named(ptx_reader *reader, const char *name)
{
    ptx_program *program = reader->program;
    ptx_function *known = ptx_program_function(program, name);
    if (known != NULL)
        return known;
    ptx_function **longer = ptx_grow(reader, program->functions, program->function_count, sizeof(*longer));
    ptx_function *function = calloc(1, sizeof(*function));
    if (longer == NULL || function == NULL) {
        free(function);
        ptx_scanner_fail(&reader->scanner, "no memory");
        return NULL;
    }
    program->functions = longer;
    longer[program->function_count++] = function;
    function->name = strdup(name);
    return function;
}

/* --------------------------------------------------------------------------------------- functions -- */

/* "(.param .b64 a, .param .align 8 .b8 b[16])": each is laid out behind those before it. */
static bool read_parameters(ptx_reader *reader)
{
    ptx_scanner *scanner = &reader->scanner;
    ptx_function *function = reader->function;
    if (ptx_scanner_accept(scanner, ')'))
        return true;
    do {
        ptx_declaration declared;
        ptx_variable *longer = ptx_grow(reader, function->parameters, function->parameter_count, sizeof(*longer));
        if (longer == NULL || !ptx_read_declaration(reader, &declared))
            return false;
        function->parameters = longer;
        const uint32_t offset = ptx_align(function->parameter_bytes, declared.align);
        longer[function->parameter_count++] = (ptx_variable){.offset = offset, .bytes = declared.bytes};
        function->parameter_bytes = offset + declared.bytes;
        if (!ptx_add_symbol(reader, declared.name, 0, function->is_kernel ? PTX_PARAMETER : PTX_FRAME, offset))
            return false;
    } while (ptx_scanner_accept(scanner, ','));
    return ptx_scanner_expect(scanner, ')');
}

/* ".maxntid 16, 16, 1" and its like, in front of the body. */
static bool read_limits(ptx_reader *reader)
{
    ptx_scanner *scanner = &reader->scanner;
    while (scanner->token == PTX_NAME) {
        const bool extents = ptx_scanner_is_name(scanner, ".maxntid") || ptx_scanner_is_name(scanner, ".reqntid");
        const bool known = extents || ptx_scanner_is_name(scanner, ".minnctapersm") ||
                           ptx_scanner_is_name(scanner, ".maxnreg") || ptx_scanner_is_name(scanner, ".noreturn");
        int64_t threads = 1, number;
        if (!known)
            return ptx_scanner_fail(scanner, "\"%s\" before a function's body", scanner->text);
        ptx_scanner_next(scanner);
        while (scanner->token == PTX_INTEGER) {
            ptx_scanner_number(scanner, &number);
            threads *= number;
            ptx_scanner_accept(scanner, ',');
        }
        if (extents)
            reader->function->max_threads = (uint32_t)threads;
    }
    return !scanner->failed;
}

static bool read_function(ptx_reader *reader, bool is_kernel)
{
    ptx_scanner *scanner = &reader->scanner;
    const size_t scope = reader->symbol_count;
    ptx_function head = {.is_kernel = is_kernel};
    reader->function = &head;
    if (ptx_scanner_accept(scanner, '(') && !read_parameters(reader))
        goto failed;
    head.result_count = head.parameter_count;
    if (scanner->token != PTX_NAME) {
        ptx_scanner_fail(scanner, "a function's name is missing before \"%s\"", scanner->text);
        goto failed;
    }
    ptx_function *function = ptx_function_named(reader, scanner->text);
    ptx_scanner_next(scanner);
    if (function == NULL || (ptx_scanner_accept(scanner, '(') && !read_parameters(reader)) || !read_limits(reader))
        goto failed;
    free(function->parameters); /* of an earlier declaration */
    head.name = function->name;
    *function = head;
    reader->function = function;
    bool good = true;
    if (!ptx_scanner_accept(scanner, ';')) {
        good = ptx_scanner_expect(scanner, '{') && ptx_read_body(reader);
        function->is_defined = true;
    }
    ptx_drop_symbols(reader, scope);
    return good;

failed:
    free(head.parameters);
    return false;
}

static bool read_module(ptx_reader *reader)
{
    ptx_scanner *scanner = &reader->scanner;
    while (scanner->token != PTX_END) {
        bool good = true;
        while (ptx_scanner_accept_name(scanner, ".visible") || ptx_scanner_accept_name(scanner, ".extern") ||
               ptx_scanner_accept_name(scanner, ".weak") || ptx_scanner_accept_name(scanner, ".common"))
            ;
        if (ptx_scanner_is_name(scanner, ".version") || ptx_scanner_is_name(scanner, ".target") ||
            ptx_scanner_is_name(scanner, ".address_size"))
            ptx_scanner_end_line(scanner);
        else if (ptx_scanner_accept_name(scanner, ".entry"))
            good = read_function(reader, true);
        else if (ptx_scanner_accept_name(scanner, ".func"))
            good = read_function(reader, false);
        else
            good = ptx_read_variable(reader);
        if (!good)
            return false;
    }
    return !scanner->failed;
}

/* Every function that is called has a body; a thread's stack holds the kernel's frame, and the other functions' once. */
static bool close_functions(ptx_reader *reader)
{
    ptx_program *program = reader->program;
    uint32_t others = 0;
    if (program->function_count == 0 && program->global_count == 0)
        return ptx_scanner_fail(&reader->scanner, "a module without functions and variables");
    for (size_t i = 0; i < program->function_count; ++i) {
        ptx_function *function = program->functions[i];
        if (!function->is_defined)
            return ptx_scanner_fail(&reader->scanner, "function %s has no body", function->name);
        if (!function->is_kernel)
            others += function->frame_bytes;
        if (function->shared_bytes < reader->shared_bytes)
            function->shared_bytes = reader->shared_bytes;
        for (uint32_t k = 0; k < function->count; ++k) {
            const ptx_instruction *call = &function->code[k];
            if (call->callee != NULL && call->count != call->callee->parameter_count)
                return ptx_scanner_fail(&reader->scanner, "%s calls %s with %u parameters instead of %u",
                                        function->name, call->callee->name, call->count, call->callee->parameter_count);
        }
    }
    program->called_bytes = others;
    return true;
}

/* ------------------------------------------------------------------------------------------ memory -- */

static bool reserve_globals(ptx_program *program)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    program->memory_bytes = PTX_MOST_GLOBAL_BYTES + 2 * page;
    void *memory = mmap(NULL, program->memory_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    program->memory = memory;
    return mprotect(program->memory + page, PTX_MOST_GLOBAL_BYTES, PROT_READ | PROT_WRITE) == 0;
}

/* Only what is used, one page at least, and one behind. */
static void trim_globals(ptx_program *program, uint32_t used)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t kept = page + (used > 0 ? (used + page - 1) / page * page : page);
    mprotect(program->memory + kept, page, PROT_NONE);
    munmap(program->memory + kept + page, program->memory_bytes - kept - page);
    program->memory_bytes = kept + page;
}

ptx_program *ptx_program_load(const char *text, size_t size, char *reason, size_t reason_size)
{
    ptx_reader reader = {.program = calloc(1, sizeof(ptx_program))};
    ptx_program *program = reader.program;
    if (program == NULL || !reserve_globals(program)) {
        snprintf(reason, reason_size, "no memory");
        ptx_program_unload(program);
        return NULL;
    }
    ptx_scanner_begin(&reader.scanner, text, size, reason, reason_size);
    const bool good = read_module(&reader) && close_functions(&reader);
    ptx_drop_symbols(&reader, 0);
    free(reader.symbols);
    free(reader.labels);
    if (good) {
        trim_globals(program, reader.global_bytes);
        return program;
    }
    ptx_program_unload(program);
    return NULL;
}

static void free_function(ptx_function *function)
{
    free(function->code);
    free(function->parameters);
    free(function->name);
    free(function);
}

void ptx_program_unload(ptx_program *program)
{
    if (program == NULL)
        return;
    for (size_t i = 0; i < program->function_count; ++i)
        free_function(program->functions[i]);
    for (size_t i = 0; i < program->global_count; ++i)
        free(program->globals[i].name);
    free(program->functions);
    free(program->globals);
    if (program->memory != NULL)
        munmap(program->memory, program->memory_bytes);
    free(program);
}
