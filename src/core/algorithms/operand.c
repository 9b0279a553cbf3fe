/* SPDX-License-Identifier: Apache-2.0 */
#include "core/algorithms/operand.h"

#include "core/base/error.h"
#include "core/patterns/place.h"
#include "core/memory/region.h"

static const struct {
    const char *name;
    size_t size;
} types[] = {
    [ACCEL_TYPE_INT32] = {"int32", 4},   [ACCEL_TYPE_UINT32] = {"uint32", 4}, [ACCEL_TYPE_INT64] = {"int64", 8},
    [ACCEL_TYPE_UINT64] = {"uint64", 8}, [ACCEL_TYPE_FLOAT] = {"float", 4},   [ACCEL_TYPE_DOUBLE] = {"double", 8},
};

const char *accel_type_name(uint32_t type)
{
    return type < sizeof(types) / sizeof(types[0]) ? types[type].name : NULL;
}

size_t accel_type_size(uint32_t type)
{
    return accel_type_name(type) != NULL ? types[type].size : 0;
}

accel_status accel_type_check(const char *function, uint32_t type)
{
    if (accel_type_name(type) != NULL)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID, "%s: type is %u; give one of enum accel_type, ACCEL_TYPE_INT32 to _DOUBLE",
                           function, type);
}

accel_status accel_operation_check(const char *function, uint32_t operation)
{
    if (operation >= ACCEL_OPERATION_SUM && operation <= ACCEL_OPERATION_MAX)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID,
                           "%s: operation is %u; give one of enum accel_operation, ACCEL_OPERATION_SUM to _MAX",
                           function, operation);
}

size_t accel_operand_count(const accel_buffer *buffer)
{
    size_t count = 1;

    for (uint32_t d = 0; d < buffer->dims; ++d)
        count *= buffer->extent[d]; /* of memory that exists */
    return count;
}

/* May kernels of the queue use it? */
static accel_status check_use(const char *function, const char *what, const accel_queue *queue,
                              const accel_buffer *buffer)
{
    accel_status status;

    if (buffer == NULL)
        return accel_error_null(function, what);
    status = accel_device_usable(function, what, buffer->device, buffer->fork_generation);
    if (status != ACCEL_OK || accel_place_is_direct(queue, buffer))
        return status;
    return accel_place_refused(function, what, queue, buffer);
}

/* Without elements there are no gaps. */
static bool is_dense(const accel_buffer *buffer)
{
    size_t bytes = buffer->element_size;

    if (accel_buffer_empty(buffer))
        return true;
    for (uint32_t d = buffer->dims; d-- > 0; bytes *= buffer->extent[d]) {
        if (buffer->extent[d] > 1 && buffer->pitch[d] != bytes)
            return false;
    }
    return true;
}

accel_status accel_operand_check(const char *function, const char *what, const accel_queue *queue,
                                 const accel_buffer *buffer)
{
    char text[320];
    accel_status status = check_use(function, what, queue, buffer);

    if (status != ACCEL_OK || is_dense(buffer))
        return status;
    return accel_error_set(ACCEL_INVALID,
                           "%s: %s, a %s, has gaps between its rows; copy it to a buffer whose pitches are those of "
                           "dense rows",
                           function, what, accel_buffer_text(buffer, text));
}

accel_status accel_operand_check_matrix(const char *function, const char *what, const accel_queue *queue,
                                        const accel_buffer *buffer)
{
    char text[320];
    accel_status status = check_use(function, what, queue, buffer);

    if (status != ACCEL_OK || buffer->dims == 2)
        return status;
    return accel_error_set(ACCEL_INVALID, "%s: %s, a %s, has %u dimensions, and 2 are needed; create it with 2",
                           function, what, accel_buffer_text(buffer, text), buffer->dims);
}

accel_status accel_operand_check_size(const char *function, const char *what, const accel_buffer *buffer, size_t size)
{
    if (buffer->element_size == size)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID,
                           "%s: elements of %s have %zu bytes, and %zu are needed; create it with that element size",
                           function, what, buffer->element_size, size);
}

accel_status accel_operand_check_counts(const char *function, const char *what, const accel_buffer *buffer)
{
    if (buffer->element_size == 4 || buffer->element_size == 8)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID,
                           "%s: elements of %s have %zu bytes; create it with elements of 4 or 8 bytes, uint32_t or "
                           "uint64_t",
                           function, what, buffer->element_size);
}

accel_status accel_operand_check_count(const char *function, const char *what, const accel_buffer *buffer, size_t count)
{
    size_t has = accel_operand_count(buffer);

    if (has >= count)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID, "%s: %s has %zu elements, and %zu are needed; create it with as many",
                           function, what, has, count);
}

size_t accel_operand_unit(const accel_buffer *buffer)
{
    size_t unit = 8;

    while (buffer->element_size % unit != 0 || (uintptr_t)buffer->ptr % unit != 0)
        unit /= 2;
    return unit;
}

accel_status accel_operand_check_apart(const char *function, const char *what, const accel_buffer *a, const char *other,
                                       const accel_buffer *b)
{
    accel_region of_a, of_b;

    if (accel_buffer_empty(a) || accel_buffer_empty(b))
        return ACCEL_OK;
    accel_region_make(&of_a, a->dims, a->extent, a->pitch, a->element_size);
    accel_region_make(&of_b, b->dims, b->extent, b->pitch, b->element_size);
    if (!accel_region_overlap((uintptr_t)a->ptr, &of_a, (uintptr_t)b->ptr, &of_b))
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID, "%s: %s and %s share memory; use buffers that do not overlap", function, what,
                           other);
}
