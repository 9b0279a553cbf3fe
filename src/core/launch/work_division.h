/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How accel_work_divide divides: first threads, along the fastest dimension first, so that neighbouring threads touch
 * neighbouring elements; then elements, and with them blocks, along the slowest first, so that what one block does stays
 * contiguous.
 */
#ifndef ACCEL_CORE_WORK_DIVISION_H
#define ACCEL_CORE_WORK_DIVISION_H

#include "core/base/divide.h"
#include "core/launch/launch.h"

typedef struct work_division {
    const accel_kernel *kernel;
    const size_t *extent;
    accel_divide_desc wish;
    accel_suggestion suggestion;
    size_t max_threads; /* of a block: kernel, device and wish */
    size_t max_blocks;  /* of the grid: what the device holds at once, if the launch is to be cooperative */
    accel_work work;
} work_division;

static inline size_t accel_saturate(size_t a, size_t b)
{
    size_t product;

    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* x, y or z: what a dimension folds into. */
static inline uint32_t accel_division_axis(const work_division *division, uint32_t d)
{
    uint32_t axis = division->work.dims - 1 - d;

    return axis < 2 ? axis : 2;
}

/* The product over all dimensions of the axis. */
static inline size_t accel_division_along(const work_division *division, const size_t values[], uint32_t axis)
{
    size_t product = 1;

    for (uint32_t d = 0; d < division->work.dims; ++d) {
        if (accel_division_axis(division, d) == axis)
            product = accel_saturate(product, values[d]);
    }
    return product;
}

static inline size_t accel_division_block_threads(const work_division *division)
{
    return accel_saturate(accel_saturate(accel_division_along(division, division->work.threads, 0),
                                         accel_division_along(division, division->work.threads, 1)),
                          accel_division_along(division, division->work.threads, 2));
}

/* How often the block's threads fit into the dimension. */
static inline size_t accel_division_units(const work_division *division, uint32_t d)
{
    return accel_divide_up(division->extent[d], division->work.threads[d]);
}

static inline bool accel_division_is_cooperative(const work_division *division)
{
    return (division->work.flags & ACCEL_WORK_COOPERATIVE) != 0;
}

/* work_threads.c: fills the threads with the kernel's own block, which wishes may only repeat. */
accel_status accel_division_fix_threads(work_division *, const char *function);
/* Fills the threads: wishes first; what they leave of the suggested number goes along the fastest dimensions. */
void accel_division_choose_threads(work_division *);
/* work_elems.c: fills elements and blocks, once the threads are there. */
void accel_division_choose_elems(work_division *);

#endif
