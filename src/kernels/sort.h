/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of the kernels that sort. A sort is passes over one digit of 8 bits each, the lowest first. A pass goes from one
 * place to the other; a pass in which all keys have the same digit moves nothing. So the place that a pass starts from
 * depends on the passes before it, and the device knows it alone.
 */
#ifndef ACCEL_KERNELS_SORT_H
#define ACCEL_KERNELS_SORT_H

#include <stddef.h>
#include <stdint.h>

enum {
    SORT_DIGITS = 256,
    SORT_THREADS = 256, /* of a block; a thread for each digit */
    SORT_ITEMS = 8,     /* that a thread of a GPU ranks at a time */
    SORT_GROUP = 16,    /* keys of a digit that a CPU writes past its caches at a time: whole lines */
    SORT_PASSES = 8     /* at most */
};

typedef struct sort_args {
    size_t n;
    size_t share;         /* elements of a block, fewer than 2^32 */
    size_t blocks;        /* of the kernels that count and scatter */
    void *keys[2];        /* both places: the caller's and the scratch */
    void *carried[2];     /* what moves with the keys: values, or indices of them */
    uint64_t *counts;     /* of digit d in block b: [d * blocks + b]; then how many are before it in the digit */
    uint64_t *totals;     /* of each digit */
    uint32_t *moves;      /* 1 for each pass that moves */
    uint64_t sign_mask;   /* what is flipped in keys whose highest bit is 1 */
    uint64_t flip;        /* what is flipped in all keys: then they are ordered as unsigned integers */
    uint32_t shift, mask; /* the digit */
    uint32_t pass;
    uint32_t past_caches; /* CPUs only: both places begin with a line, and no cache keeps what is written */
} sort_args;

/* What is left to do once the passes are over. */
typedef struct sort_end_args {
    size_t n;
    const uint32_t *moves;
    uint32_t passes;
    uint32_t wide;    /* indices have 64 bits */
    uint32_t unit;    /* bytes that are copied at a time: 1, 2, 4 or 8 */
    size_t units;     /* of a value */
    void *at[2];      /* sort_settle: both places of what is to end at the first */
    void *indices[2]; /* sort_gather, sort_number */
    const void *from; /* sort_gather: values in their old order, at `to` in the new one */
    void *to;
} sort_end_args;

#endif
