/* SPDX-License-Identifier: Apache-2.0 */
/* What a code object of NVIDIA's says of its kernels. */
#ifndef ACCEL_OBJECT_CUBIN_H
#define ACCEL_OBJECT_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function, "accel_kernel_axpy", and the registers of 32 bits that each of its threads has. */
typedef void (*cubin_visitor)(void *user, const char *name, uint32_t registers);

/* Shows every kernel. Returns false if it is no such object, or does not tell. Nothing in the file is trusted. */
bool cubin_read(const void *data, size_t size, cubin_visitor visit, void *user);

#endif
