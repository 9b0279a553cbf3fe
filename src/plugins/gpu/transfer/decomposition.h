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

/* The same, one at a time, for who goes on later. */
typedef struct gpu_copy_walk {
    const accel_copy_params *params; /* the caller's */
    uint32_t outer;                  /* dimensions that are not of one call */
    size_t index[ACCEL_MAX_DIMS];    /* of the next part in them */
    bool over;
} gpu_copy_walk;

gpu_copy_walk gpu_copy_walk_begin(const accel_copy_params *, size_t max_pitch);
bool gpu_copy_walk_next(gpu_copy_walk *, gpu_copy_3d *part);

typedef struct gpu_chunk_walk {
    gpu_copy_3d part;
    size_t width, height, depth; /* of a chunk, at most */
    size_t x, y, z;              /* where the next begins */
} gpu_chunk_walk;

gpu_chunk_walk gpu_chunk_walk_begin(const gpu_copy_3d *part, size_t bytes);
bool gpu_chunk_walk_next(gpu_chunk_walk *, gpu_copy_3d *chunk);

/* A chunk whose end on the host is packed memory instead: the copy on the host, between that and the chunk's own end, and
 * the copy between that and the device. */
typedef struct gpu_packed_chunk {
    gpu_copy_3d on_host, on_device;
} gpu_packed_chunk;

gpu_packed_chunk gpu_pack_chunk(const gpu_copy_3d *chunk, void *memory);
/* Both ends are addresses of the host. */
void gpu_copy_on_host(const gpu_copy_3d *);

size_t gpu_copy_bytes(const accel_copy_params *);
/* Bytes from the first to behind the last. */
size_t gpu_copy_span(uint32_t dims, const size_t extent[], const size_t pitch[]);

#endif
