/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel_range_divide: checks a range, cuts it into tiles, and divides the tiles as a work of one dimension.
 *
 * Tiles that the program leaves to the device are as long as possible along the fastest dimension. If the order is left to it,
 * that is the last one: memory is dense there, and caches and vectors are used alike on CPUs and GPUs. On CPUs a tile is small
 * enough that every core gets several and large enough that finding it costs nothing; on GPUs it is what a block's threads
 * visit at once.
 */
#include "core/launch/work_division.h"

#include "core/api/device.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"

#define CPU_TILES 8u        /* per core, at least, if there are elements enough */
#define CPU_LEAST 64u       /* elements of a tile: less than that is no loop to vectorise */
#define CPU_MOST 8192u      /* elements of a tile: more would save nothing */
#define GPU_BLOCKS 1048576u /* blocks go on to further tiles behind that */

static const char function[] = "accel_range_divide";

static accel_status check_range(const accel_range *range, size_t *elements)
{
    *elements = 1;
    if (range->dims == 0 || range->dims > ACCEL_MAX_DIMS)
        return accel_error_set(ACCEL_INVALID, "%s: dims of the accel_range is %u; 1 to %d are possible", function,
                               range->dims, ACCEL_MAX_DIMS);
    if (range->order > ACCEL_RANGE_LEFT || range->reserved != 0)
        return accel_error_set(
            ACCEL_INVALID,
            "%s: order of the accel_range is %u, and reserved %u; order is ACCEL_RANGE_DEVICE, _RIGHT or "
            "_LEFT (0 to 2), reserved 0",
            function, range->order, range->reserved);
    for (uint32_t d = 0; d < range->dims; ++d) {
        if (range->begin[d] > range->end[d])
            return accel_error_set(ACCEL_INVALID,
                                   "%s: begin[%u] of the accel_range is %zu, behind end[%u], which is %zu; "
                                   "an empty range has begin = end",
                                   function, d, range->begin[d], d, range->end[d]);
    }
    for (uint32_t d = 0; d < range->dims; ++d) {
        if (range->begin[d] == range->end[d])
            *elements = 0;
    }
    for (uint32_t d = 0; d < range->dims && *elements != 0; ++d) {
        if (__builtin_mul_overflow(*elements, range->end[d] - range->begin[d], elements))
            return accel_error_set(ACCEL_LIMIT,
                                   "%s: up to dimension %u the accel_range has more than %zu elements; "
                                   "launch over parts of it",
                                   function, d, (size_t)SIZE_MAX);
    }
    return ACCEL_OK;
}

/* Along the fastest dimension first; returns the number of tiles. */
static size_t cut(accel_range *range, size_t elements, size_t wanted, size_t least)
{
    size_t left = wanted < least ? least : wanted, tiles = elements == 0 ? 0 : 1;

    if (range->order == ACCEL_RANGE_DEVICE)
        range->order = ACCEL_RANGE_RIGHT;
    for (uint32_t k = 0; k < range->dims; ++k) {
        uint32_t d = range->order == ACCEL_RANGE_LEFT ? k : range->dims - 1 - k;
        size_t extent = range->end[d] - range->begin[d];

        if (range->tile[d] == 0)
            range->tile[d] = left;
        if (range->tile[d] > extent)
            range->tile[d] = extent;
        if (range->tile[d] == 0) /* of an empty range */
            range->tile[d] = 1;
        left = left > range->tile[d] ? left / range->tile[d] : 1;
        tiles *= accel_divide_up(extent, range->tile[d]);
    }
    for (uint32_t d = range->dims; d < ACCEL_MAX_DIMS; ++d)
        range->begin[d] = range->end[d] = range->tile[d] = 0;
    return tiles;
}

static size_t tile_elements(const accel_range *range)
{
    size_t elements = 1;

    for (uint32_t d = 0; d < range->dims; ++d)
        elements *= range->tile[d];
    return elements;
}

/* Every core gets tiles, and they are contiguous where the cores are few. */
static accel_status divide_for_cpu(accel_kernel *kernel, accel_range *range, size_t elements, accel_divide_desc *wish,
                                   accel_work *work)
{
    size_t units = kernel->origin.device->properties.compute_units;
    size_t wanted = elements / (CPU_TILES * (units != 0 ? units : 1));
    size_t tiles = cut(range, elements, wanted < CPU_MOST ? wanted : CPU_MOST, CPU_LEAST);

    wish->elem_ns = accel_saturate(wish->elem_ns, tile_elements(range));
    return accel_work_divide(kernel, 1, &tiles, wish, work);
}

/* One block per tile. How many threads suit the kernel, a division of many elements tells. */
static accel_status divide_for_gpu(accel_kernel *kernel, accel_range *range, size_t elements, accel_divide_desc *wish,
                                   accel_work *work)
{
    size_t many = (size_t)GPU_BLOCKS * 1024, tiles;
    accel_status status = accel_work_divide(kernel, 1, &many, wish, work);

    if (status != ACCEL_OK)
        return status;
    wish->threads[0] = work->threads[0];
    wish->elems[0] = 1;
    tiles = cut(range, elements, work->threads[0], 1);
    tiles = (tiles < GPU_BLOCKS ? tiles : GPU_BLOCKS) * work->threads[0];
    return accel_work_divide(kernel, 1, &tiles, wish, work);
}

ACCEL_API accel_status accel_range_divide(accel_kernel *kernel, accel_range *given, const accel_divide_desc *wishes,
                                          accel_work *out)
{
    accel_status status = accel_guard_check(function);
    accel_divide_desc wish;
    accel_range range;
    accel_work work = ACCEL_WORK_INIT;
    size_t elements;

    if (status != ACCEL_OK)
        return status;
    if (kernel == NULL || given == NULL || out == NULL)
        return accel_error_null(function, kernel == NULL ? "kernel" : given == NULL ? "range" : "work");
    status = accel_device_usable(function, "kernel", kernel->origin.device, kernel->origin.fork_generation);
    if (status == ACCEL_OK)
        status = accel_struct_import(function, "accel_range", &range, sizeof(range), given);
    if (status == ACCEL_OK)
        status = accel_struct_import(function, "accel_divide_desc", &wish, sizeof(wish), wishes);
    if (status == ACCEL_OK)
        status = check_range(&range, &elements);
    if (status != ACCEL_OK)
        return status;
    if (kernel->origin.device->properties.kind == ACCEL_DEVICE_CPU)
        status = divide_for_cpu(kernel, &range, elements, &wish, &work);
    else
        status = divide_for_gpu(kernel, &range, elements, &wish, &work);
    if (status != ACCEL_OK)
        return accel_error_rename(status, function);
    status = accel_struct_export(function, "accel_work", out, &work, sizeof(work));
    if (status == ACCEL_OK)
        status = accel_struct_export(function, "accel_range", given, &range, sizeof(range));
    return status;
}
