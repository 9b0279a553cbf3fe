/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launch path. On the good path: plain loads and compares, then the call of the backend's slot with the caller's own
 * work. No atomic read-modify-write, no lock, no thread-local, no allocation, no text. Everything else is in the cold
 * functions, which check again and write the text.
 */
#include "core/launch/launch.h"

#include "core/base/error.h"
#include "core/base/struct_size.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define COLD __attribute__((cold, noinline))
#define INLINE static inline __attribute__((always_inline))

/* What kernels without arguments are handed. */
static const accel_no_args no_args;

static const char function[] = "accel_launch";

COLD static accel_status failed(accel_queue *queue, accel_status status)
{
    return accel_device_failed(function, queue->device, status);
}

/* The compares of `submit` refused it. */
COLD static accel_status refuse(const accel_kernel *kernel, const accel_work *work)
{
    accel_status status = accel_launch_check(function, kernel, work);

    if (status != ACCEL_OK)
        return status;
    for (uint32_t d = 0; d < work->dims; ++d) {
        if (work->blocks[d] == 0) /* K3 */
            return ACCEL_OK;
    }
    return accel_error_set(ACCEL_INTERNAL, "%s: kernel \"%s\" was refused without a reason; please report it", function,
                           kernel->name);
}

/* Folds dimensions above three into z. They are rare: the good path tests here what it can and leaves the rest to
 * refuse. */
__attribute__((noinline)) static bool fold(const accel_work *work, const accel_kernel *kernel, size_t *blocks,
                                           size_t *threads)
{
    size_t elems = 1;

    *blocks = *threads = 1;
    for (uint32_t d = 0; d + 2 < work->dims; ++d) {
        if (__builtin_mul_overflow(elems, work->elems[d], &elems) ||
            __builtin_mul_overflow(*blocks, work->blocks[d], blocks) ||
            __builtin_mul_overflow(*threads, work->threads[d], threads))
            return false;
    }
    return *blocks - 1 < kernel->max_blocks[2] && elems != 0;
}

/* With `dims` a constant everything here is straight-line code. */
INLINE accel_status submit(accel_queue *queue, accel_kernel *kernel, const accel_work *work, const void *args,
                           uint32_t dims)
{
    uint32_t axes = dims < 3 ? dims : 3;
    size_t threads[3] = {1, 1, 1}, blocks[3] = {1, 1, 1};
    bool good = (work->flags & ~(uint32_t)kernel->work_flags) == 0 && kernel->min_dims <= dims;

    for (uint32_t d = 0; d < axes; ++d) {
        blocks[d] = work->blocks[dims - 1 - d];
        threads[d] = work->threads[dims - 1 - d];
    }
    if (dims > 3)
        good = good && fold(work, kernel, &blocks[2], &threads[2]);
    for (uint32_t d = 0; d < axes; ++d) /* 0 blocks wrap to the largest number */
        good = good & (blocks[d] - 1 < kernel->max_blocks[d]) &
               (threads[d] - kernel->threads_low[d] <= kernel->threads_range[d]) & (work->elems[dims - 1 - d] != 0);
    if (dims > 1) /* each is at most max_threads, so the product is right if `good` is */
        good = good & (threads[0] * threads[1] * threads[2] <= kernel->max_threads);
    if (dims == 2) /* two limits of 32 bits: the product does not overflow */
        good = good & (blocks[0] * blocks[1] <= ACCEL_MAX_GRID_BLOCKS);
    if (dims > 2) {
        size_t total;
        good = good & !__builtin_mul_overflow(blocks[0] * blocks[1], blocks[2], &total);
        good = good & (total <= ACCEL_MAX_GRID_BLOCKS);
    }
    if (!LIKELY(good && work->shared_bytes <= kernel->max_shared))
        return refuse(kernel, work);

    accel_status status = queue->launch(queue->impl, kernel->impl, work, args);

    return LIKELY(status == ACCEL_OK) ? ACCEL_OK : failed(queue, status);
}

/* Out of accel_launch, so that what several dimensions need costs one dimension no registers. */
__attribute__((noinline)) static accel_status submit_dims(accel_queue *queue, accel_kernel *kernel,
                                                          const accel_work *work, const void *args)
{
    if (work->dims == 2)
        return submit(queue, kernel, work, args, 2);
    if (work->dims == 3)
        return submit(queue, kernel, work, args, 3);
    if (work->dims == 0 || work->dims > ACCEL_MAX_DIMS)
        return refuse(kernel, work);
    return submit(queue, kernel, work, args, work->dims);
}

/* A call that is wrong, or right in an uncommon way. */
COLD static accel_status launch_checked(accel_queue *queue, accel_kernel *kernel, const accel_work *given,
                                        const void *args, size_t args_size)
{
    accel_work work;
    accel_status status = accel_queue_check(function, queue);

    if (status != ACCEL_OK)
        return status;
    if (kernel == NULL)
        return accel_error_null(function, "kernel");
    if (given == NULL)
        return accel_error_null(function, "work");
    status = accel_launch_check_queue(function, kernel, queue);
    if (status == ACCEL_OK)
        status = accel_struct_import(function, "accel_work", &work, sizeof(work), given);
    if (status == ACCEL_OK)
        status = accel_kernel_check_plain(function, kernel);
    if (status == ACCEL_OK)
        status = accel_launch_check_args(function, kernel, args, args_size);
    if (status != ACCEL_OK)
        return status;
    if (args == NULL)
        args = &no_args;
    return work.dims == 1 ? submit(queue, kernel, &work, args, 1) : submit_dims(queue, kernel, &work, args);
}

ACCEL_API accel_status accel_launch(accel_queue *queue, accel_kernel *kernel, const accel_work *work, const void *args,
                                    size_t args_size)
{
    if (!LIKELY(queue != NULL && kernel != NULL && work != NULL))
        return launch_checked(queue, kernel, work, args, args_size);
    if (args_size == 0 && args == NULL && kernel->no_args != 0) {
        args = &no_args;
        args_size = sizeof(no_args);
    }
    if (!LIKELY(args != NULL && args_size == kernel->args_size && kernel->root == queue->root &&
                work->struct_size == sizeof(*work) &&
                atomic_load_explicit(&queue->fork_generation, memory_order_relaxed) == accel_guard_fork_generation &&
                atomic_load_explicit(&queue->root->lost, memory_order_relaxed) == 0 &&
                atomic_load_explicit(&accel_guard_host_functions, memory_order_relaxed) == 0))
        return launch_checked(queue, kernel, work, args, args_size);
    if (!LIKELY(work->dims == 1))
        return submit_dims(queue, kernel, work, args);
    return submit(queue, kernel, work, args, 1);
}
