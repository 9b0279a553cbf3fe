/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills. With the engine's lock held. */
#ifndef GPUSIM_COPY_H
#define GPUSIM_COPY_H

#include "place.h"

#define SIM_MAX_PITCH ((size_t)0x7fffffff)

typedef struct sim_copy {
    sim_place dst, src;
    size_t width, height, depth; /* bytes, rows, planes */
} sim_copy;

/* A dense copy. */
sim_copy sim_copy_of(void *dst, sim_side dst_side, const void *src, sim_side src_side, size_t size);
sim_status sim_copy_submit(sim_copy, void *stream);

/* `width` values in each of `height` rows. */
sim_status sim_fill_submit(void *dst, size_t pitch, uint32_t value, unsigned value_size, size_t width, size_t height,
                           void *stream);

#endif
