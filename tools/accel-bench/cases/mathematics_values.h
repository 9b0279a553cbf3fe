/* SPDX-License-Identifier: Apache-2.0 */
/* The case "mathematics": what its functions are of, and how exact they must be, for libaccel's side and for the native one. */
#ifndef MATHEMATICS_VALUES_H
#define MATHEMATICS_VALUES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* From 1/128 to 8, which floats have. */
static inline double mathematics_x(size_t i)
{
    return (double)(i % 1024 + 1) / 128;
}

/* 4 units in the last place, as docs/mathematics.md has it. */
static inline bool mathematics_is_exp(float found, size_t i)
{
    const double exact = exp(mathematics_x(i));
    return fabs((double)found - exact) <= 0x4p-23 * exact;
}

/* And one of the function that is compared with. */
static inline bool mathematics_is_log(double found, size_t i)
{
    const double exact = log(mathematics_x(i));
    return fabs(found - exact) <= 0x5p-52 * fabs(exact);
}

#endif
