/* SPDX-License-Identifier: Apache-2.0 */
/* The argument structs of the suite's kernels, for host and kernel. */
#ifndef CONFORMANCE_ARGUMENTS_H
#define CONFORMANCE_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

/* set, add, copy, free, each_*, per_thread */
typedef struct words_args {
    uint32_t *words;
    size_t n; /* elements */
    uint32_t value;
} words_args;

/* big: as large as arguments may be */
typedef struct big_args {
    uint64_t *sum;
    uint8_t bytes[4096 - sizeof(uint64_t *)];
} big_args;

/* lesser: for devices that take less than big */
typedef struct lesser_args {
    uint64_t *sum;
    uint8_t bytes[3072 - sizeof(uint64_t *)];
} lesser_args;

/* An argument struct whose members all need padding: the layout is the compiler's on both sides. */
typedef struct padded_args {
    uint8_t first;
    double second;
    uint16_t third;
    uint64_t *out;
    float fourth;
} padded_args;

/* place, place_thread, place_nosync, fixed: one record per thread */
typedef struct place_record {
    uint64_t block[3], thread[3], grid_extent[3], block_extent[3], elem_extent[3]; /* x, y, z */
    uint64_t visits;
} place_record;
typedef struct place_args {
    place_record *records;
} place_args;

/* Kernels that hand values between threads of a block, of at most 1024 threads */
typedef struct exchange_args {
    uint32_t *out;      /* one per thread of the grid */
    const uint32_t *in; /* likewise */
    uint32_t value;     /* the kernel says what */
} exchange_args;

/* Dynamic shared memory */
typedef struct dynamic_args {
    uint64_t *addresses; /* one per block: the memory's address modulo 4096 */
    uint32_t *out;       /* one per thread */
} dynamic_args;

/* Atomics: every thread contributes; `old` has one value per thread where the kernel writes it */
typedef struct atomic_args {
    int32_t *i32;
    uint32_t *u32;
    int64_t *i64;
    uint64_t *u64;
    float *f32;
    double *f64;
    uint32_t *old;
    size_t n;
} atomic_args;
enum { ATOMIC_ADD, ATOMIC_SUB, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_EXCH, ATOMIC_CAS, ATOMIC_COUNT };

typedef struct large {
    uint64_t sum, square, count;
    double sum_again;
    uint64_t more[5];
} large;
typedef struct large_args {
    large *object;
    size_t objects, n;
} large_args;

/* slow: rounds of a multiplication each */
typedef struct slow_args {
    uint64_t *sum;
    uint64_t rounds;
} slow_args;

typedef struct stack_args {
    uint64_t *out;
    uint32_t depth;
} stack_args;

#endif
