/* SPDX-License-Identifier: Apache-2.0 */
#include "core/launch/launch.h"

#include "core/api/released.h"
#include "core/base/error.h"

/* x, y, z of a work division's dimensions; false if the product in z overflows. */
static bool fold(const size_t values[], uint32_t dims, size_t folded[3])
{
    folded[0] = values[dims - 1];
    folded[1] = dims > 1 ? values[dims - 2] : 1;
    folded[2] = 1;
    for (uint32_t d = 0; d + 2 < dims; ++d) {
        if (__builtin_mul_overflow(folded[2], values[d], &folded[2]))
            return false;
    }
    return true;
}

static accel_status check_threads(const char *function, const accel_kernel *kernel, const size_t threads[3])
{
    const char *axis = "xyz";

    for (uint32_t d = 0; d < 3; ++d) {
        size_t low = kernel->threads_low[d], high = low + kernel->threads_range[d];
        if (threads[d] >= low && threads[d] <= high)
            continue;
        if (kernel->properties.fixed_block[0] != 0)
            return accel_error_set(
                ACCEL_LIMIT,
                "%s: kernel \"%s\" is compiled for blocks of %u x %u x %u threads (x, y, z), not %zu x %zu x %zu; use "
                "these, or accel_work_divide",
                function, kernel->name, kernel->threads_low[0], kernel->threads_low[1], kernel->threads_low[2],
                threads[0], threads[1], threads[2]);
        return accel_error_set(
            ACCEL_LIMIT,
            "%s: kernel \"%s\": %zu threads per block in %c, the limit of \"%s\" is %zu; use fewer, or "
            "leave the number to accel_work_divide (threads 0)",
            function, kernel->name, threads[d], axis[d], kernel->root->properties.name, high);
    }
    if (threads[0] * threads[1] * threads[2] > kernel->max_threads)
        return accel_error_set(
            ACCEL_LIMIT,
            "%s: kernel \"%s\": %zu x %zu x %zu = %zu threads per block, the limit on \"%s\" is %u; use fewer, or "
            "leave the number to accel_work_divide (threads 0)",
            function, kernel->name, threads[0], threads[1], threads[2], threads[0] * threads[1] * threads[2],
            kernel->root->properties.name, kernel->max_threads);
    return ACCEL_OK;
}

static accel_status check_blocks(const char *function, const accel_kernel *kernel, const size_t blocks[3])
{
    const char *axis = "xyz";
    size_t total;

    for (uint32_t d = 0; d < 3; ++d) {
        if (blocks[d] > kernel->max_blocks[d])
            return accel_error_set(
                ACCEL_LIMIT,
                "%s: kernel \"%s\": %zu blocks in %c, the limit of \"%s\" is %u; give each thread more elements",
                function, kernel->name, blocks[d], axis[d], kernel->root->properties.name, kernel->max_blocks[d]);
    }
    if (__builtin_mul_overflow(blocks[0] * blocks[1], blocks[2], &total) || total > ACCEL_MAX_GRID_BLOCKS)
        return accel_error_set(
            ACCEL_LIMIT,
            "%s: kernel \"%s\": %zu x %zu x %zu blocks; a grid has fewer than 2^63: give each thread more "
            "elements",
            function, kernel->name, blocks[0], blocks[1], blocks[2]);
    return ACCEL_OK;
}

/* What is wrong on every device. */
static accel_status check_shape(const char *function, const accel_kernel *kernel, const accel_work *work)
{
    if ((work->flags & ~(uint32_t)ACCEL_WORK_COOPERATIVE) != 0)
        return accel_error_set(
            ACCEL_INVALID, "%s: kernel \"%s\": flags of the work are 0x%x; only ACCEL_WORK_COOPERATIVE (0x%x) is known",
            function, kernel->name, work->flags, ACCEL_WORK_COOPERATIVE);
    if ((work->flags & ~(uint32_t)kernel->work_flags) != 0)
        return accel_error_set(ACCEL_UNSUPPORTED,
                               "%s: kernel \"%s\": \"%s\" has no cooperative launches (ACCEL_FEATURE_COOPERATIVE): its "
                               "blocks do not all run "
                               "at the same time; launch once for each step instead of waiting for other blocks",
                               function, kernel->name, kernel->root->properties.name);
    if (work->dims == 0 || work->dims > ACCEL_MAX_DIMS)
        return accel_error_set(ACCEL_INVALID, "%s: kernel \"%s\": dims of the work is %u; 1 to %d are possible",
                               function, kernel->name, work->dims, ACCEL_MAX_DIMS);
    for (uint32_t d = 0; d < work->dims; ++d) {
        if (work->threads[d] == 0 || work->elems[d] == 0)
            return accel_error_set(ACCEL_INVALID, "%s: kernel \"%s\": %s[%u] of the work is 0; at least 1 is needed",
                                   function, kernel->name, work->threads[d] == 0 ? "threads" : "elems", d);
    }
    return ACCEL_OK;
}

accel_status accel_launch_check(const char *function, const accel_kernel *kernel, const accel_work *work)
{
    size_t blocks[3], threads[3], elems[3];
    accel_status status = accel_kernel_check_plain(function, kernel);

    if (status == ACCEL_OK)
        status = check_shape(function, kernel, work);
    if (status != ACCEL_OK)
        return status;
    if (!fold(work->blocks, work->dims, blocks) || !fold(work->threads, work->dims, threads) ||
        !fold(work->elems, work->dims, elems))
        return accel_error_set(
            ACCEL_LIMIT,
            "%s: kernel \"%s\": the product of blocks, threads or elems of dimensions 0 to %u, which fold "
            "into z, is more than 2^64; make one of them smaller",
            function, kernel->name, work->dims - 3);
    status = check_threads(function, kernel, threads);
    if (status == ACCEL_OK)
        status = check_blocks(function, kernel, blocks);
    if (status == ACCEL_OK && work->shared_bytes > kernel->max_shared)
        return accel_error_set(ACCEL_LIMIT,
                               "%s: kernel \"%s\": %zu bytes of dynamic shared memory, the limit on \"%s\" is %zu "
                               "(beside %zu static ones); use smaller blocks or tiles",
                               function, kernel->name, work->shared_bytes, kernel->root->properties.name,
                               kernel->max_shared, kernel->properties.shared_bytes);
    return status;
}

accel_status accel_launch_check_queue(const char *function, const accel_kernel *kernel, const accel_queue *queue)
{
    if (kernel->root == queue->root)
        return ACCEL_OK;
    if (accel_is_released(kernel->origin.fork_generation))
        return accel_released_use(function, kernel->origin.fork_generation);
    return accel_error_set(
        ACCEL_INVALID,
        "%s: kernel \"%s\" was loaded for \"%s\"%s, the queue is of \"%s\"; load its module for the queue's device",
        function, kernel->name, kernel->root->properties.name, accel_queue_elsewhere(queue, kernel->root),
        queue->device->properties.name);
}

accel_status accel_launch_check_args(const char *function, const accel_kernel *kernel, const void *args,
                                     size_t args_size)
{
    if (args == NULL && args_size == 0 && kernel->no_args != 0)
        return ACCEL_OK;
    if (args_size != kernel->args_size)
        return accel_error_set(
            ACCEL_INVALID,
            "%s: args_size is %zu, but the argument struct of kernel \"%s\" has %u bytes%s; pass sizeof of that "
            "struct, and build host and kernel with the same header",
            function, args_size, kernel->name, kernel->args_size, kernel->no_args != 0 ? " (or pass NULL, 0)" : "");
    return args != NULL ? ACCEL_OK : accel_error_null(function, "args");
}
