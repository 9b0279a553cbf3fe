/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSIM_IMAGE_H
#define GPUSIM_IMAGE_H

#include "grid.h"
#include "ptx/program.h"
#include "symbols.h"

struct gpusim_kernel {
    gpusim_image *image;
    char *symbol;
    gpusim_kernel_properties properties;
    uint32_t block[3];                 /* fixed extents, or 0 */
    uint64_t shared_begin, shared_end; /* its variables in the thread's shared memory */
    void (*call)(const void *arguments, const void *grid);
    const ptx_function *function; /* interpreted, in the place of all since `block` */
};

struct gpusim_image {
    ptx_program *program; /* interpreted; NULL if it is host code */
    void *host;           /* the shared object's bytes */
    gpusim_symbols symbols;
    gpusim_object object;
    int file; /* in memory; open as long as it is loaded, so that its name is nobody else's */
    void *handle;
    char *base;              /* where it was loaded */
    void *(*dynamic)(void);  /* the calling thread's dynamic shared memory */
    uint64_t dynamic_offset; /* of it in the thread's shared memory */
    gpusim_kernel *kernels;
    size_t kernel_count;
};

#endif
