/* SPDX-License-Identifier: Apache-2.0 */
/* What the cases for GPUs share; they are listed in ../cases.c. */
#ifndef BENCH_GPU_CASES_H
#define BENCH_GPU_CASES_H

#include <accel/object.h>

#include "cases/cases.h"
#include "gpu/driver.h"

/* The grid parameter of a one-dimensional launch, which a native call of libaccel's own function passes, too. */
static inline accel_grid gpu_grid(const accel_work *work)
{
    return (accel_grid){.struct_size = sizeof(accel_grid),
                        .dims = 1,
                        .blocks = {(uint32_t)work->blocks[0], 1, 1, 1, 1, 1},
                        .threads = {(uint32_t)work->threads[0], 1, 1, 1, 1, 1},
                        .elems = {work->elems[0], 1, 1, 1, 1, 1}};
}

#endif
