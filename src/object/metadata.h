/* SPDX-License-Identifier: Apache-2.0 */
/* What a code object of AMD's says of itself and its kernels: its NT_AMDGPU_METADATA note, which compilers write since code
 * object version 3. */
#ifndef ACCEL_OBJECT_METADATA_H
#define ACCEL_OBJECT_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { METADATA_TARGET_SIZE = 64 };

/* One kernel. Sizes are in bytes; what is not told is 0. */
typedef struct metadata_kernel {
    const char *name; /* the function's, "accel_kernel_axpy": name_length characters of the object, not terminated */
    size_t name_length;
    uint64_t lanes; /* of a warp */
    uint64_t vector_registers, scalar_registers, accumulator_registers;
    uint64_t vector_spills, scalar_spills;
    uint64_t shared, stack, arguments;
} metadata_kernel;

typedef void (*metadata_visitor)(void *user, const metadata_kernel *);

/* Writes what the object was made for ("gfx90a:xnack-"; "" if it is not told) and shows every kernel. Returns false if it is
 * no such object, has no such note, or the note cannot be read to its end. Nothing in the file is trusted. */
bool metadata_read(const void *data, size_t size, char target[METADATA_TARGET_SIZE], metadata_visitor visit,
                   void *user);

#endif
