/* SPDX-License-Identifier: Apache-2.0 */
/* Work that takes as long as one likes and touches no memory: a sequence of which each term needs the one before. */
#ifndef BENCH_BUSY_H
#define BENCH_BUSY_H

#include <stddef.h>
#include <stdint.h>

/* value[block]: its term number `steps`. */
typedef struct busy_args {
    uint64_t steps;
    uint64_t *value;
} busy_args;

/* value[element]: its term number `steps`. If `uneven`, every fourth element has twice as many steps, and the one behind it half. */
typedef struct heavy_args {
    uint64_t elements, steps, uneven;
    uint64_t *value;
} heavy_args;

#define BUSY_FACTOR 6364136223846793005u
#define BUSY_SUMMAND 1442695040888963407u

/* In kernels, for which accel/kernel.h comes first, and on the host. */
#if !defined(ACCEL_FN)
#define ACCEL_FN static inline
#endif

ACCEL_FN uint64_t busy_value(uint64_t block, uint64_t steps)
{
    uint64_t value = block;
    for (uint64_t i = 0; i < steps; ++i)
        value = value * BUSY_FACTOR + BUSY_SUMMAND;
    return value;
}

ACCEL_FN uint64_t heavy_steps(uint64_t element, uint64_t steps, uint64_t uneven)
{
    if (uneven == 0)
        return steps;
    return element % 4 == 0 ? 2 * steps : element % 4 == 1 ? steps / 2 : steps;
}

#endif
