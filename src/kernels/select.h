/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of the kernels that choose elements. Each block has a share of the elements. In a first launch it counts those
 * that are chosen. In a second one it adds up the counts of the shares before its own, and moves its elements.
 */
#ifndef ACCEL_KERNELS_SELECT_H
#define ACCEL_KERNELS_SELECT_H

#include <stddef.h>
#include <stdint.h>

enum {
    SELECT_THREADS = 256, /* of a block */
    SELECT_ITEMS = 8      /* that a thread of a GPU ranks at a time */
};

typedef struct select_args {
    size_t n;
    size_t share; /* elements of a block */
    size_t blocks;
    const void *from;
    const void
        *flags; /* integers of flag_size bytes: 0 is not chosen. NULL: the first of each run of equal elements is */
    void *to;
    size_t room;        /* how many elements `to` holds; more are left out */
    size_t units;       /* words of an element */
    void *starts;       /* the index of each chosen element, in order */
    size_t starts_room; /* how many it holds; 0: they are not wanted */
    uint64_t *counts;   /* of the chosen elements of each block */
    void *count;        /* of all chosen elements: the result */
    uint32_t unit;      /* bytes of a word: 1, 2, 4 or 8 */
    uint32_t flag_size;
    uint32_t wide_count, wide_starts; /* have 64 bits */
    uint32_t keeps_rest;              /* the others follow the chosen ones */
} select_args;

/* Lengths of runs by their first indices. */
typedef struct select_lengths_args {
    size_t n;
    const void *starts, *count;
    void *lengths;
    size_t room; /* how many `lengths` holds */
    uint32_t wide_starts, wide_count, wide_lengths;
} select_lengths_args;

#endif
