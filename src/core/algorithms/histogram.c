/* SPDX-License-Identifier: Apache-2.0 */
/* accel_histogram: a launch that clears the counts, and one that counts. */
#include "core/algorithms/library.h"
#include "core/algorithms/operand.h"
#include "core/base/divide.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"
#include "core/launch/launch.h"
#include "core/patterns/scratch.h"
#include "kernels/histogram.h"

#include <math.h>
#include <string.h>

static const char function[] = "accel_histogram";

enum {
    UNIT_BLOCKS = 8,     /* blocks per compute unit of a GPU */
    CPU_BLOCKS = 4,      /* blocks per CPU */
    LEAST_SHARE = 16384, /* fewer values do not repay another block, about */
    CPU_COPIES = 4,      /* what a CPU counts at a time without waiting, if it stays in the first cache */
    COPIES_BYTES = 16384,
    CPU_BYTES = 1 << 20 /* a block's counts stay in the second cache */
};

static accel_status check_desc(const accel_histogram_desc *desc, size_t bins, double *scale)
{
    double width = desc->high - desc->low;

    *scale = 0;
    if (desc->edges != NULL)
        return ACCEL_OK;
    *scale = (double)bins / width;
    if (desc->low < desc->high && isfinite(desc->low) && isfinite(width) && isfinite(*scale))
        return ACCEL_OK;
    if (desc->low < desc->high && isfinite(desc->low) && isfinite(desc->high))
        return accel_error_set(ACCEL_INVALID, "%s: %zu even bins from desc.low %g to high %g: %s; give desc.edges",
                               function, bins, desc->low, desc->high,
                               isfinite(width) ? "they are too narrow" : "high - low is more than a double can be");
    return accel_error_set(ACCEL_INVALID,
                           "%s: desc.low is %g and high %g; the bins need a range of finite numbers, low before high",
                           function, desc->low, desc->high);
}

static accel_status check_edges(const accel_queue *queue, const accel_buffer *edges, size_t bins)
{
    accel_status status;

    if (edges == NULL)
        return ACCEL_OK;
    status = accel_operand_check(function, "desc.edges", queue, edges);
    if (status == ACCEL_OK)
        status = accel_operand_check_size(function, "desc.edges", edges, sizeof(double));
    if (status == ACCEL_OK)
        status = accel_operand_check_count(function, "desc.edges", edges, bins + 1);
    return status;
}

static accel_status check_counts(const accel_queue *queue, const accel_buffer *values, const accel_buffer *edges,
                                 const accel_buffer *counts)
{
    accel_status status = accel_operand_check(function, "counts", queue, counts);

    if (status == ACCEL_OK)
        status = accel_operand_check_counts(function, "counts", counts);
    if (status == ACCEL_OK && accel_operand_count(counts) >= INT32_MAX)
        return accel_error_set(ACCEL_LIMIT, "%s: counts has %zu elements; at most 2^31 - 2 bins are possible", function,
                               accel_operand_count(counts));
    if (status == ACCEL_OK)
        status = accel_operand_check_apart(function, "values", values, "counts", counts);
    if (status == ACCEL_OK && edges != NULL)
        status = accel_operand_check_apart(function, "desc.edges", edges, "counts", counts);
    return status;
}

/* Blocks, and what they count in. */
static accel_work divide(const accel_queue *queue, const accel_kernel *kernel, histogram_args *args)
{
    const accel_device_properties *device = &queue->device->properties;
    size_t units = accel_device_units(device), row = ((size_t)args->bins + 1) * 4;
    bool is_gpu = device->kind == ACCEL_DEVICE_GPU;
    size_t blocks = args->n / LEAST_SHARE + 1, most = units * (is_gpu ? UNIT_BLOCKS : CPU_BLOCKS);
    size_t room = is_gpu || kernel->max_shared < CPU_BYTES ? kernel->max_shared : CPU_BYTES;

    args->copies = row <= room;
    if (!is_gpu && row * CPU_COPIES <= COPIES_BYTES && row * CPU_COPIES <= room)
        args->copies = CPU_COPIES;
    if (blocks > most)
        blocks = most;
    if (blocks <= args->n >> 31) /* a block counts with 32 bits */
        blocks = (args->n >> 31) + 1;
    args->share = accel_divide_up(args->n, blocks);

    accel_work work = accel_work_1d(blocks, HISTOGRAM_THREADS, 1);

    work.shared_bytes = args->copies * row;
    return work;
}

static accel_status run(accel_queue *queue, histogram_args *args)
{
    accel_kernel *clear, *count;
    accel_work work;
    accel_scratch *scratch; /* no memory, but its steps */
    size_t bins = args->bins;
    accel_status status = accel_own_kernel_get(function, queue, ACCEL_OWN_HISTOGRAM_CLEAR, &clear);

    if (status == ACCEL_OK)
        status = accel_own_kernel_get(function, queue, ACCEL_OWN_HISTOGRAM_COUNT, &count);
    if (status != ACCEL_OK)
        return status;
    work = divide(queue, count, args);
    status = accel_launch_check(function, count, &work);
    if (status == ACCEL_OK)
        status = accel_scratch_enter(function, queue, 0, &scratch);
    if (status != ACCEL_OK)
        return status;
    status = accel_launch_over(queue, clear, 1, &bins, args, sizeof(*args));
    if (status == ACCEL_OK)
        status = accel_launch(queue, count, &work, args, sizeof(*args));
    accel_scratch_leave(scratch);
    return status == ACCEL_OK ? ACCEL_OK : accel_error_rename(status, function);
}

ACCEL_API accel_status accel_histogram(accel_queue *queue, const accel_histogram_desc *given, accel_buffer *values,
                                       accel_buffer *counts)
{
    accel_histogram_desc desc;
    histogram_args args;
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK && given == NULL)
        status = accel_error_null(function, "desc");
    if (status == ACCEL_OK)
        status = accel_struct_import(function, "accel_histogram_desc", &desc, sizeof(desc), given);
    if (status == ACCEL_OK)
        status = accel_type_check(function, desc.type);
    if (status == ACCEL_OK)
        status = accel_operand_check(function, "values", queue, values);
    if (status == ACCEL_OK)
        status = accel_operand_check_size(function, "values", values, accel_type_size(desc.type));
    if (status == ACCEL_OK)
        status = check_counts(queue, values, desc.edges, counts);
    if (status == ACCEL_OK)
        status = check_edges(queue, desc.edges, accel_operand_count(counts));
    if (status != ACCEL_OK || accel_operand_count(counts) == 0)
        return status;
    memset(&args, 0, sizeof(args));
    args.n = accel_operand_count(values);
    args.values = values->ptr;
    args.edges = desc.edges != NULL ? desc.edges->ptr : NULL;
    args.counts = counts->ptr;
    args.low = desc.low;
    args.high = desc.high;
    args.bins = (uint32_t)accel_operand_count(counts);
    args.type = desc.type;
    args.wide = counts->element_size == 8;
    status = check_desc(&desc, args.bins, &args.scale);
    return status == ACCEL_OK ? run(queue, &args) : status;
}
