/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of image.k.c on a device. */
#ifndef FILTERS_H
#define FILTERS_H

#include <accel/accel.h>

#include "image.h"

enum filter { GREY, HISTOGRAM, BLUR, FILTERS };

/* What the filters make of a picture, in the host's memory. */
typedef struct filtered {
    uint8_t *grey, *blurred;
    uint32_t counts[LEVELS];
    double seconds[FILTERS];
} filtered;

/* Memory for rows * columns pixels. false: there is none. */
bool filtered_new(filtered *, size_t rows, size_t columns);
void filtered_free(filtered *);

/* Applies all of them. Of args, rows, columns, radius and weights are given; colours are the host's. false: it failed, and
 * there was a message. */
bool filters_run(accel_device *, image_args args, const uint8_t *colours, filtered *result);

#endif
