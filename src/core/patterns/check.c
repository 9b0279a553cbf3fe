/* SPDX-License-Identifier: Apache-2.0 */
#include "core/patterns/check.h"

#include "core/base/error.h"
#include "core/launch/launch.h"
#include "core/patterns/place.h"

#include <string.h>

accel_status accel_pattern_check_kernel(const char *function, const accel_queue *queue, const accel_kernel *kernel)
{
    accel_status status;

    if (kernel == NULL)
        return accel_error_null(function, "kernel");
    status = accel_launch_check_queue(function, kernel, queue);
    if (status == ACCEL_OK && kernel->max_threads < ACCEL_PATTERN_THREADS)
        return accel_error_set(ACCEL_LIMIT, "%s: kernel \"%s\" needs blocks of %u threads, the limit of \"%s\" is %u",
                               function, kernel->name, ACCEL_PATTERN_THREADS, kernel->root->properties.name,
                               kernel->max_threads);
    return status;
}

accel_status accel_pattern_check_result(const char *function, const accel_kernel *kernel, const accel_buffer *result)
{
    accel_status status;
    size_t size = kernel->properties.element_size;

    if (result == NULL)
        return accel_error_null(function, "result");
    status = accel_device_usable(function, "result", result->device, result->fork_generation);
    if (status == ACCEL_OK)
        status = accel_place_check_instance(function, "the result", kernel->root, result);
    if (status != ACCEL_OK)
        return status;
    if (result->element_size != size)
        return accel_error_set(ACCEL_INVALID,
                               "%s: elements of the result buffer have %zu bytes, those of kernel \"%s\" %zu; create "
                               "it with that element size",
                               function, result->element_size, kernel->name, size);
    return ACCEL_OK;
}

size_t accel_pattern_set_args(unsigned char *all, const accel_kernel *kernel, const void *args, size_t args_size)
{
    size_t places_at = ((size_t)kernel->args_size + 7) / 8 * 8;

    if (places_at != 0)
        memset(all + places_at - 8, 0, 8); /* what is between arguments and places */
    if (args != NULL)
        memcpy(all, args, args_size);
    return places_at;
}

accel_work accel_pattern_work(const accel_kernel *kernel, size_t count)
{
    accel_work work = accel_work_1d(count, ACCEL_PATTERN_THREADS, 1);
    size_t most = kernel->max_blocks[0];

    if (count > most) {
        work.elems[0] = count / most + 1;
        work.blocks[0] = count / work.elems[0] + 1;
    }
    return work;
}
