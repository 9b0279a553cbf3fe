/* SPDX-License-Identifier: Apache-2.0 */
/* A work division as engines need it: from the fastest dimension on, with those above three folded into z. */
#ifndef ACCEL_PLUGINS_DIVISION_H
#define ACCEL_PLUGINS_DIVISION_H

#include <accel/plugin.h>

/* x, y and z of values per dimension, the slowest first. Dimensions that the work does not have are 1. */
static inline void division_fold(const size_t values[], uint32_t dims, size_t folded[3])
{
    folded[1] = folded[2] = 1;
    folded[0] = values[dims - 1];
    if (dims > 1)
        folded[1] = values[dims - 2];
    for (uint32_t d = 0; d + 2 < dims; ++d)
        folded[2] *= values[d];
}

/* The grid parameter of a launch, but for its locks, which are NULL. */
static inline void division_grid(accel_grid *grid, uint32_t dims, const size_t blocks[], const size_t threads[],
                                 const size_t elems[])
{
    *grid = (accel_grid){.struct_size = sizeof(*grid),
                         .dims = dims,
                         .blocks = {1, 1, 1, 1, 1, 1},
                         .threads = {1, 1, 1, 1, 1, 1},
                         .elems = {1, 1, 1, 1, 1, 1}};
    for (uint32_t i = 0, d = dims; d-- > 0; ++i) {
        grid->blocks[i] = (uint32_t)blocks[d];
        grid->threads[i] = (uint32_t)threads[d];
        grid->elems[i] = elems[d];
    }
}

#endif
