/* SPDX-License-Identifier: Apache-2.0 */
/* Extents and pitches: how the elements of a buffer lie in memory. Every product is checked. */
#ifndef ACCEL_CORE_EXTENT_H
#define ACCEL_CORE_EXTENT_H

#include <accel/accel.h>

/* Checks the layout that a descriptor asks for (dimensions, element size, given pitches) and chooses the pitches that are 0:
 * rows of more than one dimension are padded to row_alignment where that is worth it. Writes the pitches, and the bytes from
 * the first element to the end of the last row's padding; 0 without elements. ACCEL_INVALID, or ACCEL_LIMIT on overflow. */
accel_status accel_extent_layout(const char *function, const accel_buffer_desc *, size_t row_alignment,
                                 size_t pitch[ACCEL_MAX_DIMS], size_t *bytes);
/* True if an extent is 0. */
static inline bool accel_extent_empty(uint32_t dims, const size_t extent[])
{
    for (uint32_t d = 0; d < dims; ++d) {
        if (extent[d] == 0)
            return true;
    }
    return false;
}
/* Bytes from the first one that is addressed to the last, 0 if there is none. The layout was checked. */
size_t accel_extent_span(uint32_t dims, const size_t extent[], const size_t pitch[], size_t element_size);
/* Bytes of all elements if they lie without gaps, else 0; 0 without elements, too. */
size_t accel_extent_dense(uint32_t dims, const size_t extent[], const size_t pitch[], size_t element_size);
/* "4x8x2". */
const char *accel_extent_text(uint32_t dims, const size_t extent[], char text[144]);

#endif
