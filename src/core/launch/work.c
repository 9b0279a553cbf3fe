/* SPDX-License-Identifier: Apache-2.0 */
#include "core/launch/work_division.h"

#include "core/api/device.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"
#include "core/memory/extent.h"

#include <string.h>

#define CPU_THREADS 64u /* of thread kernels, where the plugin suggests nothing */
#define GPU_THREADS 256u

static const char function[] = "accel_work_divide";

/* The plugin's suggestion. Only one that has no opinion is filled in for: a device that failed is no reason to guess. Shared
 * memory that no block can have is not asked about: the check refuses it, with the limit. */
static accel_status find_suggestion(work_division *division)
{
    const accel_kernel *kernel = division->kernel;
    const accel_module_vtable *vtable = &kernel->origin.device->backend->module_vtable;
    const accel_device_properties *device = &kernel->origin.device->properties;
    bool cpu = device->kind == ACCEL_DEVICE_CPU;
    accel_suggestion suggestion = {.struct_size = sizeof(suggestion)};
    accel_status status = ACCEL_UNSUPPORTED;

    if (vtable->suggest != NULL && division->wish.shared_bytes <= kernel->max_shared)
        status = vtable->suggest(kernel->impl, division->wish.shared_bytes, &suggestion);
    if (status == ACCEL_UNSUPPORTED)
        memset(&suggestion, 0, sizeof(suggestion));
    else if (status != ACCEL_OK)
        return accel_device_failed(function, kernel->origin.device, status);
    if (suggestion.threads == 0)
        suggestion.threads = !cpu ? GPU_THREADS : kernel->properties.form == ACCEL_KERNEL_FORM_BLOCK ? 1 : CPU_THREADS;
    if (suggestion.blocks == 0)
        suggestion.blocks = accel_device_units(device);
    if (suggestion.chunk == 0)
        suggestion.chunk = 1;
    division->suggestion = suggestion;
    return ACCEL_OK;
}

static accel_status find_max_blocks(work_division *division)
{
    const accel_kernel *kernel = division->kernel;
    uint64_t blocks = 0;
    accel_status status = kernel->origin.device->backend->module_vtable.resident_blocks(
        kernel->impl, (uint32_t)accel_division_block_threads(division), division->work.shared_bytes, &blocks);

    if (status != ACCEL_OK)
        return accel_device_failed(function, kernel->origin.device, status);
    division->max_blocks = blocks;
    return ACCEL_OK;
}

static accel_status check_max_blocks(const work_division *division)
{
    const size_t *blocks = division->work.blocks;
    size_t total = accel_saturate(
        accel_saturate(accel_division_along(division, blocks, 0), accel_division_along(division, blocks, 1)),
        accel_division_along(division, blocks, 2));

    if (total <= division->max_blocks)
        return ACCEL_OK;
    return accel_error_set(
        ACCEL_LIMIT,
        "%s: kernel \"%s\": a cooperative launch would need %zu blocks of %zu threads, \"%s\" holds %zu at once; %s",
        function, division->kernel->name, total, accel_division_block_threads(division),
        division->kernel->root->properties.name, division->max_blocks,
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
        return accel_error_null(function, kernel == NULL ? "kernel" : extent == NULL ? "extent" : "work");
    if (dims == 0 || dims > ACCEL_MAX_DIMS)
        return accel_error_set(ACCEL_INVALID, "%s: dims is %u; 1 to %d are possible", function, dims, ACCEL_MAX_DIMS);
    status = accel_kernel_check_plain(function, kernel);
    if (status != ACCEL_OK)
        return status;
    return accel_device_usable(function, "kernel", kernel->origin.device, kernel->origin.fork_generation);
}

static accel_status read_wishes(work_division *division, const accel_divide_desc *given)
{
    accel_divide_desc *wish = &division->wish;
    accel_status status = accel_struct_import(function, "accel_divide_desc", wish, sizeof(*wish), given);

    if (status != ACCEL_OK)
        return status;
    if ((wish->flags & ~(uint32_t)ACCEL_DIVIDE_COOPERATIVE) != 0)
        return accel_error_set(
            ACCEL_INVALID, "%s: flags of the accel_divide_desc are 0x%x; only ACCEL_DIVIDE_COOPERATIVE (0x%x) is known",
            function, wish->flags, ACCEL_DIVIDE_COOPERATIVE);
    if ((wish->flags & ACCEL_DIVIDE_COOPERATIVE) != 0)
        division->work.flags = ACCEL_WORK_COOPERATIVE;
    if ((division->work.flags & ~(uint32_t)division->kernel->work_flags) != 0)
        return accel_launch_check(function, division->kernel, &division->work); /* has the text */
    for (uint32_t d = division->work.dims; d < ACCEL_MAX_DIMS; ++d) {
        if (wish->threads[d] != 0 || wish->elems[d] != 0)
            return accel_error_set(ACCEL_INVALID, "%s: %s[%u] is wished, but the extent has %u dimensions; leave it 0",
                                   function, wish->threads[d] != 0 ? "threads" : "elems", d, division->work.dims);
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
    size_t few[ACCEL_MAX_DIMS];

    if (status != ACCEL_OK)
        return status;
    if (accel_extent_empty(dims, extent)) { /* whatever the other extents are, nothing runs: M3 */
        for (uint32_t d = 0; d < dims; ++d)
            few[d] = extent[d] != 0;
        division.extent = few;
    }
    division.work.dims = dims;
    status = read_wishes(&division, given);
    if (status != ACCEL_OK)
        return status;
    status = find_suggestion(&division);
    if (status != ACCEL_OK)
        return status;
    division.work.shared_bytes = division.wish.shared_bytes;
    if (kernel->properties.fixed_block[0] != 0)
        status = accel_division_fix_threads(&division, function);
    else
        accel_division_choose_threads(&division);
    if (status != ACCEL_OK)
        return status;
    if (accel_division_block_threads(&division) > division.max_threads && division.max_threads < kernel->max_threads)
        return accel_error_set(
            ACCEL_LIMIT,
            "%s: kernel \"%s\": blocks of %zu threads are %s, but max_threads is %zu; raise it, or leave it 0",
            function, kernel->name, accel_division_block_threads(&division),
            kernel->properties.fixed_block[0] != 0 ? "compiled in" : "wished", division.max_threads);
    if (accel_division_is_cooperative(&division) && accel_division_block_threads(&division) <= kernel->max_threads &&
        division.work.shared_bytes <= kernel->max_shared) /* else refused below */
        status = find_max_blocks(&division);
    if (status != ACCEL_OK)
        return status;
    accel_division_choose_elems(&division);
    status = accel_launch_check(function, kernel, &division.work); /* K2: what a launch refuses is not returned */
    if (status == ACCEL_OK)
        status = check_max_blocks(&division);
    if (status != ACCEL_OK)
        return status;
    return accel_struct_export(function, "accel_work", out, &division.work, sizeof(division.work));
}
