/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel_work_divide. Threads are given out along the fastest dimension first, so that neighbouring threads touch
 * neighbouring elements; blocks along the slowest first, so that what one block does stays contiguous.
 */
#include "launch.h"

#include "entry.h"
#include "module.h"
#include "struct_size.h"

#include <string.h>

#define CPU_THREADS 64u /* of thread kernels, where the plugin suggests nothing */
#define GPU_THREADS 256u

static const char function[] = "accel_work_divide";

typedef struct work_division {
    const accel_kernel *kernel;
    const size_t *extent;
    accel_divide_desc wish;
    accel_suggestion suggestion;
    size_t max_threads; /* of a block: kernel, device and wish */
    size_t max_blocks;  /* of the grid: what the device holds at once, if the launch is to be cooperative */
    accel_work work;
} work_division;

static size_t divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

static size_t saturate(size_t a, size_t b)
{
    size_t product;

    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* x, y or z: what a dimension folds into. */
static uint32_t axis_of(const work_division *division, uint32_t d)
{
    uint32_t axis = division->work.dims - 1 - d;

    return axis < 2 ? axis : 2;
}

/* The product over all dimensions of the axis. */
static size_t along(const work_division *division, const size_t values[], uint32_t axis)
{
    size_t product = 1;

    for (uint32_t d = 0; d < division->work.dims; ++d) {
        if (axis_of(division, d) == axis)
            product = saturate(product, values[d]);
    }
    return product;
}

static size_t block_threads(const work_division *division)
{
    return saturate(saturate(along(division, division->work.threads, 0), along(division, division->work.threads, 1)),
                    along(division, division->work.threads, 2));
}

/* What the plugin answers. Only one that has no opinion is filled in for: a device that failed is no reason to guess. Shared
 * memory that no block can have is not asked about: the check refuses it, with the limit. */
static accel_status find_suggestion(work_division *division)
{
    const accel_kernel *kernel = division->kernel;
    const accel_module_vtable *vtable = &kernel->module->backend->module_vtable;
    const accel_device_properties *device = &kernel->module->device->properties;
    bool cpu = device->kind == ACCEL_DEVICE_CPU;
    accel_suggestion suggestion = {.struct_size = sizeof(suggestion)};
    accel_status status = ACCEL_UNSUPPORTED;

    if (vtable->suggest != NULL && division->wish.shared_bytes <= kernel->max_shared)
        status = vtable->suggest(kernel->impl, division->wish.shared_bytes, &suggestion);
    if (status == ACCEL_UNSUPPORTED)
        memset(&suggestion, 0, sizeof(suggestion));
    else if (status != ACCEL_OK)
        return accel_entry_failed(function, kernel->module->device, status);
    if (suggestion.threads == 0)
        suggestion.threads = !cpu ? GPU_THREADS : kernel->properties.form == ACCEL_KERNEL_FORM_BLOCK ? 1 : CPU_THREADS;
    if (suggestion.blocks == 0)
        suggestion.blocks = device->compute_units != 0 ? device->compute_units : 1;
    if (suggestion.chunk == 0)
        suggestion.chunk = 1;
    division->suggestion = suggestion;
    return ACCEL_OK;
}

/* The kernel's own block, which wishes may only repeat. */
static accel_status fix_threads(work_division *division)
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

/* How often the block's threads fit into the dimension. */
static size_t units(const work_division *division, uint32_t d)
{
    return divide_up(division->extent[d], division->work.threads[d]);
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
                blocks[d] = divide_up(units(division, d), division->wish.elems[d] != 0 ? division->wish.elems[d] : 1);
                if (axis_of(division, d) == axis && division->wish.threads[d] == 0 && blocks[d] > 1 &&
                    (most == ACCEL_MAX_DIMS || blocks[d] > blocks[most]))
                    most = d;
            }
            if (most == ACCEL_MAX_DIMS || along(division, blocks, axis) <= kernel->max_blocks[axis] ||
                saturate(block_threads(division), 2) > division->max_threads ||
                saturate(along(division, division->work.threads, axis), 2) > axis_limit(kernel, axis))
                break;
            division->work.threads[most] *= 2;
        }
    }
}

/* Wishes first; what they leave of the suggested number goes along the fastest dimensions. */
static void choose_threads(work_division *division)
{
    const accel_kernel *kernel = division->kernel;
    size_t best =
        division->suggestion.threads < division->max_threads ? division->suggestion.threads : division->max_threads;

    for (uint32_t d = 0; d < division->work.dims; ++d)
        division->work.threads[d] = division->wish.threads[d] != 0 ? division->wish.threads[d] : 1;
    if (kernel->properties.form != ACCEL_KERNEL_FORM_BLOCK)
        meet_block_limits(division);
    for (uint32_t i = 0; i < division->work.dims; ++i) {
        uint32_t d = division->work.dims - 1 - i, axis = axis_of(division, d);
        size_t room = best / block_threads(division); /* 0 if the wishes are too many: that is found later */
        size_t axis_room = axis_limit(kernel, axis) / along(division, division->work.threads, axis);
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

static void set_elems(work_division *division, uint32_t d, size_t elems)
{
    division->work.elems[d] = elems != 0 ? elems : 1;
    division->work.blocks[d] = divide_up(units(division, d), division->work.elems[d]);
}

static bool cooperative(const work_division *division)
{
    return (division->work.flags & ACCEL_WORK_COOPERATIVE) != 0;
}

static accel_status find_max_blocks(work_division *division)
{
    const accel_kernel *kernel = division->kernel;
    uint64_t blocks = 0;
    accel_status status = kernel->module->backend->module_vtable.resident_blocks(
        kernel->impl, (uint32_t)block_threads(division), division->work.shared_bytes, &blocks);

    if (status != ACCEL_OK)
        return accel_entry_failed(function, kernel->module->device, status);
    division->max_blocks = blocks;
    return ACCEL_OK;
}

static size_t all_elements(const work_division *division)
{
    size_t total = 1;

    for (uint32_t d = 0; d < division->work.dims; ++d)
        total = saturate(total, division->extent[d]);
    return total;
}

/* As many blocks as fill the device, of at least `chunk` elements each, and more where these are too many for a cache. */
static size_t wanted_blocks(const work_division *division)
{
    const accel_suggestion *suggestion = &division->suggestion;
    size_t total = all_elements(division), wanted = total / suggestion->chunk;

    if (wanted > suggestion->blocks)
        wanted = suggestion->blocks;
    if (suggestion->cache_elems != 0 && divide_up(total, suggestion->cache_elems) > wanted)
        wanted = divide_up(total, suggestion->cache_elems);
    if (wanted > division->max_blocks)
        wanted = division->max_blocks;
    return wanted != 0 ? wanted : 1;
}

/* Elements per thread along dimension d, which is to have about `wanted` blocks, where the dimensions before it have
 * `outer`. If compute units get equal numbers of blocks, the fullest one should have hardly more than its part: 200 planes
 * of 200 rows for 64 units are not 200 or 400 blocks, of which some get 4 or 7 and others 3 or 6, but 1000. Blocks do not
 * get smaller than `chunk` for that, and along the fastest dimension they are whole vectors, as kernels make them. */
static size_t even_elems(const work_division *division, uint32_t d, size_t wanted, size_t outer)
{
    enum { TRIES = 64, TIMES = 4, NEAR = 32, VECTORS = 16 };
    size_t length = units(division, d);
    size_t grain = d + 1 == division->work.dims && division->work.threads[d] == 1 ? VECTORS : 1;
    size_t compute_units = division->kernel->module->device->properties.compute_units;
    size_t most = all_elements(division) / division->suggestion.chunk / outer;
    size_t elems = divide_up(length, wanted), least = SIZE_MAX;

    if (compute_units == 0)
        compute_units = 1;
    if (most > saturate(wanted, TIMES))
        most = saturate(wanted, TIMES);
    for (size_t tries = 0, count = wanted; tries < TRIES && count <= length && (count <= most || tries == 0); ++tries) {
        size_t each = saturate(divide_up(divide_up(length, count), grain), grain), blocks = divide_up(length, each);
        size_t fullest = saturate(divide_up(saturate(outer, blocks), compute_units), each);
        size_t part = saturate(outer, length) / compute_units;
        if (blocks >= wanted && fullest < least) {
            least = fullest;
            elems = each < length ? each : length;
        }
        if (least <= part + part / NEAR || each <= grain)
            break;
        size_t next = divide_up(length, each - grain);
        count = next > count ? next : count + 1;
    }
    return elems;
}

/* What is left of the wanted blocks once a dimension has its own. */
static size_t remaining(const work_division *division, size_t wanted, size_t blocks)
{
    if (blocks == 0)
        return wanted;
    if (!cooperative(division))
        return divide_up(wanted, blocks);
    return wanted > blocks ? wanted / blocks : 1; /* not one block more than wanted */
}

static void choose_elems(work_division *division)
{
    bool one = division->kernel->properties.form != ACCEL_KERNEL_FORM_BLOCK;
    bool even = division->suggestion.cache_elems != 0 && !cooperative(division);
    size_t wanted = wanted_blocks(division), outer = 1;

    for (uint32_t d = 0; d < division->work.dims; ++d) {
        if (division->wish.elems[d] == 0 && !one)
            continue;
        set_elems(division, d, one && division->wish.elems[d] == 0 ? 1 : division->wish.elems[d]);
        if (division->work.blocks[d] != 0) {
            wanted = remaining(division, wanted, division->work.blocks[d]);
            outer = saturate(outer, division->work.blocks[d]);
        }
    }
    for (uint32_t d = 0; d < division->work.dims && !one; ++d) {
        if (division->wish.elems[d] != 0)
            continue;
        set_elems(division, d, even ? even_elems(division, d, wanted, outer) : divide_up(units(division, d), wanted));
        if (division->work.blocks[d] != 0) {
            wanted = remaining(division, wanted, division->work.blocks[d]);
            outer = saturate(outer, division->work.blocks[d]);
        }
    }
}

/* Where an axis has more blocks than the device allows, threads take more elements, if the caller left them to us. */
static void respect_block_limits(work_division *division)
{
    if (division->kernel->properties.form != ACCEL_KERNEL_FORM_BLOCK)
        return;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        while (along(division, division->work.blocks, axis) > division->kernel->max_blocks[axis]) {
            uint32_t most = ACCEL_MAX_DIMS;
            for (uint32_t d = 0; d < division->work.dims; ++d) {
                if (axis_of(division, d) == axis && division->wish.elems[d] == 0 && division->work.blocks[d] > 1 &&
                    (most == ACCEL_MAX_DIMS || division->work.blocks[d] > division->work.blocks[most]))
                    most = d;
            }
            if (most == ACCEL_MAX_DIMS) /* only wishes left: the check refuses them */
                break;
            set_elems(division, most, saturate(division->work.elems[most], 2));
        }
    }
}

static accel_status check_max_blocks(const work_division *division)
{
    const size_t *blocks = division->work.blocks;
    size_t total =
        saturate(saturate(along(division, blocks, 0), along(division, blocks, 1)), along(division, blocks, 2));

    if (total <= division->max_blocks)
        return ACCEL_OK;
    return accel_error_set(
        ACCEL_LIMIT,
        "%s: kernel \"%s\": a cooperative launch would need %zu blocks of %zu threads, \"%s\" holds %zu at once; %s",
        function, division->kernel->name, total, block_threads(division), division->kernel->root->properties.name,
        division->max_blocks,
        division->max_blocks == 0 ? "wish smaller blocks or less shared memory"
                                  : "give each thread more elements, and let the kernel loop over them");
}

static accel_status check_parameters(const accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                     const accel_work *out)
{
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (kernel == NULL || extent == NULL || out == NULL)
        return accel_entry_null(function, kernel == NULL ? "kernel" : extent == NULL ? "extent" : "work");
    if (dims == 0 || dims > ACCEL_MAX_DIMS)
        return accel_error_set(ACCEL_INVALID, "%s: dims is %u; 1 to %d are possible", function, dims, ACCEL_MAX_DIMS);
    return accel_entry_usable(function, "kernel", kernel->module->device, kernel->module->fork_generation);
}

static accel_status read_wishes(work_division *division, const accel_divide_desc *given)
{
    accel_divide_desc *wish = &division->wish;
    accel_status status = accel_struct_import(function, "accel_divide_desc", wish, sizeof(*wish), given);

    if (status != ACCEL_OK)
        return status;
    if ((wish->flags & ~ACCEL_DIVIDE_COOPERATIVE) != 0)
        return accel_error_set(
            ACCEL_INVALID, "%s: flags of the accel_divide_desc are 0x%x; only ACCEL_DIVIDE_COOPERATIVE (0x%x) is known",
            function, wish->flags, ACCEL_DIVIDE_COOPERATIVE);
    if ((wish->flags & ACCEL_DIVIDE_COOPERATIVE) != 0)
        division->work.flags = ACCEL_WORK_COOPERATIVE;
    if ((division->work.flags & ~(uint32_t)division->kernel->work_flags) != 0)
        return accel_launch_check(function, division->kernel, &division->work); /* has the text */
    for (uint32_t d = division->work.dims; d < ACCEL_MAX_DIMS; ++d) {
        if (wish->threads[d] != 0 || wish->elems[d] != 0)
            return accel_error_set(ACCEL_INVALID, "%s: %s[%u] is wished, but the extent has %u dimensions", function,
                                   wish->threads[d] != 0 ? "threads" : "elems", d, division->work.dims);
    }
    division->max_threads = division->kernel->max_threads;
    if (wish->max_threads != 0 && wish->max_threads < division->max_threads)
        division->max_threads = wish->max_threads;
    return ACCEL_OK;
}

ACCEL_API accel_status accel_work_divide(accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                         const accel_divide_desc *given, accel_work *out)
{
    work_division division = {.kernel = kernel, .extent = extent, .max_blocks = SIZE_MAX, .work = ACCEL_WORK_INIT};
    accel_status status = check_parameters(kernel, dims, extent, out);

    if (status != ACCEL_OK)
        return status;
    division.work.dims = dims;
    status = read_wishes(&division, given);
    if (status != ACCEL_OK)
        return status;
    status = find_suggestion(&division);
    if (status != ACCEL_OK)
        return status;
    division.work.shared_bytes = division.wish.shared_bytes;
    if (kernel->properties.fixed_block[0] != 0)
        status = fix_threads(&division);
    else
        choose_threads(&division);
    if (status != ACCEL_OK)
        return status;
    if (block_threads(&division) > division.max_threads && division.max_threads < kernel->max_threads)
        return accel_error_set(ACCEL_LIMIT, "%s: kernel \"%s\": blocks of %zu threads are %s, but max_threads is %zu",
                               function, kernel->name, block_threads(&division),
                               kernel->properties.fixed_block[0] != 0 ? "compiled in" : "wished", division.max_threads);
    if (cooperative(&division) && block_threads(&division) <= kernel->max_threads &&
        division.work.shared_bytes <= kernel->max_shared) /* else refused below */
        status = find_max_blocks(&division);
    if (status != ACCEL_OK)
        return status;
    choose_elems(&division);
    respect_block_limits(&division);
    status = accel_launch_check(function, kernel, &division.work); /* K2: what a launch refuses is not handed out */
    if (status == ACCEL_OK)
        status = check_max_blocks(&division);
    if (status != ACCEL_OK)
        return status;
    return accel_struct_export(function, "accel_work", out, &division.work, sizeof(division.work));
}
