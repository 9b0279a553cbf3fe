/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies decomposed into what one call of a driver can do. Nothing here calls a driver.
 */
#ifndef ACCEL_GPU_DECOMPOSITION_H
#define ACCEL_GPU_DECOMPOSITION_H

#include "plugins/gpu/driver/driver.h"

/* What becomes of the parts, in any order that a caller may see as one. 0 goes on. */
typedef gpu_result (*gpu_copy_part)(void *user, const gpu_copy_3d *);

/* Calls `part` for the parts of the copy: one, if it has up to three dimensions that the driver can express (rows at most
 * max_pitch apart, planes a whole number of rows apart). Returns the first result that is not 0. */
gpu_result gpu_decompose_copy(const accel_copy_params *, size_t max_pitch, gpu_copy_part part, void *user);

/* Calls `part` for chunks of at most `bytes` bytes that together are the part. A row longer than that is cut. */
gpu_result gpu_decompose_chunks(const gpu_copy_3d *, size_t bytes, gpu_copy_part part, void *user);

/* Bytes from the first to behind the last. */
size_t gpu_copy_span(uint32_t dims, const size_t extent[], const size_t pitch[]);

#endif
