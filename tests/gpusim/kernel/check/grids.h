/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSIM_CHECK_GRIDS_H
#define GPUSIM_CHECK_GRIDS_H

#include "arguments.h"
#include "grid.h"

#include <accel/object.h>
#include <check.h>
#include <stdlib.h>
#include <string.h>

extern const char *objects_directory;

/* The object for warps of 32 on CUDA, of 32 and of 64 on HIP: tests loop over them. */
typedef struct variant {
    const char *file;
    uint32_t warp_size;
} variant;
extern const variant variants[];
enum { VARIANTS = 3 };

gpusim_image *image_of(const char *file);
/* Extents, 0 for 1, and what else there is to a launch. */
typedef struct shape {
    uint32_t grid[3], block[3], shared, flags;
    const uint32_t *cancel;
} shape;
gpusim_grid_status try_run(gpusim_image *, uint32_t warp_size, const char *kernel, shape, const void *args,
                           size_t args_size, gpusim_fault *);
void run(gpusim_image *, uint32_t warp_size, const char *kernel, shape, const void *args, size_t args_size);

TCase *objects_tests(void);
TCase *grids_tests(void);
TCase *warps_tests(void);
TCase *faults_tests(void);

#endif
