/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by host and kernel: the kernel's argument struct. It is passed by value. Pointers in it are device addresses, from
 * accel_buffer_ptr. */
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
