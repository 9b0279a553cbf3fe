/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of the kernels in image.k.c. Shared by host and kernels. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>
#include <stdint.h>

#define LEVELS 256         /* of a grey pixel */
#define RADIUS_MOST 16     /* of the blur */
#define TILE_ROWS 16       /* of the picture that a block blurs, one thread for each pixel */
#define TILE_COLUMNS 32    /* likewise */
#define WEIGHTS_SUM 65536u /* weights are integers, so every device computes the same bits */

/* A picture of rows * columns pixels without gaps. All kernels have these arguments. */
typedef struct image_args {
    size_t rows, columns;
    const uint8_t *colours; /* red, green, blue of each pixel */
    uint8_t *grey, *blurred;
    uint32_t *counts; /* of each level; 0 at first */
    size_t radius;    /* pixels, at most RADIUS_MOST */
    uint32_t
        weights[RADIUS_MOST + 1]; /* of a pixel that far away, in a row or column; WEIGHTS_SUM on both sides together */
} image_args;

#endif
