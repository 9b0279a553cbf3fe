/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of a block, or blocks of a grid: by one number, x fastest, and by three indices. */
#ifndef ACCEL_CPU_CHECK_INDEX_H
#define ACCEL_CPU_CHECK_INDEX_H

#include <stddef.h>

static inline size_t check_number_of(const size_t index[3], const size_t extent[3])
{
    return (index[2] * extent[1] + index[1]) * extent[0] + index[0];
}

static inline void check_index_of(size_t number, const size_t extent[3], size_t index[3])
{
    index[0] = number % extent[0];
    index[1] = number / extent[0] % extent[1];
    index[2] = number / extent[0] / extent[1];
}

#endif
