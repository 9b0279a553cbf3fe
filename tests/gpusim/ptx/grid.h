/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a grid of a PTX kernel on the calling thread, with the threads of some blocks in random order. */
#ifndef PTX_GRID_H
#define PTX_GRID_H

#include "kernel/grid.h"
#include "program.h"

/* The launch fits the kernel. Its parameters are aligned to 64 bytes. */
void ptx_grid_run(const gpusim_launch *, const ptx_program *, const ptx_function *, const void *parameters,
                  gpusim_fault *);

#endif
