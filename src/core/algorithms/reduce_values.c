/* SPDX-License-Identifier: Apache-2.0 */
/* accel_reduce_values: reductions of a buffer without a kernel of the user's. */
#include <accel/pattern.h>

#include "core/algorithms/library.h"
#include "core/algorithms/operand.h"
#include "core/base/error.h"
#include "kernels/reduce.h"

static const char function[] = "accel_reduce_values";

/* Sums and products of integers do not depend on the sign. */
static accel_own_kernel kernel_for(uint32_t operation, uint32_t type)
{
    static const unsigned char unsigned_place[] = {
        [ACCEL_TYPE_INT32] = 0,  [ACCEL_TYPE_UINT32] = 0, [ACCEL_TYPE_INT64] = 1,
        [ACCEL_TYPE_UINT64] = 1, [ACCEL_TYPE_FLOAT] = 2,  [ACCEL_TYPE_DOUBLE] = 3,
    };

    switch (operation) {
    case ACCEL_OPERATION_SUM:
        return (accel_own_kernel)(ACCEL_OWN_SUM + unsigned_place[type]);
    case ACCEL_OPERATION_PROD:
        return (accel_own_kernel)(ACCEL_OWN_PROD + unsigned_place[type]);
    case ACCEL_OPERATION_MIN:
        return (accel_own_kernel)(ACCEL_OWN_MIN + (type - ACCEL_TYPE_INT32));
    default:
        return (accel_own_kernel)(ACCEL_OWN_MAX + (type - ACCEL_TYPE_INT32));
    }
}

static accel_status check(accel_queue *queue, const accel_buffer *values, uint32_t type, uint32_t operation)
{
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK)
        status = accel_type_check(function, type);
    if (status == ACCEL_OK)
        status = accel_operation_check(function, operation);
    if (status == ACCEL_OK)
        status = accel_operand_check(function, "values", queue, values);
    if (status == ACCEL_OK)
        status = accel_operand_check_size(function, "values", values, accel_type_size(type));
    return status;
}

ACCEL_API accel_status accel_reduce_values(accel_queue *queue, accel_buffer *values, uint32_t type, uint32_t operation,
                                           accel_buffer *result)
{
    reduce_values_args args;
    accel_kernel *kernel;
    size_t n;
    accel_status status = check(queue, values, type, operation);

    if (status == ACCEL_OK)
        status = accel_own_kernel_get(function, queue, kernel_for(operation, type), &kernel);
    if (status != ACCEL_OK)
        return status;
    args.values = values->ptr;
    n = accel_operand_count(values);
    status = accel_reduce(queue, kernel, 1, &n, &args, sizeof(args), result);
    return status == ACCEL_OK ? ACCEL_OK : accel_error_rename(status, function);
}
