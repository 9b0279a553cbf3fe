/* SPDX-License-Identifier: Apache-2.0 */
/* PTX text as words. */
#ifndef PTX_SCANNER_H
#define PTX_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ptx_token {
    PTX_END,
    PTX_NAME,    /* an identifier with its dots: "%r1", "%tid.x", ".b32", "ld.param.u64" */
    PTX_INTEGER, /* value */
    PTX_REAL32,  /* "0f3F800000"; value: the bits */
    PTX_REAL64,  /* "0d..." */
    PTX_STRING,
    PTX_MARK /* one character */
} ptx_token;

typedef struct ptx_scanner {
    const char *at, *end;
    uint32_t line;
    /* The current token. */
    ptx_token token;
    char text[512]; /* of names; a mark is its first character */
    uint64_t value;
    /* Once set, every token is PTX_END. */
    bool failed;
    char *reason;
    size_t reason_size;
} ptx_scanner;

void ptx_scanner_begin(ptx_scanner *, const char *text, size_t size, char *reason, size_t reason_size);
void ptx_scanner_next(ptx_scanner *);
/* Past the rest of the line. */
void ptx_scanner_end_line(ptx_scanner *);
/* The first failure counts. False, so that a caller can return it. */
__attribute__((format(printf, 2, 3))) bool ptx_scanner_fail(ptx_scanner *, const char *format, ...);

bool ptx_scanner_is(const ptx_scanner *, char mark);
bool ptx_scanner_is_name(const ptx_scanner *, const char *name);
/* Goes past it if it is there. */
bool ptx_scanner_accept(ptx_scanner *, char mark);
bool ptx_scanner_accept_name(ptx_scanner *, const char *name);
/* Fails if it is not there. */
bool ptx_scanner_expect(ptx_scanner *, char mark);
/* An integer, perhaps with a sign. */
bool ptx_scanner_number(ptx_scanner *, int64_t *value);

#endif
