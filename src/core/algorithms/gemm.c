/* SPDX-License-Identifier: Apache-2.0 */
/* accel_gemm: one launch, whose blocks take tiles of C. */
#include "core/algorithms/library.h"
#include "core/algorithms/operand.h"
#include "core/base/divide.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"
#include "kernels/gemm.h"

#include <string.h>

static const char function[] = "accel_gemm";

enum {
    UNIT_BLOCKS = 32,  /* blocks per compute unit of a GPU */
    CPU_ROWS = 48,     /* of A, which are copied at a time: they stay in a small second level of the caches */
    CPU_COLUMNS = 528, /* of B, at most: they are read a few at a time, and may come from the third level */
    CPU_DEPTH = 512,   /* columns of A, rows of B: most that are copied at a time; each time C is read and written */
    DEPTH_UNIT = 8,    /* columns of A that are turned at a time */
    LEAST_SIDE = 64,   /* of a tile that is divided to fit, or to have some for each CPU */
    MOST_TILES = 8,    /* per CPU, if they are divided to have some for each */
    COST_OF_A = 5,     /* of copying a number of A, in multiplications */
    COST_OF_B = 24     /* and one of B */
};

static const uint32_t all_flags = ACCEL_GEMM_TRANSPOSE_A | ACCEL_GEMM_TRANSPOSE_B;

static accel_status check_desc(const accel_gemm_desc *desc)
{
    if (desc->type != ACCEL_TYPE_FLOAT && desc->type != ACCEL_TYPE_DOUBLE)
        return accel_error_set(ACCEL_INVALID, "%s: desc.type is %u; give ACCEL_TYPE_FLOAT or ACCEL_TYPE_DOUBLE",
                               function, desc->type);
    if ((desc->flags & ~all_flags) != 0)
        return accel_error_set(
            ACCEL_INVALID, "%s: desc.flags is 0x%x; the flags are ACCEL_GEMM_TRANSPOSE_A and ACCEL_GEMM_TRANSPOSE_B",
            function, desc->flags);
    return ACCEL_OK;
}

static accel_status check_matrix(const accel_queue *queue, const char *what, const accel_buffer *buffer, uint32_t type)
{
    accel_status status = accel_operand_check_matrix(function, what, queue, buffer);

    return status == ACCEL_OK ? accel_operand_check_size(function, what, buffer, accel_type_size(type)) : status;
}

/* `transposed` is 1 for a matrix whose rows count as columns. */
static accel_status check_extents(const accel_buffer *a, const accel_buffer *b, const accel_buffer *c,
                                  uint32_t a_transposed, uint32_t b_transposed)
{
    size_t rows = a->extent[a_transposed], depth = a->extent[1 - a_transposed];
    size_t needed = b->extent[b_transposed], columns = b->extent[1 - b_transposed];

    if (depth == needed && c->extent[0] == rows && c->extent[1] == columns)
        return ACCEL_OK;
    return accel_error_set(
        ACCEL_INVALID,
        "%s: a is %zux%zu%s, b %zux%zu%s and c %zux%zu; b needs as many rows as a has columns, and c as "
        "many rows as a and columns as b",
        function, a->extent[0], a->extent[1], a_transposed ? " (transposed)" : "", b->extent[0], b->extent[1],
        b_transposed ? " (transposed)" : "", c->extent[0], c->extent[1]);
}

static accel_status check_buffers(const accel_queue *queue, const accel_gemm_desc *desc, const gemm_args *args,
                                  const accel_buffer *a, const accel_buffer *b, const accel_buffer *c)
{
    accel_status status = check_matrix(queue, "a", a, desc->type);

    if (status == ACCEL_OK)
        status = check_matrix(queue, "b", b, desc->type);
    if (status == ACCEL_OK)
        status = check_matrix(queue, "c", c, desc->type);
    if (status == ACCEL_OK)
        status = check_extents(a, b, c, args->a_transposed, args->b_transposed);
    if (status == ACCEL_OK)
        status = accel_operand_check_apart(function, "a", a, "c", c);
    if (status == ACCEL_OK)
        status = accel_operand_check_apart(function, "b", b, "c", c);
    return status;
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t tiles_of(const gemm_args *args)
{
    return accel_divide_up(args->rows, args->tile_rows) * accel_divide_up(args->columns, args->tile_columns);
}

static size_t round_up(size_t n, size_t unit)
{
    return accel_divide_up(n, unit) * unit;
}

/* The extent of each of the fewest parts that are no longer than `most`, about equally long. */
static size_t equal_parts(size_t depth, size_t most)
{
    size_t parts = accel_divide_up(depth, most);

    return parts == 0 ? 0 : least_of(depth, round_up(accel_divide_up(depth, parts), DEPTH_UNIT));
}

/* Bytes that a block copies to at a time. */
static size_t copied(const gemm_args *args, size_t size)
{
    return (args->part_rows + args->tile_columns) * args->part_depth * size;
}

/* What the product takes, in multiplications, about: a CPU takes one tile after the other. CPUs are not equally fast, so some
 * wait for the last tile. That they wait a sixteenth of its time is a guess. */
static double time_of(const gemm_args *args, uint32_t units)
{
    const double rows = (double)args->tile_rows, columns = (double)args->tile_columns;
    const double rounds = (double)accel_divide_up(tiles_of(args), units) + (units > 1 ? 0.0625 : 0);

    return rounds * (rows * columns + rows * COST_OF_A + columns * COST_OF_B);
}

/* Of all ways to divide rows and columns equally, the one that takes least. No tile has more columns than `widest`. */
static void choose_tiles(uint32_t units, size_t widest, size_t unit, gemm_args *args)
{
    const size_t most = (size_t)units * MOST_TILES, least_across = accel_divide_up(args->columns, widest);
    gemm_args tried = *args;
    double least = 0;

    for (size_t down = 1; down == 1 || (down <= most && args->rows / down >= LEAST_SIDE); ++down) {
        tried.tile_rows = round_up(accel_divide_up(args->rows, down), GEMM_ROW_UNIT);
        for (size_t across = least_across;
             across == least_across || (across * down <= most && args->columns / across >= LEAST_SIDE); ++across) {
            tried.tile_columns = least_of(round_up(accel_divide_up(args->columns, across), unit), widest);
            double time = time_of(&tried, units);
            if (least != 0 && time >= least)
                continue;
            least = time;
            args->tile_rows = tried.tile_rows;
            args->tile_columns = tried.tile_columns;
        }
    }
}

static size_t divide_for_cpus(const accel_device_properties *device, size_t room, size_t size, gemm_args *args)
{
    const size_t unit = GEMM_COLUMN_BYTES / size;

    args->tile_columns = round_up(least_of(args->columns, CPU_COLUMNS), unit);
    args->part_rows = CPU_ROWS;
    args->part_depth = equal_parts(args->depth, CPU_DEPTH);
    while (copied(args, size) > room && (args->tile_columns > LEAST_SIDE || args->part_depth > 1)) {
        if (args->tile_columns > LEAST_SIDE)
            args->tile_columns -= unit;
        else
            args->part_depth /= 2;
    }
    choose_tiles(accel_device_units(device), args->tile_columns, unit, args);
    args->part_rows = least_of(round_up(args->tile_rows, GEMM_PART_UNIT), CPU_ROWS);
    return copied(args, size);
}

static accel_work divide(const accel_device_properties *device, const accel_kernel *kernel, size_t size,
                         gemm_args *args)
{
    accel_work work;
    size_t tiles, shared = 0;

    if (device->kind == ACCEL_DEVICE_GPU)
        args->tile_rows = args->tile_columns = GEMM_SIDE;
    else
        shared = divide_for_cpus(device, kernel->max_shared, size, args);
    tiles = tiles_of(args);
    if (device->kind == ACCEL_DEVICE_GPU)
        tiles = least_of(tiles, (size_t)accel_device_units(device) * UNIT_BLOCKS);
    work = accel_work_1d(tiles, GEMM_THREADS, 1);
    work.shared_bytes = shared;
    return work;
}

/* Whether the kernel, which rounds to nearest, makes it 0. The caller may round otherwise. */
static bool becomes_0(double factor, size_t size)
{
    return size == sizeof(float) ? factor >= -0x1p-150 && factor <= 0x1p-150 : factor == 0;
}

static void set_args(gemm_args *args, size_t size, double alpha, const accel_buffer *a, const accel_buffer *b,
                     double beta, const accel_buffer *c)
{
    args->a = a->ptr;
    args->b = b->ptr;
    args->c = c->ptr;
    args->a_pitch = a->pitch[0] / size;
    args->b_pitch = b->pitch[0] / size;
    args->c_pitch = c->pitch[0] / size;
    args->rows = c->extent[0];
    args->columns = c->extent[1];
    args->alpha = alpha;
    args->beta = beta;
    args->depth = !becomes_0(alpha, size) ? a->extent[1 - args->a_transposed] : 0;
}

ACCEL_API accel_status accel_gemm(accel_queue *queue, const accel_gemm_desc *given, double alpha, accel_buffer *a,
                                  accel_buffer *b, double beta, accel_buffer *c)
{
    accel_gemm_desc desc;
    gemm_args args;
    accel_kernel *kernel;
    accel_work work;
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK && given == NULL)
        status = accel_error_null(function, "desc");
    if (status == ACCEL_OK)
        status = accel_struct_import(function, "accel_gemm_desc", &desc, sizeof(desc), given);
    if (status == ACCEL_OK)
        status = check_desc(&desc);
    if (status != ACCEL_OK)
        return status;
    memset(&args, 0, sizeof(args));
    args.a_transposed = (desc.flags & ACCEL_GEMM_TRANSPOSE_A) != 0;
    args.b_transposed = (desc.flags & ACCEL_GEMM_TRANSPOSE_B) != 0;
    status = check_buffers(queue, &desc, &args, a, b, c);
    if (status == ACCEL_OK)
        status = accel_own_kernel_get(
            function, queue, desc.type == ACCEL_TYPE_FLOAT ? ACCEL_OWN_GEMM_FLOAT : ACCEL_OWN_GEMM_DOUBLE, &kernel);
    if (status != ACCEL_OK || accel_buffer_empty(c))
        return status;
    set_args(&args, accel_type_size(desc.type), alpha, a, b, beta, c);
    work = divide(&queue->device->properties, kernel, accel_type_size(desc.type), &args);
    status = accel_launch(queue, kernel, &work, &args, sizeof(args));
    return status == ACCEL_OK ? ACCEL_OK : accel_error_rename(status, function);
}
