/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divides regions of memory into chunks, so several threads can copy or fill one region. Long rows are cut; a chunk has several
 * short ones. A row is the last dimension, which is dense.
 */
#ifndef ACCEL_CPU_CHUNKS_H
#define ACCEL_CPU_CHUNKS_H

#include <accel/plugin.h>

typedef struct cpu_chunks {
    uint32_t dims;        /* of the region, 1 to 6 */
    const size_t *extent; /* the caller's; [dims - 1] in bytes */
    size_t rows, row;     /* how many, and the bytes of one */
    size_t cut;           /* bytes of a chunk of a row; `row` if rows are not cut */
    size_t per_row;       /* chunks of a row */
    size_t per_chunk;     /* rows of a chunk; 1 if rows are cut */
    size_t count;         /* of chunks */
} cpu_chunks;

/* Chunks of about `size` bytes. A row that is longer is cut, at multiples of `unit` only, which then is at most `size`. */
cpu_chunks cpu_chunks_of(uint32_t dims, const size_t extent[], size_t size, size_t unit);

/* A place in two regions of the same extents, or in one: then the second pitch is NULL. */
typedef struct cpu_place {
    size_t index[ACCEL_MAX_DIMS];
    size_t at[2]; /* bytes from the region's begin */
} cpu_place;

cpu_place cpu_place_of_row(const cpu_chunks *, const size_t *const pitch[2], size_t row);
/* By so many rows, at most to the first one of the next plane. */
void cpu_place_advance(const cpu_chunks *, const size_t *const pitch[2], cpu_place *, size_t rows);

/* `rows` dense spans of `bytes` bytes: where the first one begins in both regions, and bytes from one to the next. */
typedef struct cpu_spans {
    size_t at[2], step[2];
    size_t bytes, rows;
} cpu_spans;

/* Calls `span` for spans that together are the chunks from `first` on. */
typedef void (*cpu_span)(const void *user, const cpu_spans *);
void cpu_chunks_walk(const cpu_chunks *, const size_t *const pitch[2], size_t first, size_t count, cpu_span,
                     const void *user);

#endif
