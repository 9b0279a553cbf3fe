/* SPDX-License-Identifier: Apache-2.0 */
/* The argument structs of cg.k.c and dot.k.c, shared by host and kernels. */
#ifndef CG_KERNELS_H
#define CG_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* y = A x, A in compressed rows. */
typedef struct multiply_args {
    size_t rows;
    const size_t *row_start;
    const uint32_t *column;
    const double *value;
    const double *x;
    double *y;
} multiply_args;

/* The dot product of x and y; accel_reduce writes it. */
typedef struct dot_args {
    const double *x;
    const double *y;
} dot_args;

/* z = x + sign * numerator / denominator * y; z may be x or y. */
typedef struct add_scaled_args {
    size_t n;
    double sign;
    const double *numerator, *denominator; /* on the device, where dot left them */
    const double *x;
    const double *y;
    double *z;
} add_scaled_args;

#endif
