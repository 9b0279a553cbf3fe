/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of coordinates.k.c. */
#ifndef TEST_KERNELS_COORDINATES_H
#define TEST_KERNELS_COORDINATES_H
#include <stddef.h>
#include <stdint.h>

/* One thread's view; arrays by dimension as the host counts them, entries from `dims` on 0. */
typedef struct {
    uint32_t dims;
    uint32_t reserved;
    uint64_t block[6], thread[6];                              /* coordinates */
    uint64_t blocks[6], threads[6], elems[6];                  /* extents */
    uint64_t block_index[3], thread_index[3], global_index[3]; /* x, y, z; global is block * extent + thread */
    uint64_t grid_extent[3], block_extent[3], elem_extent[3];  /* x, y, z; z holds the third and further dimensions */
} coordinates_view;

typedef struct {
    coordinates_view *view; /* entry b * (threads of a block) + t for linear block b and thread t, x fastest */
} coordinates_args;

#endif
