/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of small.k.c, as each driver loads them. */
#ifndef GPUSIM_CHECK_KERNEL_H
#define GPUSIM_CHECK_KERNEL_H

#include "arguments.h"
#include "driver.h"

#include <accel/object.h>

/* The bytes of small.TARGET, with a zero behind; to be freed. */
void *object_bytes(const char *target);

cuda_module cuda_load(const char *target);
cuda_function cuda_kernel(cuda_module, const char *name);
/* One block of 64 threads per 64 words, or at least one. */
int cuda_run(cuda_function, cuda_stream, words_args, unsigned shared);

/* A grid of one dimension, as the second parameter of every kernel. */
accel_grid grid_of(uint32_t blocks, uint32_t threads);

#endif
