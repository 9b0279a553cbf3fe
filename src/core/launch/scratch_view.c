/* SPDX-License-Identifier: Apache-2.0 */
/* accel_scratch_prepare: what blocks and threads of a launch wish of memory becomes shared memory and a buffer. */
#include <accel/pattern.h>

#include "core/api/queue.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"

static const char function[] = "accel_scratch_prepare";

enum { ALIGNMENT = 16, STRIDE = 128 /* blocks share no cache line on level 1 */ };

/* The product, or ACCEL_LIMIT. */
static accel_status product(const char *what, const size_t extent[ACCEL_MAX_DIMS], uint32_t dims, uint64_t *out)
{
    *out = 1;
    for (uint32_t d = 0; d < dims; ++d) {
        if (__builtin_mul_overflow(*out, extent[d], out))
            return accel_error_set(ACCEL_LIMIT,
                                   "%s: up to dimension %u the accel_work has more than 2^64 %s; divide it into fewer",
                                   function, d, what);
    }
    return ACCEL_OK;
}

static bool round_up(uint64_t *bytes, uint64_t unit)
{
    if (__builtin_add_overflow(*bytes, unit - 1, bytes))
        return false;
    *bytes = *bytes / unit * unit;
    return true;
}

/* Bytes of a block on this level. */
static accel_status size_of(accel_scratch_view *view, int level, uint64_t threads, uint64_t unit, uint64_t *bytes)
{
    const uint64_t of_block = view->block_bytes[level], of_thread = view->thread_bytes[level];

    if (round_up(&view->block_bytes[level], ALIGNMENT) && round_up(&view->thread_bytes[level], ALIGNMENT) &&
        !__builtin_mul_overflow(view->thread_bytes[level], threads, bytes) &&
        !__builtin_add_overflow(*bytes, view->block_bytes[level], bytes) && round_up(bytes, unit))
        return ACCEL_OK;
    return accel_error_set(ACCEL_LIMIT,
                           "%s: %llu bytes of a block and %llu of each of its %llu threads on level %d are more than "
                           "2^64; wish for less",
                           function, (unsigned long long)of_block, (unsigned long long)of_thread,
                           (unsigned long long)threads, level);
}

static accel_status allocate(accel_queue *queue, uint64_t blocks, uint64_t stride, accel_buffer **out)
{
    uint64_t bytes;
    accel_buffer_desc desc = ACCEL_BUFFER_DESC_INIT;
    accel_status status;

    if (__builtin_mul_overflow(blocks, stride, &bytes))
        return accel_error_set(ACCEL_LIMIT,
                               "%s: %llu blocks with %llu bytes each on level 1 have more than 2^64; wish for less, or "
                               "divide the work into fewer blocks",
                               function, (unsigned long long)blocks, (unsigned long long)stride);
    desc = accel_buffer_1d(1, bytes);
    status = accel_buffer_create_async(queue, &desc, out);
    return status == ACCEL_OK ? ACCEL_OK : accel_error_rename(status, function);
}

static accel_status check(const accel_work *given_work, const accel_scratch_view *given, accel_buffer *const *out,
                          accel_work *work, accel_scratch_view *view)
{
    accel_status status;

    if (given_work == NULL)
        return accel_error_null(function, "work");
    if (given == NULL)
        return accel_error_null(function, "scratch");
    if (out == NULL)
        return accel_error_null(function, "memory");
    status = accel_struct_import(function, "accel_work", work, sizeof(*work), given_work);
    if (status == ACCEL_OK)
        status = accel_struct_import(function, "accel_scratch_view", view, sizeof(*view), given);
    if (status == ACCEL_OK && (work->dims == 0 || work->dims > ACCEL_MAX_DIMS))
        return accel_error_set(ACCEL_INVALID, "%s: dims of the accel_work is %u; 1 to %d are possible", function,
                               work->dims, ACCEL_MAX_DIMS);
    if (status == ACCEL_OK && (view->reserved_32 != 0 || view->reserved[0] != 0 || view->reserved[1] != 0))
        return accel_error_set(ACCEL_INVALID,
                               "%s: reserved fields of the accel_scratch_view are not 0; initialise it with "
                               "ACCEL_SCRATCH_VIEW_INIT",
                               function);
    return status;
}

ACCEL_API accel_status accel_scratch_prepare(accel_queue *queue, accel_work *given_work, accel_scratch_view *given,
                                             accel_buffer **out)
{
    accel_work work;
    accel_scratch_view view;
    accel_buffer *memory = NULL;
    uint64_t threads = 0, blocks = 0, shared = 0;
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK)
        status = check(given_work, given, out, &work, &view);
    if (status == ACCEL_OK)
        status = product("threads of a block", work.threads, work.dims, &threads);
    if (status == ACCEL_OK)
        status = product("blocks", work.blocks, work.dims, &blocks);
    if (status == ACCEL_OK)
        status = size_of(&view, 0, threads, ALIGNMENT, &shared);
    if (status == ACCEL_OK)
        status = size_of(&view, 1, threads, STRIDE, &view.stride);
    if (status == ACCEL_OK && blocks != 0 && view.stride != 0)
        status = allocate(queue, blocks, view.stride, &memory);
    if (status != ACCEL_OK)
        return status;
    work.shared_bytes = shared;
    view.memory = memory != NULL ? accel_buffer_ptr(memory) : NULL;
    accel_struct_export(function, "accel_work", given_work, &work, sizeof(work));
    accel_struct_export(function, "accel_scratch_view", given, &view, sizeof(view));
    *out = memory;
    return ACCEL_OK;
}
