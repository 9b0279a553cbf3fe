/* SPDX-License-Identifier: Apache-2.0 */
/* Frozen: the arguments of kernel.c. */
#ifndef FIRST_ARGUMENTS_H
#define FIRST_ARGUMENTS_H

#include <stddef.h>

typedef struct first_args {
    double a;
    size_t n;
    const double *x;
    double *y;
} first_args;

#endif
