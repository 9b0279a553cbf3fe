/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel_scan. A launch makes the totals of tiles, one launch what precedes each tile in its group, one what precedes each
 * group; then tiles are scanned behind these. The order is the kernel's (accel/kernel/scan.h).
 *
 * Elements are read twice. So that the second time they are still in the caches of CPUs, these do it in chunks: a launch
 * scans the tiles of one chunk and makes the totals of the next. GPUs have one chunk.
 */
#include <accel/pattern.h>

#include "core/base/error.h"
#include "core/launch/launch.h"
#include "core/patterns/check.h"
#include "core/patterns/place.h"
#include "core/patterns/scan.h"
#include "core/patterns/scratch.h"

#include <string.h>

static const char function[] = "accel_scan";

enum { GROUP_TILES = ACCEL_SCAN_RUNS };

/* One call. `all` is what the kernel is handed: the caller's arguments, and behind them the places. */
typedef struct scan {
    accel_queue *queue;
    accel_kernel *kernel;
    size_t places_at;
    accel_scan_places places;
    size_t tiles, groups, chunk; /* chunk: in tiles */
    bool keeps_runs;             /* what precedes runs is kept from their totals on; GPUs make it again */
    _Alignas(64) unsigned char all[ACCEL_MAX_ARGS_SIZE];
} scan;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static accel_status check_kernel(const accel_queue *queue, const accel_kernel *kernel)
{
    if (kernel != NULL && kernel->properties.pattern != ACCEL_PATTERN_SCAN &&
        kernel->properties.pattern != ACCEL_PATTERN_SCAN_FINAL)
        return accel_error_set(ACCEL_INVALID, "%s: kernel \"%s\" is no scan; %s", function, kernel->name,
                               accel_kernel_use(kernel));
    return accel_pattern_check_kernel(function, queue, kernel);
}

static accel_status check_result(const accel_queue *queue, const accel_kernel *kernel, size_t n,
                                 const accel_buffer *result)
{
    accel_status status;

    if (result == NULL && kernel->properties.pattern == ACCEL_PATTERN_SCAN_FINAL)
        return ACCEL_OK;
    status = accel_pattern_check_result(function, kernel, result);
    if (status != ACCEL_OK)
        return status;
    if (result->dims != 1)
        return accel_error_set(ACCEL_INVALID,
                               "%s: the result buffer has %u dimensions; a scan writes one: wrap it as one", function,
                               result->dims);
    if (result->extent[0] < n)
        return accel_error_set(
            ACCEL_INVALID, "%s: the result buffer has %zu elements, kernel \"%s\" scans %zu; create it with as many",
            function, result->extent[0], kernel->name, n);
    if (!accel_place_is_direct(queue, result))
        return accel_error_set(ACCEL_INVALID,
                               "%s: kernels of \"%s\" do not write to the result buffer, which is memory of \"%s\"%s; "
                               "scan into a buffer of \"%s\" and copy it",
                               function, queue->device->properties.name, result->device->properties.name,
                               result->owner == ACCEL_OWNER_QUEUE ? " and another queue's" : "",
                               queue->device->properties.name);
    return ACCEL_OK;
}

/* Tiles of a chunk, for CPUs whose caches keep `cached` bytes; 0 if results do not bypass them. A group for each unit: the
 * third level has it still, and launches are few. If the elements are much more than is kept, what stays in the second
 * levels: a quarter of them (docs/notebook/reductions.md). */
static size_t chunk_for(size_t n, size_t elem_bytes, size_t units, uint64_t cached)
{
    enum { MUCH_MORE = 3, PART = 32, LEAST_TILES = 8 }; /* cached: at most eight times the second levels */

    if (cached == 0 || n * elem_bytes <= MUCH_MORE * cached)
        return units * GROUP_TILES;
    size_t tiles = (size_t)(cached / PART) / (ACCEL_SCAN_TILE_ELEMS * elem_bytes);
    return least(units * GROUP_TILES, tiles > units * LEAST_TILES ? tiles : units * LEAST_TILES);
}

static void set_extent(scan *s, size_t n)
{
    accel_device *device = s->queue->device;
    const size_t elem_bytes = s->kernel->properties.element_size;

    s->tiles = accel_divide_up(n, ACCEL_SCAN_TILE_ELEMS);
    s->groups = accel_divide_up(s->tiles, GROUP_TILES);
    s->keeps_runs = device->properties.kind == ACCEL_DEVICE_CPU;
    s->chunk = s->tiles;
    if (s->keeps_runs) {
        bool streams = accel_device_bypasses_caches(device, n * elem_bytes);
        if (streams) /* else memory is read that is then overwritten */
            s->places.flags |= ACCEL_SCAN_PLACES_STREAM;
        s->chunk = least(s->tiles, chunk_for(n, elem_bytes, accel_device_units(&device->properties),
                                             streams ? accel_device_cached_bytes(device) : 0));
    }
    s->places.n = n;
    s->places.window = least(s->tiles, 2 * s->chunk);
}

static void *part(const scan *s, unsigned char *memory, size_t *used, size_t count)
{
    return accel_scratch_part(memory, used, count * (s->kernel->properties.element_size + ACCEL_SCAN_HEAD_BYTES));
}

/* Puts the values between the steps into the memory, and says how many bytes they take. */
static size_t divide_memory(scan *s, unsigned char *memory)
{
    size_t used = ACCEL_SCRATCH_SLOT;

    s->places.runs = s->keeps_runs ? part(s, memory, &used, s->places.window * ACCEL_SCAN_RUNS) : NULL;
    s->places.totals = part(s, memory, &used, s->tiles);
    s->places.tiles = part(s, memory, &used, s->tiles);
    s->places.groups = part(s, memory, &used, s->groups);
    s->places.carries = part(s, memory, &used, s->groups);
    return used;
}

static accel_status step(scan *s, uint32_t which, size_t begin, size_t end, size_t count)
{
    accel_work work = accel_pattern_work(s->kernel, count);

    s->places.step = which;
    s->places.begin = begin;
    s->places.end = end;
    if (which != ACCEL_SCAN_STEP_TILES && s->keeps_runs) /* too little for several threads */
        work = accel_work_1d(1, ACCEL_PATTERN_THREADS, count);
    memcpy(s->all + s->places_at, &s->places, sizeof(s->places));
    return accel_device_result(function, s->queue->device,
                               s->queue->launch(s->queue->impl, s->kernel->impl, &work, s->all));
}

/* Scans the tiles from begin to end and makes the totals of those from end to the next. */
static accel_status step_tiles(scan *s, size_t begin, size_t end, size_t next)
{
    size_t scans = end - begin, totals = next - end;

    s->places.total_begin = end;
    s->places.total_end = next;
    return step(s, ACCEL_SCAN_STEP_TILES, begin, end, scans > totals ? scans : totals);
}

static accel_status run(scan *s)
{
    size_t end = least(s->chunk, s->tiles);
    accel_status status = step_tiles(s, 0, 0, end);

    for (size_t begin = 0; begin < s->tiles && status == ACCEL_OK;) {
        size_t next = least(s->tiles, end + s->chunk), group = begin / GROUP_TILES,
               group_end = accel_divide_up(end, GROUP_TILES), whole = least(end / GROUP_TILES, s->groups - 1);

        s->places.total_end = end;
        status = step(s, ACCEL_SCAN_STEP_GROUPS, group, group_end, group_end - group);
        if (status == ACCEL_OK && group < whole)
            status = step(s, ACCEL_SCAN_STEP_CARRIES, group, whole, 1);
        if (status == ACCEL_OK)
            status = step_tiles(s, begin, end, next);
        begin = end;
        end = next;
    }
    return status;
}

__attribute__((noinline)) static accel_status run_with_scratch(scan *s)
{
    accel_scratch *scratch;
    accel_status status = accel_scratch_enter(function, s->queue, divide_memory(s, NULL), &scratch);

    if (status != ACCEL_OK)
        return status;
    (void)divide_memory(s, accel_scratch_memory(scratch));
    status = run(s);
    accel_scratch_leave(scratch);
    return status;
}

/* What was checked; n is not 0. */
static accel_status scan_into(accel_queue *queue, accel_kernel *kernel, size_t n, const void *args, size_t args_size,
                              void *out, uint32_t flags)
{
    scan s; /* of `all` only what the kernel reads is written */

    s.queue = queue;
    s.kernel = kernel;
    s.places_at = accel_pattern_set_args(s.all, kernel, args, args_size);
    s.places =
        (accel_scan_places){.flags = (flags & ACCEL_SCAN_INCLUSIVE) != 0 ? ACCEL_SCAN_PLACES_INCLUSIVE : 0, .out = out};
    set_extent(&s, n);
    return s.tiles == 1 ? step_tiles(&s, 0, 1, 1) : run_with_scratch(&s);
}

accel_status accel_scan_check_flags(const char *caller, uint32_t flags)
{
    if ((flags & ~(uint32_t)ACCEL_SCAN_INCLUSIVE) == 0)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID, "%s: flags are %#x, of which only ACCEL_SCAN_INCLUSIVE (%#x) is known",
                           caller, flags, (unsigned)ACCEL_SCAN_INCLUSIVE);
}

accel_status accel_scan_run(accel_queue *queue, accel_kernel *kernel, size_t n, const void *args, size_t args_size,
                            void *out, uint32_t flags)
{
    accel_status status = accel_pattern_check_kernel(function, queue, kernel);

    if (status != ACCEL_OK || n == 0)
        return status;
    return scan_into(queue, kernel, n, args, args_size, out, flags);
}

ACCEL_API accel_status accel_scan(accel_queue *queue, accel_kernel *kernel, size_t n, const void *args,
                                  size_t args_size, accel_buffer *result, uint32_t flags)
{
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK)
        status = check_kernel(queue, kernel);
    if (status == ACCEL_OK)
        status = accel_scan_check_flags(function, flags);
    if (status == ACCEL_OK)
        status = accel_launch_check_args(function, kernel, args, args_size);
    if (status == ACCEL_OK)
        status = check_result(queue, kernel, n, result);
    if (status != ACCEL_OK || n == 0)
        return status;
    return scan_into(queue, kernel, n, args, args_size, result != NULL ? result->ptr : NULL, flags);
}
