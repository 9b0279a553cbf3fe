/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of the kernel in heat.k.c. Shared by host and kernel. */
#ifndef HEAT_H
#define HEAT_H

#include <stddef.h>

/* Temperatures of side * side points, of which those at the edge stay as they are. */
typedef struct heat_args {
    size_t side;
    size_t pitch; /* elements from one row to the next */
    double rate;  /* time step * conductivity / (distance of the points)^2; stable up to 0.25 */
    const double *now;
    double *next;
} heat_args;

#endif
