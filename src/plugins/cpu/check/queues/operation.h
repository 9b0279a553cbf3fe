/* SPDX-License-Identifier: Apache-2.0 */
/* What a queue executes: a launch, a copy or a fill. */
#ifndef ACCEL_CPU_CHECK_OPERATION_H
#define ACCEL_CPU_CHECK_OPERATION_H

#include <stddef.h>
#include <stdint.h>

typedef struct check_operation {
    const char *noun;         /* "launch", "copy", "fill" */
    const char *kernel;       /* its name; "" of a copy or fill */
    size_t grid[3], block[3]; /* extents of a launch */
    const void *place;        /* of a copy or fill: behind the call of the program that submitted it; NULL: unknown */
    uint64_t moment;          /* of views (view.h), when it was submitted; 0: unknown */
} check_operation;

#endif
