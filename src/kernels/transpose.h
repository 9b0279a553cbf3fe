/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the kernel that transposes a matrix. */
#ifndef ACCEL_KERNELS_TRANSPOSE_H
#define ACCEL_KERNELS_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

/* Threads of a block, and the side of what it has in shared memory on GPUs. */
enum { TRANSPOSE_THREADS = 256, TRANSPOSE_SIDE = 32 };

typedef struct transpose_args {
    const unsigned char *from;
    unsigned char *to;
    size_t rows, columns;        /* of `from` */
    size_t from_pitch, to_pitch; /* bytes from row to row */
    size_t side;                 /* of the square tiles that blocks take; on GPUs TRANSPOSE_SIDE */
    size_t units;                /* an element is so many units */
    uint32_t unit;               /* of 1, 2, 4 or 8 bytes, to which everything is aligned */
    uint32_t past_caches; /* CPUs only: each row of `to` begins with a line, and no cache keeps what is written */
} transpose_args;

#endif
