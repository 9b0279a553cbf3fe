/* SPDX-License-Identifier: Apache-2.0 */
/* What host and kernel share: the argument struct of the kernel. It is passed by value; pointers in it are
 * device addresses, as accel_buffer_ptr gives them. */
#ifndef VECTOR_ADD_H
#define VECTOR_ADD_H

#include <stddef.h>

typedef struct vector_add_args {
    size_t n;
    const float *a;
    const float *b;
    float *c;
} vector_add_args;

#endif
