/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the hip plugin, beside the engine. */
#ifndef ACCEL_GPU_HIP_HIP_H
#define ACCEL_GPU_HIP_HIP_H

#include "object/metadata.h"
#include "plugins/gpu/driver/open.h"
#include "plugins/gpu/driver/hip/functions.h"

/* The library's functions. Written while the driver is opened, only read afterwards. */
extern hip_functions hip;

/* The driver table. */
extern gpu_driver hip_driver;
/* Fills the slots that depend on the functions that were found. */
void hip_complete(gpu_driver *);

extern const gpu_error_class hip_error_classes[];
extern const size_t hip_error_class_count;
const char *hip_error_name(gpu_result);
const char *hip_error_text(gpu_result);

/* The architecture is the driver's word, "gfx90a:sramecc+:xnack-". */
void hip_target_names(const char *architecture, gpu_description *);
uint32_t hip_target_rank(const char *architecture, const char *target, const char *format, char *reason, size_t size);
/* What an object says of itself. */
typedef struct hip_metadata {
    char target[METADATA_TARGET_SIZE]; /* "gfx90a:xnack-", what it was made for; "" if it is not told */
    uint32_t lanes; /* of a warp, if its kernels were all made for the same number; 0: not, or not told */
} hip_metadata;
hip_metadata hip_metadata_read(const void *data, size_t size);
/* See gpu_driver.accepts_image: an object that was made for another target than its name tells. */
bool hip_accepts_image(const accel_image *, char *reason, size_t size);
/* See gpu_driver.image_warp_size. */
uint32_t hip_image_warp_size(const accel_image *);

#endif
