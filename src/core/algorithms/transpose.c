/* SPDX-License-Identifier: Apache-2.0 */
/* accel_transpose: one launch, whose blocks take square tiles. */
#include "core/algorithms/library.h"
#include "core/algorithms/operand.h"
#include "core/base/divide.h"
#include "core/base/error.h"
#include "kernels/transpose.h"

#include <string.h>

static const char function[] = "accel_transpose";

enum {
    UNIT_BLOCKS = 16,    /* blocks per compute unit of a GPU */
    CPU_TILES = 4,       /* tiles per CPU: they are taken as CPUs get free */
    CPU_SIDE = 512,      /* of tiles: long rows are read ahead, and few pages are written at a time */
    CPU_LEAST_SIDE = 64, /* a line of bytes */
    LINE = 64
};

/* Stores past the caches save reading each line before it is written. They repay if no cache could keep the lines, and if
 * the lines are whole. */
static bool goes_past_caches(accel_device *device, const accel_buffer *to, size_t bytes)
{
    size_t size = to->element_size;
    bool whole = (size == 1 || size == 2 || size == 4 || size == 8 || size == 16) && (uintptr_t)to->ptr % LINE == 0 &&
                 to->pitch[0] % LINE == 0;

    return whole && accel_device_bypasses_caches(device, bytes);
}

/* On CPUs a block takes one tile, so neighbours are taken one after the other. */
static accel_work divide(const accel_device_properties *device, transpose_args *args)
{
    size_t units = accel_device_units(device), tiles;

    args->side = device->kind == ACCEL_DEVICE_GPU ? TRANSPOSE_SIDE : CPU_SIDE;
    tiles = accel_divide_up(args->rows, args->side) * accel_divide_up(args->columns, args->side);
    if (device->kind == ACCEL_DEVICE_GPU) {
        if (tiles > units * UNIT_BLOCKS)
            tiles = units * UNIT_BLOCKS;
    } else {
        while (args->side > CPU_LEAST_SIDE && tiles < units * CPU_TILES) {
            args->side /= 2;
            tiles = accel_divide_up(args->rows, args->side) * accel_divide_up(args->columns, args->side);
        }
    }
    return accel_work_1d(tiles, TRANSPOSE_THREADS, 1);
}

static accel_status check_buffers(const accel_queue *queue, const accel_buffer *from, const accel_buffer *to)
{
    accel_status status = accel_operand_check_matrix(function, "from", queue, from);

    if (status == ACCEL_OK)
        status = accel_operand_check_matrix(function, "to", queue, to);
    if (status == ACCEL_OK)
        status = accel_operand_check_size(function, "to", to, from->element_size);
    if (status != ACCEL_OK)
        return status;
    if (to->extent[0] != from->extent[1] || to->extent[1] != from->extent[0])
        return accel_error_set(ACCEL_INVALID,
                               "%s: from is %zux%zu and to %zux%zu; to needs as many rows as from has columns, and as "
                               "many columns as it has rows",
                               function, from->extent[0], from->extent[1], to->extent[0], to->extent[1]);
    return accel_operand_check_apart(function, "from", from, "to", to);
}

ACCEL_API accel_status accel_transpose(accel_queue *queue, accel_buffer *from, accel_buffer *to)
{
    accel_kernel *kernel;
    accel_work work;
    transpose_args args;
    size_t unit;
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK)
        status = check_buffers(queue, from, to);
    if (status == ACCEL_OK)
        status = accel_own_kernel_get(function, queue, ACCEL_OWN_TRANSPOSE, &kernel);
    if (status != ACCEL_OK || accel_buffer_empty(from))
        return status;
    memset(&args, 0, sizeof(args));
    args.from = from->ptr;
    args.to = to->ptr;
    args.rows = from->extent[0];
    args.columns = from->extent[1];
    args.from_pitch = from->pitch[0];
    args.to_pitch = to->pitch[0];
    unit = accel_operand_unit(from);
    if (accel_operand_unit(to) < unit)
        unit = accel_operand_unit(to);
    args.unit = (uint32_t)unit;
    args.units = from->element_size / unit;
    args.past_caches = goes_past_caches(queue->device, to, args.rows * args.columns * from->element_size);
    work = divide(&queue->device->properties, &args);
    status = accel_launch(queue, kernel, &work, &args, sizeof(args));
    return status == ACCEL_OK ? ACCEL_OK : accel_error_rename(status, function);
}
