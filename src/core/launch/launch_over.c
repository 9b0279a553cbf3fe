/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel_launch_over. A kernel remembers the divisions of a few extents, so that a program that launches over the same
 * extents again pays for a look-up. Kernel, extent and device alone decide a division, so none is ever out of date.
 */
#include "core/base/error.h"
#include "core/launch/kernel.h"
#include "core/base/allocate.h"

#include <string.h>

#define BITS 4u /* of an index: 16 extents per kernel */
#define INLINE static inline __attribute__((always_inline))

/* Along one dimension. */
typedef struct remembered_dim {
    _Atomic uint64_t extent, blocks, threads, elems;
} remembered_dim;

/*
 * A division that readers copy without a lock. The sequence is odd while a writer is at work; writers exclude each other by
 * making it odd. Members are read with acquire and written with release: a reader that saw any value of a writer sees that
 * writer's sequence afterwards, too, and discards what it copied.
 */
typedef struct remembered {
    _Alignas(256) _Atomic uint64_t sequence; /* the size is a power of two: entries are found by a shift */
    _Atomic uint64_t dims;                   /* 0: nothing is remembered here */
    remembered_dim dim[ACCEL_MAX_DIMS];
} remembered;

struct accel_kernel_divisions {
    remembered all[1u << BITS];
};

/* Where the extent is remembered, if it is: there, or in the entry beside it. */
INLINE uint32_t place(uint32_t dims, const size_t extent[])
{
    uint64_t hash = dims;

#pragma GCC unroll 6
    for (uint32_t d = 0; d < dims; ++d)
        hash = (hash + extent[d]) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> (64 - BITS));
}

#define READ(member) atomic_load_explicit(&(member), memory_order_acquire)
#define WRITE(member, value) atomic_store_explicit(&(member), value, memory_order_release)

/* Fills what a launch reads of the work: its dimensions. */
INLINE bool recall(const remembered *entry, uint32_t dims, const size_t extent[], accel_work *work)
{
    uint64_t sequence = READ(entry->sequence);

    if (READ(entry->dims) != dims || READ(entry->dim[0].extent) != extent[0])
        return false;
#pragma GCC unroll 6
    for (uint32_t d = 0; d < dims; ++d) {
        if (d > 0 && READ(entry->dim[d].extent) != extent[d])
            return false;
        work->blocks[d] = READ(entry->dim[d].blocks);
        work->threads[d] = READ(entry->dim[d].threads);
        work->elems[d] = READ(entry->dim[d].elems);
    }
    return (sequence & 1) == 0 && atomic_load_explicit(&entry->sequence, memory_order_relaxed) == sequence;
}

static void write(remembered *entry, const size_t extent[], const accel_work *work)
{
    uint64_t sequence = atomic_load_explicit(&entry->sequence, memory_order_relaxed);

    if ((sequence & 1) != 0 || !atomic_compare_exchange_strong_explicit(&entry->sequence, &sequence, sequence + 1,
                                                                        memory_order_acq_rel, memory_order_relaxed))
        return; /* another thread writes here: this division is made again another time */
    WRITE(entry->dims, work->dims);
    for (uint32_t d = 0; d < work->dims; ++d) {
        WRITE(entry->dim[d].extent, extent[d]);
        WRITE(entry->dim[d].blocks, work->blocks[d]);
        WRITE(entry->dim[d].threads, work->threads[d]);
        WRITE(entry->dim[d].elems, work->elems[d]);
    }
    WRITE(entry->sequence, sequence + 2);
}

/* Without memory the division is made each time. */
static struct accel_kernel_divisions *divisions_of(accel_kernel *kernel)
{
    struct accel_kernel_divisions *divisions = READ(kernel->divisions), *made;

    if (divisions != NULL)
        return divisions;
    made = accel_allocate_aligned(_Alignof(remembered), sizeof(*made));
    if (made == NULL)
        return NULL;
    memset(made, 0, sizeof(*made));
    if (!atomic_compare_exchange_strong_explicit(&kernel->divisions, &divisions, made, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        accel_deallocate(made);
        return divisions;
    }
    return made;
}

static void remember(accel_kernel *kernel, const size_t extent[], const accel_work *work)
{
    struct accel_kernel_divisions *divisions = divisions_of(kernel);

    if (divisions == NULL)
        return;

    uint32_t home = place(work->dims, extent);
    bool beside = READ(divisions->all[home].dims) != 0 && READ(divisions->all[home ^ 1].dims) == 0;

    write(&divisions->all[beside ? home ^ 1 : home], extent, work);
}

/* The function that the program called names the text, not the one that found the error. */
__attribute__((cold, noinline)) static accel_status failed(const char *inner, accel_status status)
{
    char text[ACCEL_ERROR_SIZE];
    size_t length = strlen(inner);

    accel_error_save(text);
    return accel_error_set(status, "accel_launch_over%s", strncmp(text, inner, length) == 0 ? text + length : ": ");
}

__attribute__((noinline)) static accel_status divide(accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                                     accel_work *work)
{
    accel_status status;

    *work = (accel_work)ACCEL_WORK_INIT;
    status = accel_work_divide(kernel, dims, extent, NULL, work);
    if (status != ACCEL_OK)
        return failed("accel_work_divide", status);
    remember(kernel, extent, work);
    return ACCEL_OK;
}

/* With `dims` a constant this is straight-line code. */
INLINE bool find(const struct accel_kernel_divisions *divisions, uint32_t dims, const size_t extent[], accel_work *work)
{
    uint32_t home = place(dims, extent);

    return recall(&divisions->all[home], dims, extent, work) || recall(&divisions->all[home ^ 1], dims, extent, work);
}

static bool find_any(const struct accel_kernel_divisions *divisions, uint32_t dims, const size_t extent[],
                     accel_work *work)
{
    return dims == 2   ? find(divisions, 2, extent, work)
           : dims == 3 ? find(divisions, 3, extent, work)
                       : dims - 1 < ACCEL_MAX_DIMS && find(divisions, dims, extent, work);
}

INLINE void begin(accel_work *work, uint32_t dims)
{
    work->struct_size = sizeof(*work);
    work->flags = 0;
    work->dims = dims;
    work->shared_bytes = 0;
}

INLINE accel_status launch(accel_queue *queue, accel_kernel *kernel, const accel_work *work, const void *args,
                           size_t args_size)
{
    accel_status status = accel_launch(queue, kernel, work, args, args_size);

    return __builtin_expect(status == ACCEL_OK, 1) ? ACCEL_OK : failed("accel_launch", status);
}

/* Several dimensions, divisions that are not remembered or not in their first place, and NULL parameters. */
__attribute__((noinline)) static accel_status launch_any(accel_queue *queue, accel_kernel *kernel, uint32_t dims,
                                                         const size_t extent[], const void *args, size_t args_size)
{
    static const char function[] = "accel_launch_over";
    const struct accel_kernel_divisions *divisions;
    accel_work work; /* of its arrays only the dimensions are written and read */
    accel_status status;

    if (queue == NULL)
        return accel_error_null(function, "queue");
    if (kernel == NULL)
        return accel_error_null(function, "kernel");
    if (extent == NULL)
        return accel_error_null(function, "extent");
    begin(&work, dims);
    divisions = READ(kernel->divisions);
    if (divisions == NULL || !find_any(divisions, dims, extent, &work)) {
        status = divide(kernel, dims, extent, &work);
        if (status != ACCEL_OK)
            return status;
    }
    return launch(queue, kernel, &work, args, args_size);
}

ACCEL_API accel_status accel_launch_over(accel_queue *queue, accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                         const void *args, size_t args_size)
{
    const struct accel_kernel_divisions *divisions;
    accel_work work;

    if (kernel == NULL || extent == NULL || dims != 1)
        return launch_any(queue, kernel, dims, extent, args, args_size);
    divisions = READ(kernel->divisions);
    if (divisions == NULL || !recall(&divisions->all[place(1, extent)], 1, extent, &work))
        return launch_any(queue, kernel, 1, extent, args, args_size);
    begin(&work, 1);
    return launch(queue, kernel, &work, args, args_size);
}
