/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions as the rules say (P1, P2), one value after the other and through pointers to functions: what every backend must
 * give bit by bit. It shares nothing with the kernels' headers.
 */
#ifndef REDUCTION_H
#define REDUCTION_H

#include "../kernels/reductions.h"

#include <stddef.h>

/* The caller's values: the element of linear index i, what to start with, and b joined to a. */
typedef struct reduction {
    const char *kernel;
    size_t size;
    void (*element)(void *element, const reductions_args *, size_t i);
    const void *start;
    void (*join)(void *a, const void *b);
} reduction;

/* Every reduction of one dimension in reductions.k.c. */
extern const reduction reductions[];
extern const size_t reduction_count;
/* What those of two and three dimensions are in one. */
extern const reduction reductions_2d[], reductions_3d[];
extern const size_t reduction_2d_count, reduction_3d_count;
/* The same for planes.k.c. */
extern const reduction reductions_of_planes[];
extern const size_t reduction_of_planes_count;

/* Writes the reduction of elements 0 to n - 1. */
void reduction_of(const reduction *, const reductions_args *, size_t n, void *result);

#endif
