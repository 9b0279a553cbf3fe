/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/scatter.h - what kernels are told about a scatter, for hosts and kernels.
 *
 * A host makes a scatter (accel_scatter_create, accel/pattern.h), asks for its properties (accel_scatter_info), and passes
 * their member `view` to kernels as a member of their arguments. There accel/kernel/scatter.h adds to it. This file stands
 * alone, like accel/object.h.
 */
#ifndef ACCEL_SCATTER_H
#define ACCEL_SCATTER_H

#include <stddef.h>
#include <stdint.h>

/* Cells are numbered from 0 to count - 1. There are one or more sets of all of them. */
typedef struct accel_scatter_view {
    void *cells;          /* of set 0, an address of the device */
    void *claims;         /* on CPUs: who adds to which set. NULL: all add by atomics */
    uint64_t count;       /* cells of a set */
    uint64_t stride;      /* bytes from one set to the next */
    uint32_t copies;      /* sets */
    uint32_t reserved_32; /* 0 */
    uint64_t reserved[3]; /* 0 */
} accel_scatter_view;

#endif
