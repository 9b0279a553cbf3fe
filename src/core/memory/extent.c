/* SPDX-License-Identifier: Apache-2.0 */
#include "core/memory/extent.h"

#include "core/base/error.h"

#include <stdio.h>

/* Rows are padded to the common multiple of alignment and element size, up to this many bytes: beyond, padding costs
 * more than aligned rows gain. */
#define LARGEST_ROW_MULTIPLE 4096u

size_t accel_extent_span(uint32_t dims, const size_t extent[], const size_t pitch[], size_t element_size)
{
    size_t span = element_size;

    if (accel_extent_empty(dims, extent))
        return 0;
    for (uint32_t d = 0; d < dims; ++d)
        span += (extent[d] - 1) * pitch[d];
    return span;
}

size_t accel_extent_dense(uint32_t dims, const size_t extent[], const size_t pitch[], size_t element_size)
{
    size_t bytes = element_size;

    for (uint32_t d = dims; d-- > 0;) {
        if (extent[d] > 1 && pitch[d] != bytes)
            return 0;
        bytes *= extent[d];
    }
    return bytes;
}

const char *accel_extent_text(uint32_t dims, const size_t extent[], char text[144])
{
    size_t at = 0;

    text[0] = '\0';
    for (uint32_t d = 0; d < dims && d < ACCEL_MAX_DIMS; ++d)
        at += (size_t)snprintf(text + at, 144 - at, d == 0 ? "%zu" : "x%zu", extent[d]);
    return text;
}

/* What the length of a row is rounded up to. */
static size_t row_multiple(size_t row, size_t element_size, size_t alignment)
{
    size_t a = alignment, b = element_size;

    if (alignment <= 1 || row < alignment || element_size > LARGEST_ROW_MULTIPLE)
        return 1;
    while (b != 0) { /* greatest common divisor, in a */
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    size_t multiple = alignment / a * element_size;
    return multiple <= LARGEST_ROW_MULTIPLE ? multiple : 1;
}

static accel_status too_large(const char *function, const accel_buffer_desc *desc)
{
    char text[144];

    return accel_error_set(ACCEL_LIMIT,
                           "%s: %s elements of %zu bytes are more than an address space holds (%zu "
                           "bytes); check the extents, or divide the data",
                           function, accel_extent_text(desc->dims, desc->extent, text), desc->element_size,
                           (size_t)PTRDIFF_MAX);
}

static accel_status too_far(const char *function, const accel_buffer_desc *desc, uint32_t d)
{
    return accel_error_set(ACCEL_LIMIT,
                           "%s: extent[%u] %zu with a pitch[%u] of %zu bytes is more than an address space holds (%zu "
                           "bytes); make one smaller",
                           function, d, desc->extent[d], d, desc->pitch[d], (size_t)PTRDIFF_MAX);
}

static accel_status check_shape(const char *function, const accel_buffer_desc *desc)
{
    uint32_t last = desc->dims - 1;

    if (desc->element_size == 0)
        return accel_error_set(ACCEL_INVALID, "%s: element_size is 0; give the bytes of one element", function);
    if (desc->dims == 0 || desc->dims > ACCEL_MAX_DIMS)
        return accel_error_set(ACCEL_INVALID, "%s: dims is %u; 1 to %d are possible", function, desc->dims,
                               ACCEL_MAX_DIMS);
    if (desc->pitch[last] != 0 && desc->pitch[last] != desc->element_size)
        return accel_error_set(
            ACCEL_INVALID,
            "%s: pitch[%u] is %zu; elements of the last dimension lie densely: give 0 or the element size, %zu",
            function, last, desc->pitch[last], desc->element_size);
    return ACCEL_OK;
}

/* The pitch of dimension d: what the inner dimensions take with their padding, unless the caller gave one, which need
 * not leave room for the padding behind the last inner index. */
static accel_status choose_pitch(const char *function, const accel_buffer_desc *desc, uint32_t d, size_t padded,
                                 size_t inner, size_t multiple, size_t *pitch)
{
    if (desc->pitch[d] == 0) {
        if (__builtin_add_overflow(padded, multiple - 1, &padded))
            return too_large(function, desc);
        *pitch = padded / multiple * multiple;
        return ACCEL_OK;
    }
    if (desc->pitch[d] % desc->element_size != 0)
        return accel_error_set(ACCEL_INVALID,
                               "%s: pitch[%u] is %zu, no multiple of the element size, %zu bytes; give one, or 0",
                               function, d, desc->pitch[d], desc->element_size);
    if (desc->pitch[d] < inner)
        return accel_error_set(
            ACCEL_INVALID,
            "%s: pitch[%u] is %zu, less than the %zu bytes that one index of dimension %u takes; give at "
            "least these, or 0",
            function, d, desc->pitch[d], inner, d);
    *pitch = desc->pitch[d];
    return ACCEL_OK;
}

accel_status accel_extent_layout(const char *function, const accel_buffer_desc *desc, size_t row_alignment,
                                 size_t pitch[ACCEL_MAX_DIMS], size_t *bytes)
{
    accel_status status = check_shape(function, desc);

    if (status != ACCEL_OK)
        return status;

    uint32_t last = desc->dims - 1;
    size_t total = desc->element_size; /* of one index of the dimension above, with the padding of the inner ones */
    size_t span = desc->element_size;  /* without what lies behind its last element */

    for (uint32_t i = 0; i < desc->dims; ++i) {
        uint32_t d = last - i;
        size_t multiple = i == 1 ? row_multiple(total, desc->element_size, row_alignment) : 1;
        if (i == 0)
            pitch[d] = desc->element_size;
        else
            status = choose_pitch(function, desc, d, total, span, multiple, &pitch[d]);
        if (status != ACCEL_OK)
            return status;
        /* An extent of 0 counts as 1, so that pitches stay sensible and absurd extents beside it are still found. */
        size_t extent = desc->extent[d] != 0 ? desc->extent[d] : 1;
        if (__builtin_mul_overflow(pitch[d], extent, &total) || total > PTRDIFF_MAX)
            return i != 0 && desc->pitch[d] != 0 ? too_far(function, desc, d) : too_large(function, desc);
        span += pitch[d] * (extent - 1);
    }
    for (uint32_t d = desc->dims; d < ACCEL_MAX_DIMS; ++d)
        pitch[d] = 0;
    *bytes = accel_extent_empty(desc->dims, desc->extent) ? 0 : total;
    return ACCEL_OK;
}
