/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of the kernel in hello.k.c. Shared by host and kernel. */
#ifndef HELLO_H
#define HELLO_H

#include <stddef.h>

typedef struct hello_args {
    size_t n;
    double *squares;
} hello_args;

#endif
