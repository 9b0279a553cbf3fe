/* SPDX-License-Identifier: Apache-2.0 */
/* The device nodes through which a driver's library reaches the kernel: what is wrong with them, if anything. Looked at
 * only after the driver has failed, since opening them is not free. */
#ifndef ACCEL_GPU_NODE_H
#define ACCEL_GPU_NODE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    GPU_NODE_FINE,    /* those that are there can be opened */
    GPU_NODE_REFUSED, /* one is there, but this process may not open it */
    GPU_NODE_ABSENT   /* the first of the list is not there */
};

/* Paths such as "/dev/kfd"; '#' at the end stands for a number, that is for all there are. NULL ends the list. `root` is
 * put in front ("" on a real system). For REFUSED and ABSENT, `text` has the path and the system's words. */
int gpu_node_check(const char *root, const char *const paths[], char *text, size_t size);
/* Is one of the list there? Opens nothing. */
bool gpu_node_exists(const char *root, const char *const paths[]);

#endif
