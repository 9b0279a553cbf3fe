/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of the kernels in interop.k.c. Shared by host and kernels. */
#ifndef INTEROP_H
#define INTEROP_H

#include <stddef.h>

/* Square matrices with n rows, which are `pitch` numbers apart. All kernels have these arguments. */
typedef struct interop_args {
    size_t n, pitch;
    double *a, *b, *c;
    const double *sizes; /* of each row of c */
} interop_args;

#endif
