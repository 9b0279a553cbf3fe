/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the kernels that multiply matrices. */
#ifndef ACCEL_KERNELS_GEMM_H
#define ACCEL_KERNELS_GEMM_H

#include <stddef.h>
#include <stdint.h>

enum {
    GEMM_THREADS = 256,
    GEMM_SIDE = 64,         /* of the tiles of C that blocks of GPUs take */
    GEMM_STEP = 16,         /* terms that lie in the shared memory of GPUs at a time */
    GEMM_ROW_UNIT = 8,      /* on CPUs tiles have a multiple of so many rows, as registers have with AVX-512 */
    GEMM_PART_UNIT = 24,    /* and parts of them of so many: of 6 and of 8, as registers have */
    GEMM_COLUMN_BYTES = 192 /* and tiles rows of a multiple of so many bytes: of 2 or 3 packs of 16, 32 and 64 bytes */
};

/* Each element of C is (beta * C) + the products of a row of A, multiplied by alpha, and a column of B. Those of a
 * transposed matrix are its columns and rows. Pitches are in elements. */
typedef struct gemm_args {
    const void *a, *b;
    void *c;
    size_t a_pitch, b_pitch, c_pitch;
    size_t rows, columns, depth;    /* of the product; depth: terms of each sum */
    double alpha, beta;             /* beta 0: C is not read */
    size_t tile_rows, tile_columns; /* of C, which a block takes at a time */
    size_t part_rows, part_depth; /* CPUs only: a block copies parts of A of so many rows and columns to shared memory,
                                       and parts of B of so many rows */
    uint32_t a_transposed, b_transposed;
} gemm_args;

#endif
