/* SPDX-License-Identifier: Apache-2.0 */
/* A module of PTX, split into its statements. */
#ifndef ACCELCC_PTX_MODULE_H
#define ACCELCC_PTX_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ptx_kind { PTX_HEADER, PTX_FILE, PTX_SECTION, PTX_FUNCTION, PTX_VARIABLE, PTX_OTHER } ptx_kind;

/* One statement of a module: a directive, a declaration or a definition. */
typedef struct ptx_item {
    ptx_kind kind;
    const char *text, *name; /* the name: of functions, variables and sections */
    bool is_local, is_extern, is_definition;
} ptx_item;

typedef struct ptx_module {
    ptx_item *items;
    size_t count, capacity;
    uint32_t last_file; /* the greatest number of a .file */
} ptx_module;

/* The module begins as {0}. */
void ptx_parse(const char *text, ptx_module *);

/* May the character stand in a name or number? */
bool ptx_is_word(char);
/* Behind spaces and comments. */
const char *ptx_skip_space(const char *);
/* Behind one character, or one string, or spaces and comments. */
const char *ptx_step(const char *);

#endif
