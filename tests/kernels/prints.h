/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_PRINTS_H
#define TEST_PRINTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct prints_args {
    size_t n; /* elements */
    int from; /* the first number that is printed */
    double real;
} prints_args;

#endif
