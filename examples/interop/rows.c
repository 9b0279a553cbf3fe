/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif

void rows_sizes(size_t n, size_t pitch, const double *c, double *sizes)
{
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (size_t i = 0; i < n; ++i) {
        double sum = 1;
        for (size_t j = 0; j < n; ++j)
            sum += fabs(c[i * pitch + j]);
        sizes[i] = sum;
    }
}

int rows_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 0;
#endif
}
