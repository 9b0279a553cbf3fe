/* SPDX-License-Identifier: Apache-2.0 */
/* What a code object of AMD's says of itself: the note of metadata that compilers write since code object version 3. */
#ifndef ACCEL_GPU_HIP_NOTE_H
#define ACCEL_GPU_HIP_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hip_note {
    char target[64]; /* "gfx90a:xnack-", what it was made for; "" if it is not told */
    uint32_t lanes;  /* of a warp, if its kernels were all made for the same number; 0 if not, or not told */
} hip_note;

/* All unknown for what is no such object, or has no such note. Nothing in the file is trusted. */
hip_note hip_note_read(const void *data, size_t size);

#endif
