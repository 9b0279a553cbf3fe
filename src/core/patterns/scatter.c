/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scatters. The sets of cells, and behind them the claims of CPUs, are one buffer. What is done to them is one launch of the
 * scatter's kernel (accel/kernel/scatter.h): it joins the sets to the target, if there is one, and resets them.
 */
#include <accel/kernel/scatter_task.h>
#include <accel/pattern.h>

#include "core/base/allocate.h"
#include "core/base/divide.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"
#include "core/launch/launch.h"
#include "core/patterns/check.h"
#include "core/patterns/place.h"

#include <string.h>

/* All sets of a choice of the device's have at most so many bytes. */
#define MOST_BYTES ((size_t)64 << 20)

enum {
    BLOCK_CELLS = 1024,
    STRIDE = 128, /* a pair of cache lines that is fetched together */
    GAP = 512, /* bytes behind each set, so that CPUs that prefetch behind a thread's set fetch no line of the next */
    CLAIM = 64 /* bytes of a claim: a cache line */
};

/* Immutable after creation. */
struct accel_scatter {
    accel_reference reference;
    accel_kernel *kernel; /* retained */
    accel_buffer *memory;
    accel_scatter_view view;
};

static bool is_cpu(const accel_queue *queue)
{
    return queue->device->properties.kind == ACCEL_DEVICE_CPU;
}

/* --- creation --- */

static accel_status check_kernel(const char *function, const accel_queue *queue, const accel_kernel *kernel)
{
    if (kernel == NULL)
        return accel_error_null(function, "kernel");
    if (kernel->properties.pattern != ACCEL_PATTERN_SCATTER)
        return accel_error_set(ACCEL_INVALID, "%s: kernel \"%s\" is of no scatter, which ACCEL_SCATTER defines; %s",
                               function, kernel->name, accel_kernel_use(kernel));
    if (kernel->properties.args_size != sizeof(accel_scatter_task))
        return accel_error_set(ACCEL_INCOMPATIBLE,
                               "%s: kernel \"%s\" was compiled for scatters of %zu bytes, those of this library have "
                               "%zu; rebuild it with this version's accelcc",
                               function, kernel->name, kernel->properties.args_size, sizeof(accel_scatter_task));
    return accel_pattern_check_kernel(function, queue, kernel);
}

/* Bytes of so many sets and their claims; false if that overflows. */
static bool set_copies(accel_scatter_view *view, bool claims, uint32_t copies, size_t *bytes)
{
    view->copies = copies;
    return !__builtin_mul_overflow(view->stride, copies, bytes) &&
           (!claims || copies == 1 || !__builtin_add_overflow(*bytes, (size_t)copies * CLAIM, bytes));
}

static accel_status set_sizes(const char *function, const accel_queue *queue, const accel_kernel *kernel,
                              uint32_t copies, accel_scatter_view *view, size_t *bytes)
{
    const size_t size = kernel->properties.element_size, cpus = queue->device->properties.compute_units;
    size_t dense, stride;
    bool fits =
        !__builtin_mul_overflow(view->count, size, &dense) && !__builtin_add_overflow(dense, GAP + STRIDE - 1, &stride);

    if (fits) {
        view->stride = stride / STRIDE * STRIDE;
        if (copies != 0)
            fits = set_copies(view, is_cpu(queue), copies, bytes);
        else if (!is_cpu(queue) || cpus >= UINT32_MAX || !set_copies(view, true, (uint32_t)cpus + 1, bytes) ||
                 *bytes > MOST_BYTES)
            fits = set_copies(view, false, 1, bytes);
    }
    return fits ? ACCEL_OK
                : accel_error_set(
                      ACCEL_LIMIT,
                      "%s: kernel \"%s\": %u times %zu cells of %zu bytes are more than 2^64 bytes; ask for fewer",
                      function, kernel->name, copies != 0 ? copies : 1, (size_t)view->count, size);
}

/* One launch for all cells. */
static accel_status run(const char *function, accel_queue *queue, const accel_scatter *scatter, accel_buffer *target,
                        bool fresh)
{
    const size_t n = (size_t)scatter->view.count, most = scatter->kernel->max_blocks[0];
    const size_t blocks = n == 0 ? 1 : accel_divide_up(n, BLOCK_CELLS);
    const accel_work work = accel_work_1d(blocks < most ? blocks : most, ACCEL_PATTERN_THREADS, 1);
    struct {
        accel_scatter_task task;
        accel_pattern_places places;
    } all = {.task = {.view = scatter->view, .target = target != NULL ? target->ptr : NULL, .fresh = fresh},
             .places = {.n = n, .extent = {1, 1, n}}};
    accel_status status = queue->launch(queue->impl, scatter->kernel->impl, &work, &all);

    return accel_device_result(function, queue->device, status);
}

static void destroy(accel_scatter *scatter)
{
    accel_buffer_release(scatter->memory);
    accel_kernel_release(scatter->kernel);
    accel_deallocate(scatter);
}

ACCEL_API accel_status accel_scatter_create(accel_queue *queue, accel_kernel *kernel, size_t count,
                                            const accel_scatter_desc *given, accel_scatter **out)
{
    static const char function[] = "accel_scatter_create";
    accel_scatter_view view = {.count = count};
    accel_scatter_desc desc;
    accel_buffer_desc memory;
    accel_scatter *scatter;
    size_t bytes = 0;
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK)
        status = check_kernel(function, queue, kernel);
    if (status == ACCEL_OK && out == NULL)
        status = accel_error_null(function, "scatter");
    if (status == ACCEL_OK)
        status = accel_struct_import(function, "accel_scatter_desc", &desc, sizeof(desc), given);
    if (status == ACCEL_OK)
        status = set_sizes(function, queue, kernel, desc.copies, &view, &bytes);
    if (status != ACCEL_OK)
        return status;
    scatter = accel_allocate(sizeof(*scatter));
    if (scatter == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    accel_reference_init(&scatter->reference);
    scatter->kernel = accel_kernel_retain(kernel);
    memory = accel_buffer_1d(1, bytes);
    status = accel_buffer_create(queue->device, &memory, &scatter->memory);
    if (status != ACCEL_OK) {
        accel_error_rename(status, function);
    } else {
        view.cells = scatter->memory->ptr;
        if (is_cpu(queue) && view.copies > 1)
            view.claims = (unsigned char *)view.cells + view.copies * view.stride;
        scatter->view = view;
        status = run(function, queue, scatter, NULL, true);
    }
    if (status != ACCEL_OK)
        destroy(scatter);
    else
        *out = scatter;
    return status;
}

ACCEL_API accel_scatter *accel_scatter_retain(accel_scatter *scatter)
{
    if (scatter != NULL)
        accel_reference_retain(&scatter->reference);
    return scatter;
}

ACCEL_API void accel_scatter_release(accel_scatter *scatter)
{
    if (scatter != NULL && accel_reference_release(&scatter->reference))
        destroy(scatter);
}

ACCEL_API accel_status accel_scatter_info(const accel_scatter *scatter, accel_scatter_properties *out)
{
    static const char function[] = "accel_scatter_info";
    accel_scatter_properties properties = ACCEL_SCATTER_PROPERTIES_INIT;

    if (scatter == NULL)
        return accel_error_null(function, "scatter");
    if (out == NULL)
        return accel_error_null(function, "properties");
    properties.copies = scatter->view.copies;
    properties.count = (size_t)scatter->view.count;
    properties.element_size = scatter->kernel->properties.element_size;
    properties.bytes = scatter->memory->extent[0];
    properties.view = scatter->view;
    return accel_struct_export(function, "accel_scatter_properties", out, &properties, sizeof(properties));
}

/* --- use --- */

static accel_status check(const char *function, accel_queue *queue, const accel_scatter *scatter)
{
    accel_status status = accel_queue_check(function, queue);

    if (status != ACCEL_OK)
        return status;
    if (scatter == NULL)
        return accel_error_null(function, "scatter");
    status = accel_launch_check_queue(function, scatter->kernel, queue);
    if (status == ACCEL_OK)
        status = accel_device_usable(function, "scatter", scatter->memory->device, scatter->memory->fork_generation);
    return status;
}

static accel_status check_target(const char *function, const accel_queue *queue, const accel_scatter *scatter,
                                 const accel_buffer *target)
{
    const size_t size = scatter->kernel->properties.element_size, count = (size_t)scatter->view.count;
    char text[320];
    accel_status status;

    if (target == NULL)
        return accel_error_null(function, "target");
    status = accel_device_usable(function, "target", target->device, target->fork_generation);
    if (status != ACCEL_OK)
        return status;
    if (target->element_size != size)
        return accel_error_set(ACCEL_INVALID,
                               "%s: elements of the target have %zu bytes, those of the scatter \"%s\" %zu; create it "
                               "with that element size",
                               function, target->element_size, scatter->kernel->name, size);
    if (target->dims != 1 || target->extent[0] < count)
        return accel_error_set(ACCEL_INVALID,
                               "%s: the target, a %s, is not of one dimension with %zu elements, as many as the "
                               "scatter \"%s\" has cells",
                               function, accel_buffer_text(target, text), count, scatter->kernel->name);
    if (!accel_place_is_direct(queue, target))
        return accel_place_refused(function, "the target", queue, target);
    return ACCEL_OK;
}

ACCEL_API accel_status accel_scatter_contribute(accel_queue *queue, accel_scatter *scatter, accel_buffer *target)
{
    static const char function[] = "accel_scatter_contribute";
    accel_status status = check(function, queue, scatter);

    if (status == ACCEL_OK)
        status = check_target(function, queue, scatter, target);
    return status == ACCEL_OK && scatter->view.count != 0 ? run(function, queue, scatter, target, false) : status;
}

ACCEL_API accel_status accel_scatter_reset(accel_queue *queue, accel_scatter *scatter)
{
    static const char function[] = "accel_scatter_reset";
    accel_status status = check(function, queue, scatter);

    return status == ACCEL_OK && scatter->view.count != 0 ? run(function, queue, scatter, NULL, false) : status;
}
