/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/scatter_task.h - what libaccel hands to the kernel of a scatter, as a pattern's arguments (accel/object.h). The
 * extent is the number of cells. This file stands alone, like accel/object.h.
 */
#ifndef ACCEL_KERNEL_SCATTER_TASK_H
#define ACCEL_KERNEL_SCATTER_TASK_H

#include <accel/scatter.h>

typedef struct accel_scatter_task {
    accel_scatter_view view;
    void *target;   /* cells are joined to it; NULL: they are only reset */
    uint64_t fresh; /* 1: nothing was ever written to the sets and claims */
} accel_scatter_task;

#endif
