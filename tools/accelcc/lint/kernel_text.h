/* SPDX-License-Identifier: Apache-2.0 */
/* One block kernel, as tokens: its regions and loops, and where its variables are declared. */
#ifndef ACCELCC_KERNEL_TEXT_H
#define ACCELCC_KERNEL_TEXT_H

#include "lint/tokens.h"

enum { KERNEL_INDICES = 3, KERNEL_PLACES = 256, KERNEL_VARIABLES = 512 };

/* A region, or a loop over elements: [begin, end) are its tokens, the marker's included. */
typedef struct kernel_place {
    bool is_region;
    size_t begin, end;
    const char *name;                    /* "ACCEL_THREADS" */
    const char *indices[KERNEL_INDICES]; /* NULL where there are fewer */
} kernel_place;

/* A declared name, and [at, end) where it is seen. */
typedef struct kernel_variable {
    const char *name;
    size_t at, end;
    bool is_memory; /* shared or private: not the block's */
} kernel_variable;

typedef struct kernel_text {
    const tokens *all;
    const char *name;
    size_t begin, end; /* of its body */
    kernel_place places[KERNEL_PLACES];
    size_t place_count;
    kernel_variable variables[KERNEL_VARIABLES];
    size_t variable_count;
} kernel_text;

/* Reads the kernel whose marker is at `at`. Places and variables beyond the limits are left out. */
void kernel_text_read(const tokens *, size_t at, kernel_text *);
/* Behind the statement that begins here. */
size_t kernel_text_statement(const tokens *, size_t at);
/* The innermost region or loop around a token; NULL: none. */
const kernel_place *kernel_text_place(const kernel_text *, size_t at);
/* The declaration that a name refers to; NULL: none in this kernel. */
const kernel_variable *kernel_text_variable(const kernel_text *, size_t at);

#endif
