/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read a module share: the names that are in force. */
#ifndef PTX_READER_H
#define PTX_READER_H

#include "program.h"
#include "scanner.h"

enum { PTX_MOST_GLOBAL_BYTES = 64 << 20 };

typedef struct ptx_symbol {
    char *name;
    uint32_t range; /* of registers: "%r<30>" is %r0 to %r29; 0 for a single one */
    ptx_operand operand;
} ptx_symbol;

typedef struct ptx_label {
    char *name;
    uint32_t at;    /* instruction */
    bool is_target; /* of the branch at `at`; else that is the place itself */
    uint32_t line;
} ptx_label;

typedef struct ptx_reader {
    ptx_scanner scanner;
    ptx_program *program;
    ptx_symbol *symbols; /* later ones hide earlier ones */
    size_t symbol_count;
    uint32_t shared_bytes, global_bytes; /* of the module */
    /* The function that is read. */
    ptx_function *function;
    ptx_label *labels;
    size_t label_count;
} ptx_reader;

/* A declaration ".global .align 8 .b8 name[72]", up to its "=", "," , ")" or ";". */
typedef struct ptx_declaration {
    char space[16]; /* "global" */
    char name[512];
    ptx_type type;
    uint32_t align, bytes;
    bool is_unsized; /* "name[]" */
} ptx_declaration;

/* False after a failure. */
bool ptx_read_declaration(ptx_reader *, ptx_declaration *);
/* ".u32" and the like, with or without the dot. */
bool ptx_read_type(const char *word, ptx_type *);
bool ptx_add_symbol(ptx_reader *, const char *name, uint32_t range, ptx_operand_kind, uint64_t value);
/* `number`: of the register in its range. NULL if there is none. */
const ptx_symbol *ptx_find_symbol(const ptx_reader *, const char *name, uint64_t *number);
void ptx_drop_symbols(ptx_reader *, size_t from);
/* The function of that name; a new one if there is none yet. NULL without memory. */
ptx_function *ptx_function_named(ptx_reader *, const char *name);

/* declaration.c: a variable of the module. */
bool ptx_read_variable(ptx_reader *);
/* body.c: from behind the "{" to behind the "}". */
bool ptx_read_body(ptx_reader *);
/* instruction.c: up to behind the ";". */
bool ptx_read_instruction(ptx_reader *, ptx_instruction *);
/* A branch's target, known or not. */
bool ptx_add_label(ptx_reader *, const char *name, uint32_t at, bool is_target);

/* Room for one more element behind `count`: the array, or a longer one, in whose favour the old one is freed. NULL, and a
 * failure of the scanner, without memory. */
void *ptx_grow(ptx_reader *, void *array, size_t count, size_t size);

static inline uint32_t ptx_align(uint32_t offset, uint32_t align)
{
    return (offset + align - 1) / align * align;
}

#endif
