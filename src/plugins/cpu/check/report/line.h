/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of sources, from addresses of code. Runs addr2line: only reports ask. */
#ifndef ACCEL_CPU_CHECK_LINE_H
#define ACCEL_CPU_CHECK_LINE_H

#include <stddef.h>

/* "stencil.k.c:31" of the call that returns to `place`: of functions inlined there the innermost outside libaccel's
 * headers. Without line numbers, or without addr2line: the file of code and the offset. */
void check_line_of(const void *place, char *text, size_t size);
/* The first return address outside libaccel and its plugins. NULL: there is none. */
const void *check_line_caller(void *const *frames, int count);
/* The first that is not the C library's. NULL: it is libaccel's or a plugin's, or there is none. */
const void *check_line_accessor(void *const *frames, int count);
/* Of the calling thread, now. *entry, unless it is NULL, becomes the function of libaccel's that the program has called; ""
 * if it is not known. */
const void *check_line_here(const char **entry);

#endif
