/* SPDX-License-Identifier: Apache-2.0 */
#include "core/launch/work_division.h"

#include "core/base/error.h"

accel_status accel_division_fix_threads(work_division *division, const char *function)
{
    const accel_kernel *kernel = division->kernel;
    const uint32_t *fixed = kernel->properties.fixed_block;
    uint32_t dims = division->work.dims;

    if (kernel->min_dims > dims)
        return accel_error_set(ACCEL_LIMIT,
                               "%s: kernel \"%s\" is compiled for blocks of %u x %u x %u threads (x, y, z), which need "
                               "%u dimensions; the extent has "
                               "%u",
                               function, kernel->name, fixed[0], fixed[1], fixed[2], kernel->min_dims, dims);
    for (uint32_t d = 0; d < dims; ++d) {
        uint32_t axis = dims - 1 - d; /* dimensions that fold into z beside the third have one thread */
        size_t threads = axis < 3 ? fixed[axis] : 1;
        if (division->wish.threads[d] != 0 && division->wish.threads[d] != threads)
            return accel_error_set(ACCEL_LIMIT,
                                   "%s: kernel \"%s\" is compiled for blocks of %u x %u x %u threads (x, y, z); "
                                   "threads[%u] cannot be %zu, leave "
                                   "it 0",
                                   function, kernel->name, fixed[0], fixed[1], fixed[2], d, division->wish.threads[d]);
        division->work.threads[d] = threads;
    }
    return ACCEL_OK;
}

static size_t power_of_two_from(size_t value)
{
    size_t power = 1;

    while (power < value && power <= ACCEL_MAX_BLOCK_THREADS)
        power *= 2;
    return power;
}

/* Most threads along x, y or z. */
static size_t axis_limit(const accel_kernel *kernel, uint32_t axis)
{
    return (size_t)kernel->threads_low[axis] + kernel->threads_range[axis];
}

/* Threads that have one element each, unless wished, and would need more blocks than there are: more threads along the
 * axis, as far as blocks can hold them. */
static void meet_block_limits(work_division *division)
{
    const accel_kernel *kernel = division->kernel;
    size_t blocks[ACCEL_MAX_DIMS];

    for (uint32_t axis = 0; axis < 3; ++axis) {
        for (;;) {
            uint32_t most = ACCEL_MAX_DIMS;
            for (uint32_t d = 0; d < division->work.dims; ++d) {
                blocks[d] = accel_divide_up(accel_division_units(division, d),
                                            division->wish.elems[d] != 0 ? division->wish.elems[d] : 1);
                if (accel_division_axis(division, d) == axis && division->wish.threads[d] == 0 && blocks[d] > 1 &&
                    (most == ACCEL_MAX_DIMS || blocks[d] > blocks[most]))
                    most = d;
            }
            if (most == ACCEL_MAX_DIMS || accel_division_along(division, blocks, axis) <= kernel->max_blocks[axis] ||
                accel_saturate(accel_division_block_threads(division), 2) > division->max_threads ||
                accel_saturate(accel_division_along(division, division->work.threads, axis), 2) >
                    axis_limit(kernel, axis))
                break;
            division->work.threads[most] *= 2;
        }
    }
}

void accel_division_choose_threads(work_division *division)
{
    const accel_kernel *kernel = division->kernel;
    size_t best =
        division->suggestion.threads < division->max_threads ? division->suggestion.threads : division->max_threads;

    for (uint32_t d = 0; d < division->work.dims; ++d)
        division->work.threads[d] = division->wish.threads[d] != 0 ? division->wish.threads[d] : 1;
    if (kernel->properties.form != ACCEL_KERNEL_FORM_BLOCK)
        meet_block_limits(division);
    for (uint32_t i = 0; i < division->work.dims; ++i) {
        uint32_t d = division->work.dims - 1 - i, axis = accel_division_axis(division, d);
        size_t room =
            best / accel_division_block_threads(division); /* 0 if the wishes are too many: that is found later */
        size_t axis_room = axis_limit(kernel, axis) / accel_division_along(division, division->work.threads, axis);
        size_t useful = power_of_two_from(division->extent[d]) / division->work.threads[d];
        if (division->wish.threads[d] != 0)
            continue;
        if (room > axis_room)
            room = axis_room;
        if (room > useful)
            room = useful;
        if (room > 1)
            division->work.threads[d] *= room;
    }
}
