/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of kernel.c. */
#ifndef VERSION_ARGUMENTS_H
#define VERSION_ARGUMENTS_H

#include <stddef.h>

typedef struct version_args {
    double a;
    size_t n;
    const double *x;
    double *y;
} version_args;

#endif
