/* SPDX-License-Identifier: Apache-2.0 */
/* What a finding is in words: its kind, lines, threads, memory and remedy. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_DESCRIPTION_H
#define ACCEL_CPU_CHECK_DESCRIPTION_H

#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/memory.h"

enum { CHECK_LINE = 512, CHECK_OBJECT = 512 };

typedef struct check_description {
    const check_finding *finding;
    const check_operation *operation;         /* of "mine"; NULL: of none */
    char mine[CHECK_LINE], other[CHECK_LINE]; /* "stencil.k.c:31"; other: "" if there is none */
    char memory[CHECK_OBJECT];                /* "at byte 4 of a buffer of 64 bytes"; "" if it is about no memory */
    char buffer[CHECK_NAME];                  /* the name of the buffer; "" if it has none */
} check_description;

/* Runs addr2line. */
void check_description_make(const check_finding *, const check_operation *, check_description *);
/* The operation of a side. NULL: of none. */
static inline const check_operation *check_description_operation(const check_description *self, const check_side *side)
{
    return side->operation != NULL ? side->operation : self->operation;
}
/* As people read it, to be printed as it is. Text that does not fit is cut off. */
void check_description_text(const check_description *, char *text, size_t size);

const char *check_description_remedy(const check_description *);

/* "race-threads": for files that programs read. */
const char *check_kind_name(uint32_t kind);
/* "race between threads of a block" */
const char *check_kind_title(uint32_t kind);
/* Of an index in a grid or block of this extent: x first. */
void check_index_split(size_t number, const size_t extent[3], size_t index[3]);
/* "stencil.k.c:31": the length of the file's name, and the line. 0: there is no line, the length is the text's. */
size_t check_line_split(const char *line, size_t *length);

#endif
