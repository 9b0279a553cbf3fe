/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans as the rules say (P7 to P10), one value after the other and through pointers to functions: what every backend must
 * give bit by bit. It shares nothing with the kernels' headers.
 */
#ifndef SCANNING_H
#define SCANNING_H

#include "../kernels/scans.h"

#include <stdbool.h>
#include <stddef.h>

/* The caller's values: the element of index i, what to start with, and b joined to a. */
typedef struct scanning {
    const char *kernel;
    size_t size; /* of a result, at most 64 */
    void (*element)(void *element, const scans_args *, size_t i);
    const void *start;
    void (*join)(void *a, const void *b);
    bool (*is_head)(const scans_args *, size_t i); /* NULL: no keys */
} scanning;

/* Writes n results. */
void scan_all(const scanning *, const scans_args *, size_t n, bool inclusive, unsigned char *results);

#endif
