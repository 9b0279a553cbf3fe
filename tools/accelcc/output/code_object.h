/* SPDX-License-Identifier: Apache-2.0 */
/* What an AMD code object says about its kernels: the NT_AMDGPU_METADATA note, which is MessagePack. */
#ifndef ACCELCC_CODE_OBJECT_H
#define ACCELCC_CODE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One kernel. Sizes are in bytes. */
typedef struct code_object_kernel {
    const char *name; /* the function's: "accel_kernel_axpy"; the arena's */
    uint64_t vector_registers, scalar_registers, accumulator_registers;
    uint64_t vector_spills, scalar_spills;
    uint64_t shared, stack, arguments;
} code_object_kernel;

/* Calls `visit` for every kernel. false if there is no note or it cannot be read. */
bool code_object_visit(const unsigned char *data, size_t size, void (*visit)(void *user, const code_object_kernel *),
                       void *user);

#endif
