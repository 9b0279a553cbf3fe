/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_ASSERTIONS_H
#define TEST_ASSERTIONS_H

#include <stddef.h>
#include <stdint.h>

typedef struct assertions_args {
    size_t n;        /* threads of the grid */
    size_t bad;      /* the one for which an assertion does not hold */
    uint32_t *line;  /* each thread: the line before its assertion */
    uint32_t *after; /* each thread: 1 behind its assertion */
} assertions_args;

#endif
