/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of packs.k.c. */
#ifndef TEST_KERNELS_PACKS_H
#define TEST_KERNELS_PACKS_H
#include <stddef.h>

/* For all i < n: d[i] = 2 d[i] + 1 - d[i] / 4, f[i] = f[i] * f[i] - 3. sums[0] += all d before, sums[1] all f.
 * sums[2] = doubles in a pack. */
typedef struct {
    size_t n;
    double *d;
    float *f;
    double *sums;
} packs_args;

#endif
