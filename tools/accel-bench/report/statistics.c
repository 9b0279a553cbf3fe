/* SPDX-License-Identifier: Apache-2.0 */
#include "report/statistics.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Between the two nearest values, linearly. */
static double quantile(const double *sorted, size_t count, double fraction)
{
    const double place = fraction * (double)(count - 1);
    const size_t below = (size_t)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

spread statistics_spread(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return (spread){quantile(values, count, 0.25), quantile(values, count, 0.5), quantile(values, count, 0.75)};
}
