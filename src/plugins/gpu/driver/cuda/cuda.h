/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the cuda plugin, beside the engine. */
#ifndef ACCEL_GPU_CUDA_CUDA_H
#define ACCEL_GPU_CUDA_CUDA_H

#include "plugins/gpu/driver/open.h"
#include "plugins/gpu/driver/cuda/functions.h"

/* The library's functions. Written while the driver is opened, only read afterwards. */
extern cuda_functions cuda;

/* The driver table. */
extern gpu_driver cuda_driver;
/* Fills the slots that depend on the functions that were found. */
void cuda_complete(gpu_driver *);

extern const gpu_error_class cuda_error_classes[];
extern const size_t cuda_error_class_count;
const char *cuda_error_name(gpu_result);
const char *cuda_error_text(gpu_result);
/* See gpu_driver.explain_refusal. */
void cuda_explain_refusal(gpu_result, const accel_image *, char *text, size_t size);
/* See gpu_driver.accepts_image: PTX that is newer than the driver. */
bool cuda_accepts_image(const accel_image *, char *reason, size_t size);
/* The newest PTX that a driver takes, as 10 * major + minor; 0: unknown. */
int cuda_newest_ptx(int driver_version);

/* "sm_90", for compute capability 9.0, and the targets that it runs, best first. */
void cuda_target_names(int capability, gpu_description *);
uint32_t cuda_target_rank(const char *architecture, const char *target, const char *format, char *reason, size_t size);

#endif
