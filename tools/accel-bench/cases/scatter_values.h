/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of the scatter cases' values, on the host: C alone, while scatter_data.h is read by C++ too. */
#ifndef BENCH_SCATTER_VALUES_H
#define BENCH_SCATTER_VALUES_H

#include "kernels/scatter_data.h"

/* Types, in the order of the cases. */
enum { SCATTER_INT, SCATTER_DOUBLE, SCATTER_COMPLEX_FLOAT, SCATTER_COMPLEX_DOUBLE, SCATTER_TYPES };

static inline void scatter_put(void *array, size_t type, size_t i, int re, int im)
{
    if (type == SCATTER_INT)
        ((int *)array)[i] = re;
    else if (type == SCATTER_DOUBLE)
        ((double *)array)[i] = re;
    else if (type == SCATTER_COMPLEX_FLOAT)
        ((complex_float *)array)[i] = (complex_float){(float)re, (float)im};
    else
        ((complex_double *)array)[i] = (complex_double){re, im};
}

static inline double scatter_part(const void *array, size_t type, size_t i, int part)
{
    if (type == SCATTER_INT)
        return ((const int *)array)[i];
    if (type == SCATTER_DOUBLE)
        return ((const double *)array)[i];
    if (type == SCATTER_COMPLEX_FLOAT)
        return (double)(part == 0 ? ((const complex_float *)array)[i].re : ((const complex_float *)array)[i].im);
    return part == 0 ? ((const complex_double *)array)[i].re : ((const complex_double *)array)[i].im;
}

#endif
