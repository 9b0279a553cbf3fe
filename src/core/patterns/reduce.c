/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel_reduce and accel_reduce_unordered. A launch makes one result of each tile of elements. While there are several, a
 * launch makes one result of each tile of results. How the elements are joined is the kernel's (accel/kernel/reduce.h) and
 * depends on their number alone, so the steps must be the same on every device: only how many tiles a block makes may differ.
 */
#include <accel/pattern.h>

#include "core/base/error.h"
#include "core/launch/launch.h"
#include "core/launch/pieces.h"
#include "core/memory/copy.h"
#include "core/memory/extent.h"
#include "core/patterns/check.h"
#include "core/patterns/place.h"
#include "core/patterns/scratch.h"

/* One call. `all` is what the kernel is handed: the caller's arguments, and behind them the places. These are written there number
 * by number, as the kernel reads them: a copy would be read while its parts are still on their way to the cache. */
typedef struct reduction {
    accel_queue *queue;
    accel_kernel *kernel;
    size_t n, element_size;
    size_t pieces; /* of elements, if the first step is launched by pieces; else 0 */
    accel_pattern_places *places;
    _Alignas(64) unsigned char all[ACCEL_MAX_ARGS_SIZE];
} reduction;

static size_t tiles_of(size_t n)
{
    return n == 0 ? 1 : accel_divide_up(n, ACCEL_TILE_ELEMS);
}

static accel_status check_kernel(const char *function, const accel_queue *queue, const accel_kernel *kernel,
                                 uint32_t dims)
{
    accel_status status;

    if (kernel != NULL && kernel->properties.pattern != ACCEL_PATTERN_REDUCE)
        return accel_error_set(ACCEL_INVALID, "%s: kernel \"%s\" is no reduction; %s", function, kernel->name,
                               accel_kernel_use(kernel));
    status = accel_pattern_check_kernel(function, queue, kernel);
    if (status == ACCEL_OK && dims != kernel->properties.pattern_dims)
        return accel_error_set(ACCEL_INVALID, "%s: dims is %u, but kernel \"%s\" reduces %u; pass as many extents",
                               function, dims, kernel->name, kernel->properties.pattern_dims);
    return status;
}

static accel_status check_result(const char *function, const accel_kernel *kernel, const accel_buffer *result)
{
    accel_status status = accel_pattern_check_result(function, kernel, result);

    if (status == ACCEL_OK && accel_buffer_empty(result))
        return accel_error_set(ACCEL_INVALID,
                               "%s: the result buffer has no elements; kernel \"%s\" writes one: create it with 1",
                               function, kernel->name);
    return status;
}

static accel_status too_many(const char *function, const accel_kernel *kernel, uint32_t dims, const size_t extent[])
{
    char text[144];

    return accel_error_set(ACCEL_LIMIT,
                           "%s: kernel \"%s\": extents of %s are 2^64 elements or more; check them, or reduce in parts",
                           function, kernel->name, accel_extent_text(dims, extent, text));
}

static accel_status set_extent(const char *function, reduction *r, uint32_t dims, const size_t extent[])
{
    r->places->extent[0] = r->places->extent[1] = 1;
    r->n = r->places->extent[2] = extent[dims - 1];
    if (dims == 1)
        return ACCEL_OK;
    r->n = 1;
    for (uint32_t d = 0; d < dims; ++d)
        r->places->extent[3 - dims + d] = extent[d];
    for (uint32_t d = 0; d < dims; ++d) {
        if (extent[d] == 0) {
            r->n = 0;
            return ACCEL_OK;
        }
    }
    for (uint32_t d = 0; d < dims; ++d) {
        if (__builtin_mul_overflow(r->n, extent[d], &r->n))
            return too_many(function, r->kernel, dims, extent);
    }
    return ACCEL_OK;
}

/* A result for each tile of n elements, which are `in`, or computed if that is NULL. */
static accel_status step(const char *function, reduction *r, size_t n, const void *in, void *out)
{
    static const accel_work one_tile = {
        .struct_size = sizeof(one_tile), .dims = 1, .blocks = {1}, .threads = {ACCEL_PATTERN_THREADS}, .elems = {1}};
    accel_work many;
    const accel_work *work = &one_tile;
    size_t tiles = tiles_of(n);
    accel_status status;

    if (tiles > 1) {
        many = in == NULL && r->pieces != 0 ? accel_work_1d(r->pieces, ACCEL_TILE_LANES, 1)
                                            : accel_pattern_work(r->kernel, tiles);
        work = &many;
    }
    r->places->n = n;
    r->places->in = in;
    r->places->out = out;
    status = r->queue->launch(r->queue->impl, r->kernel->impl, work, r->all);
    return accel_device_result(function, r->queue->device, status);
}

/* Of a step's results, with what the first step keeps of tiles in pieces (accel/object.h). */
static size_t results_bytes(const reduction *r, size_t tiles, bool first)
{
    if (!first || r->pieces == 0)
        return tiles * r->element_size;
    return ACCEL_LANES_AT(tiles, r->element_size) +
           tiles * ACCEL_TILE_PIECES * ACCEL_PIECE_LANES_BYTES(r->element_size);
}

/* What the steps take: the slot, and the results of every step but the last. */
static size_t scratch_bytes(const reduction *r)
{
    size_t used = ACCEL_SCRATCH_SLOT;

    for (size_t n = r->n, tiles = tiles_of(n); tiles > 1; n = tiles, tiles = tiles_of(n))
        (void)accel_scratch_part(NULL, &used, results_bytes(r, tiles, n == r->n));
    return used;
}

static accel_status run(const char *function, reduction *r, unsigned char *memory, void *out)
{
    size_t n = r->n, used = ACCEL_SCRATCH_SLOT;
    const void *in = NULL;
    accel_status status = ACCEL_OK;

    for (size_t tiles = tiles_of(n); tiles > 1 && status == ACCEL_OK; tiles = tiles_of(n)) {
        void *results = accel_scratch_part(memory, &used, results_bytes(r, tiles, in == NULL));

        status = step(function, r, n, in, results);
        r->places->flags = 0; /* results are joined in order */
        r->places->pieces = in == NULL ? r->pieces : 0;
        in = results;
        n = tiles;
    }
    return status == ACCEL_OK ? step(function, r, n, in, out) : status;
}

/* Steps with memory between them, or a result that goes elsewhere. */
__attribute__((noinline)) static accel_status run_with_scratch(const char *function, reduction *r, accel_buffer *result,
                                                               bool direct)
{
    accel_scratch *scratch;
    accel_buffer *slot = NULL;
    accel_status status = accel_scratch_enter(function, r->queue, scratch_bytes(r), &scratch);

    if (status != ACCEL_OK)
        return status;
    if (!direct)
        status = accel_scratch_slot(function, r->queue, scratch, r->element_size, &slot);
    if (status == ACCEL_OK)
        status = run(function, r, accel_scratch_memory(scratch), direct ? result->ptr : slot->ptr);
    if (status == ACCEL_OK && !direct)
        status = accel_copy_first(function, r->queue, result, slot);
    accel_scratch_leave(scratch);
    return status;
}

/* A right call, whose result is of the queue's own device. Of another call `check` finds what is wrong, or that nothing is. */
static inline bool is_usual(const accel_queue *queue, const accel_kernel *kernel, uint32_t dims, const size_t extent[],
                            const void *args, size_t args_size, const accel_buffer *result)
{
    if (kernel == NULL || extent == NULL || args == NULL || result == NULL)
        return false;
    return (kernel->properties.pattern == ACCEL_PATTERN_REDUCE) & (kernel->properties.pattern_dims == dims) &
           (kernel->root == queue->root) & (kernel->max_threads >= ACCEL_PATTERN_THREADS) &
           (kernel->args_size == args_size) & (result->device == queue->root) &
           (result->fork_generation == accel_guard_fork_generation) & (result->dims == 1) & (result->extent[0] != 0) &
           (result->element_size == kernel->properties.element_size);
}

__attribute__((noinline)) static accel_status check(const char *function, const accel_queue *queue,
                                                    const accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                                    const void *args, size_t args_size, const accel_buffer *result)
{
    accel_status status = check_kernel(function, queue, kernel, dims);

    if (status == ACCEL_OK && extent == NULL)
        status = accel_error_null(function, "extent");
    if (status == ACCEL_OK)
        status = accel_launch_check_args(function, kernel, args, args_size);
    if (status == ACCEL_OK)
        status = check_result(function, kernel, result);
    return status;
}

/* Each of the two has its own, so the names and flags are constants. */
__attribute__((always_inline)) static inline accel_status reduce(const char *function, uint64_t flags,
                                                                 accel_queue *queue, accel_kernel *kernel,
                                                                 uint32_t dims, const size_t extent[], const void *args,
                                                                 size_t args_size, accel_buffer *result)
{
    reduction r; /* of `all` only what the kernel reads is written */
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK && !__builtin_expect(is_usual(queue, kernel, dims, extent, args, args_size, result), 1))
        status = check(function, queue, kernel, dims, extent, args, args_size, result);
    if (status != ACCEL_OK)
        return status;
    r.queue = queue;
    r.kernel = kernel;
    r.element_size = kernel->properties.element_size;
    r.places = (accel_pattern_places *)(void *)(r.all + accel_pattern_set_args(r.all, kernel, args, args_size));
    r.places->flags = flags;
    r.places->pieces = 0;
    status = set_extent(function, &r, dims, extent);
    if (status != ACCEL_OK)
        return status;
    r.pieces = queue->device->properties.kind == ACCEL_DEVICE_CPU && flags == 0 ? accel_pieces_of_few(r.n) : 0;

    bool direct = accel_place_is_direct(queue, result);

    if (direct && tiles_of(r.n) == 1)
        return step(function, &r, r.n, NULL, result->ptr);
    return run_with_scratch(function, &r, result, direct);
}

ACCEL_API accel_status accel_reduce(accel_queue *queue, accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                    const void *args, size_t args_size, accel_buffer *result)
{
    return reduce("accel_reduce", 0, queue, kernel, dims, extent, args, args_size, result);
}

ACCEL_API accel_status accel_reduce_unordered(accel_queue *queue, accel_kernel *kernel, uint32_t dims,
                                              const size_t extent[], const void *args, size_t args_size,
                                              accel_buffer *result)
{
    return reduce("accel_reduce_unordered", ACCEL_PLACES_UNORDERED, queue, kernel, dims, extent, args, args_size,
                  result);
}
