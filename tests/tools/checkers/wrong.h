/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRONG_H
#define WRONG_H

#include <stddef.h>

/* Numbers of x, which are 1, 2, 3 ..., and of y, which nobody has written. */
enum { N = 1000 };
typedef struct wrong_args {
    size_t n;
    const int *x;
    int *y;
} wrong_args;

#endif
