/* SPDX-License-Identifier: Apache-2.0 */
/* The program that figures.sh builds with libaccel and with Kokkos: sweeps over a square, and how far a sweep moved it. */
#ifndef JACOBI_H
#define JACOBI_H

#include <stddef.h>

enum { SIDE = 512, SWEEPS = 100 };

typedef struct jacobi_args {
    size_t side;
    const double *now;
    double *next;
} jacobi_args;

#endif
