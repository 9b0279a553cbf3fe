/* SPDX-License-Identifier: Apache-2.0 */
/* accel_scan_values: scans of a buffer without a kernel of the user's. Sums, and products of floating-point numbers, have
 * kernels of their own. All others are one kernel, which is told how to join (src/kernels/reduce.h). */
#include <accel/pattern.h>

#include "core/algorithms/library.h"
#include "core/algorithms/operand.h"
#include "core/base/error.h"
#include "core/patterns/scan.h"
#include "kernels/reduce.h"

#include <math.h>
#include <string.h>

static const char function[] = "accel_scan_values";

static bool is_floating(uint32_t type)
{
    return type == ACCEL_TYPE_FLOAT || type == ACCEL_TYPE_DOUBLE;
}

/* Sums of integers do not depend on the sign. */
static accel_own_kernel kernel_for(uint32_t operation, uint32_t type)
{
    static const unsigned char place[] = {
        [ACCEL_TYPE_INT32] = 0,  [ACCEL_TYPE_UINT32] = 0, [ACCEL_TYPE_INT64] = 1,
        [ACCEL_TYPE_UINT64] = 1, [ACCEL_TYPE_FLOAT] = 2,  [ACCEL_TYPE_DOUBLE] = 3,
    };

    if (operation == ACCEL_OPERATION_SUM)
        return (accel_own_kernel)(ACCEL_OWN_SCAN_SUM + place[type]);
    if (operation == ACCEL_OPERATION_PROD && is_floating(type))
        return type == ACCEL_TYPE_FLOAT ? ACCEL_OWN_SCAN_PROD : ACCEL_OWN_SCAN_PROD + 1;
    return ACCEL_OWN_SCAN_ANY;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* A maximum is a minimum of negative numbers, or of integers whose bits are all changed. Integers with a sign have their
 * highest bit changed too, so they are compared as ones without. */
static void set_extreme(scan_values_args *args, bool is_maximum)
{
    const uint64_t all = accel_type_size(args->type) == 4 ? UINT32_MAX : UINT64_MAX;

    if (is_floating(args->type)) {
        args->join = SCAN_MIN_FLOATING;
        args->flip = is_maximum ? UINT64_C(1) << 63 : 0;
        args->start = bits_of((double)INFINITY);
        return;
    }
    args->join = SCAN_MIN;
    args->flip = args->type == ACCEL_TYPE_INT32 || args->type == ACCEL_TYPE_INT64 ? all / 2 + 1 : 0;
    if (is_maximum)
        args->flip ^= all;
    args->start = all;
}

static accel_status check_result(const accel_queue *queue, const accel_buffer *values, uint32_t type,
                                 const accel_buffer *result)
{
    accel_status status = accel_operand_check(function, "result", queue, result);

    if (status == ACCEL_OK)
        status = accel_operand_check_size(function, "result", result, accel_type_size(type));
    if (status == ACCEL_OK)
        status = accel_operand_check_count(function, "result", result, accel_operand_count(values));
    if (status == ACCEL_OK && result->ptr != values->ptr) /* else it is in place */
        status = accel_operand_check_apart(function, "values", values, "result", result);
    return status;
}

static accel_status check(accel_queue *queue, const accel_buffer *values, uint32_t type, uint32_t operation,
                          const accel_buffer *result, uint32_t flags)
{
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK)
        status = accel_type_check(function, type);
    if (status == ACCEL_OK)
        status = accel_operation_check(function, operation);
    if (status == ACCEL_OK)
        status = accel_scan_check_flags(function, flags);
    if (status == ACCEL_OK)
        status = accel_operand_check(function, "values", queue, values);
    if (status == ACCEL_OK)
        status = accel_operand_check_size(function, "values", values, accel_type_size(type));
    if (status == ACCEL_OK)
        status = check_result(queue, values, type, result);
    return status;
}

ACCEL_API accel_status accel_scan_values(accel_queue *queue, accel_buffer *values, uint32_t type, uint32_t operation,
                                         accel_buffer *result, uint32_t flags)
{
    reduce_values_args typed;
    scan_values_args any;
    accel_own_kernel which;
    accel_kernel *kernel;
    size_t n;
    accel_status status = check(queue, values, type, operation, result, flags);

    if (status != ACCEL_OK)
        return status;
    which = kernel_for(operation, type);
    status = accel_own_kernel_get(function, queue, which, &kernel);
    if (status != ACCEL_OK)
        return status;
    n = accel_operand_count(values);
    if (which != ACCEL_OWN_SCAN_ANY) {
        typed.values = values->ptr;
        status = accel_scan_run(queue, kernel, n, &typed, sizeof(typed), result->ptr, flags);
    } else {
        memset(&any, 0, sizeof(any));
        any.values = values->ptr;
        any.results = result->ptr;
        any.type = type;
        if (operation == ACCEL_OPERATION_PROD) {
            any.join = SCAN_PROD;
            any.start = 1;
        } else {
            set_extreme(&any, operation == ACCEL_OPERATION_MAX);
        }
        status = accel_scan_run(queue, kernel, n, &any, sizeof(any), NULL, flags);
    }
    return status == ACCEL_OK ? ACCEL_OK : accel_error_rename(status, function);
}
