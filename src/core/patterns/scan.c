/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel_scan. A launch makes the totals of tiles, one launch what precedes each tile in its group, one what precedes each
 * group; then tiles are scanned behind these. The order is the kernel's (accel/kernel/scan.h).
 *
 * Elements are read twice. On CPUs whose second-level caches do not keep them, one launch does it all in chunks, so that they
 * are in the caches the second time (accel/kernel/cpu/chunks.h).
 */
#include <accel/pattern.h>

#include "core/base/error.h"
#include "core/launch/launch.h"
#include "core/patterns/check.h"
#include "core/patterns/place.h"
#include "core/patterns/scan.h"
#include "core/patterns/scratch.h"

static const char function[] = "accel_scan";

enum { GROUP_TILES = ACCEL_SCAN_RUNS };

/* One call. `all` is what the kernel is handed: the caller's arguments, and behind them the places, which are written there number by
 * number (reduce.c). */
typedef struct scan {
    accel_queue *queue;
    accel_kernel *kernel;
    accel_scan_places *places;
    size_t tiles, groups, threads; /* threads: that take chunks; 0: not in chunks */
    bool keeps_runs;               /* what precedes runs is kept from their totals on; GPUs make it again */
    _Alignas(64) unsigned char all[ACCEL_MAX_ARGS_SIZE];
} scan;

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
        return accel_place_refused(function, "the result", queue, result);
    return ACCEL_OK;
}

/* Tiles of a thread's chunk, or 0: the scan is not in chunks, as its elements and results stay in the second levels from the
 * totals on, and from call to call. A row of ACCEL_SCAN_KEPT_CHUNKS is in a thread's second level, and their results, unless these
 * bypass it (docs/notebook/scans.md). */
static size_t chunk_for(accel_device *device, size_t bytes, size_t tile_bytes, bool streams)
{
    enum { ALWAYS_KEPT = 1 << 20, USUAL = 1 << 20, PART = 64, STREAMED_PART = 32 };
    const uint64_t units = accel_device_units(&device->properties);

    if (2 * (uint64_t)bytes <= ALWAYS_KEPT)
        return 0;
    uint64_t second = accel_device_second_bytes(device);
    if (second == 0)
        second = units * USUAL;
    if (2 * (uint64_t)bytes <= second)
        return 0;
    size_t tiles = (size_t)(second / units / (streams ? STREAMED_PART : PART)) / tile_bytes;
    return tiles != 0 ? tiles : 1;
}

/* Values between the steps take at most 1.1 times as many bytes as the elements: of what is let through no sum overflows. */
static accel_status set_extent(scan *s, size_t n)
{
    accel_device *device = s->queue->device;
    const size_t elem_bytes = s->kernel->properties.element_size;
    size_t bytes;

    if (__builtin_mul_overflow(n, elem_bytes, &bytes) || bytes > PTRDIFF_MAX)
        return accel_error_set(ACCEL_LIMIT,
                               "%s: kernel \"%s\" scans %zu elements of %zu bytes, more than an address space holds "
                               "(%zu bytes); check their number, or scan in parts",
                               function, s->kernel->name, n, elem_bytes, (size_t)PTRDIFF_MAX);
    s->tiles = accel_divide_up(n, ACCEL_SCAN_TILE_ELEMS);
    s->groups = accel_divide_up(s->tiles, GROUP_TILES);
    s->keeps_runs = device->properties.kind == ACCEL_DEVICE_CPU;
    s->threads = 0;
    s->places->n = n;
    if (!s->keeps_runs)
        return ACCEL_OK;
    bool streams = accel_device_bypasses_caches(device, bytes);
    if (streams) /* else memory is read that is then overwritten */
        s->places->flags |= ACCEL_SCAN_PLACES_STREAM;
    s->places->chunk = chunk_for(device, bytes, ACCEL_SCAN_TILE_ELEMS * elem_bytes, streams);
    if (s->places->chunk != 0)
        s->threads = accel_device_units(&device->properties);
    return ACCEL_OK;
}

static void *part(const scan *s, unsigned char *memory, size_t *used, size_t count)
{
    return accel_scratch_part(memory, used, count * (s->kernel->properties.element_size + ACCEL_SCAN_HEAD_BYTES));
}

static accel_scan_progress *progress(const scan *s, unsigned char *memory, size_t *used)
{
    size_t bytes = sizeof(accel_scan_progress) + ACCEL_SCAN_KEPT_CHUNKS * s->threads * sizeof(uint64_t) +
                   accel_divide_up(s->tiles, (size_t)s->places->chunk);

    return accel_scratch_part(memory, used, bytes);
}

/* Puts the values between the steps into the memory, and says how many bytes they take. */
static size_t divide_memory(scan *s, unsigned char *memory)
{
    size_t used = ACCEL_SCRATCH_SLOT;
    size_t kept_tiles = s->threads != 0 ? ACCEL_SCAN_KEPT_CHUNKS * s->threads * (size_t)s->places->chunk : s->tiles;

    s->places->runs = s->keeps_runs ? part(s, memory, &used, kept_tiles * ACCEL_SCAN_RUNS) : NULL;
    s->places->totals = part(s, memory, &used, s->tiles);
    s->places->tiles = part(s, memory, &used, s->tiles);
    s->places->groups = part(s, memory, &used, s->groups);
    s->places->carries = part(s, memory, &used, s->groups);
    s->places->progress = s->threads != 0 ? progress(s, memory, &used) : NULL;
    return used;
}

static accel_status step(scan *s, uint32_t which, const accel_work *work)
{
    s->places->step = which;
    return accel_device_result(function, s->queue->device,
                               s->queue->launch(s->queue->impl, s->kernel->impl, work, s->all));
}

/* Scans the tiles before `end`, and makes the totals of those from there to `next`. */
static accel_status step_tiles(scan *s, size_t end, size_t next)
{
    size_t totals = next - end;
    accel_work work = accel_pattern_work(s->kernel, end > totals ? end : totals);

    s->places->begin = 0;
    s->places->end = end;
    s->places->total_begin = end;
    s->places->total_end = next;
    return step(s, ACCEL_SCAN_STEP_TILES, &work);
}

static accel_status step_groups(scan *s)
{
    accel_work work = s->keeps_runs
                          ? accel_work_1d(1, ACCEL_PATTERN_THREADS, s->groups) /* too little for several threads */
                          : accel_pattern_work(s->kernel, s->groups);

    s->places->begin = 0;
    s->places->end = s->groups;
    s->places->total_begin = 0;
    s->places->total_end = s->tiles;
    return step(s, ACCEL_SCAN_STEP_GROUPS, &work);
}

static accel_status step_carries(scan *s)
{
    accel_work work = accel_work_1d(1, ACCEL_PATTERN_THREADS, 1);

    s->places->begin = 0;
    s->places->end = s->groups - 1;
    return step(s, ACCEL_SCAN_STEP_CARRIES, &work);
}

static accel_status run(scan *s)
{
    accel_status status = step_tiles(s, 0, s->tiles);

    if (status == ACCEL_OK)
        status = step_groups(s);
    if (status == ACCEL_OK && s->groups > 1)
        status = step_carries(s);
    if (status == ACCEL_OK)
        status = step_tiles(s, s->tiles, s->tiles);
    return status;
}

static accel_status run_in_chunks(scan *s)
{
    accel_work one = accel_work_1d(1, ACCEL_PATTERN_THREADS, 1), threads = accel_pattern_work(s->kernel, s->threads);
    accel_work rest = accel_pattern_work(s->kernel, s->threads + 1); /* of another shape, for it is mostly empty */

    s->places->begin = 0;
    s->places->end = s->threads;
    accel_status status = step(s, ACCEL_SCAN_STEP_BEGIN, &one);
    if (status == ACCEL_OK)
        status = step(s, ACCEL_SCAN_STEP_CHUNKS, &threads);
    if (status == ACCEL_OK)
        status = step(s, ACCEL_SCAN_STEP_KNOWN, &one);
    if (status == ACCEL_OK)
        status = step(s, ACCEL_SCAN_STEP_REST, &rest);
    return status;
}

__attribute__((noinline)) static accel_status run_with_scratch(scan *s)
{
    accel_scratch *scratch;
    accel_status status = accel_scratch_enter(function, s->queue, divide_memory(s, NULL), &scratch);

    if (status != ACCEL_OK)
        return status;
    (void)divide_memory(s, accel_scratch_memory(scratch));
    status = s->threads != 0 ? run_in_chunks(s) : run(s);
    accel_scratch_leave(scratch);
    return status;
}

/* What was checked; n is not 0. */
static accel_status scan_into(accel_queue *queue, accel_kernel *kernel, size_t n, const void *args, size_t args_size,
                              void *out, uint32_t flags)
{
    scan s; /* of `all` only what the kernel reads is written */
    accel_status status;

    s.queue = queue;
    s.kernel = kernel;
    s.places = (accel_scan_places *)(void *)(s.all + accel_pattern_set_args(s.all, kernel, args, args_size));
    *s.places =
        (accel_scan_places){.flags = (flags & ACCEL_SCAN_INCLUSIVE) != 0 ? ACCEL_SCAN_PLACES_INCLUSIVE : 0, .out = out};
    status = set_extent(&s, n);
    if (status != ACCEL_OK)
        return status;
    return s.tiles == 1 ? step_tiles(&s, 1, 1) : run_with_scratch(&s);
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
