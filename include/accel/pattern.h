/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/pattern.h - running kernels that are patterns (accel/kernel/pattern.h). The conventions are those of accel/accel.h.
 *
 *     size_t n = 1000000;
 *     accel_reduce(queue, ddot, 1, &n, &args, sizeof args, result);    // a buffer of one double
 */
#ifndef ACCEL_PATTERN_H
#define ACCEL_PATTERN_H

#include <accel/accel.h>
#include <accel/scatter.h>
#include <accel/scratch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reduces `extent`, of the kernel's 1 to 3 dimensions, and writes the result into the first element of `result`, in the
 * queue's order: on a non-blocking queue nothing waits. Extents of 0 give what the reducer starts with. `args` is the
 * kernel's argument struct, as for accel_launch. The elements of `result` have the size of the kernel's; it may lie on the
 * queue's device, on the host, or anywhere in the instance that accel_copy reaches from there. It is kept alive until it is written.
 *
 * Up to 16384 elements are one launch. Up to 2^28, the square of that, are two, and each further launch reduces 16384 times as
 * many. They take memory of the queue's device for the results between them, which the queue allocates, keeps for the next call
 * and gives back when it ends. Errors: ACCEL_INVALID (a kernel that is no reduction, other dimensions, another element size, a
 * result without elements), ACCEL_LIMIT (extents whose product overflows, or whose results between launches exceed the
 * device's max_allocation; a kernel whose blocks may not have 128 threads on the device), ACCEL_OUT_OF_MEMORY. After an error of
 * these nothing was submitted, but for a result in memory of another backend: it is copied there behind the launches, so if that
 * copy fails, they have been submitted. A driver may refuse (ACCEL_DRIVER, ACCEL_DEVICE_LOST) one of several launches: then those
 * before it have been submitted. In either case `result` is as it was. */
ACCEL_API accel_status accel_reduce(accel_queue *queue, accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                    const void *args, size_t args_size, accel_buffer *result);

/* accel_reduce without its order, for speed: elements may be joined in any order, which may change from call to call. So
 * sums and products of floating-point numbers may differ in their last bits from run to run; integers do not, nor do
 * minima and maxima. CPUs gain with short rows, and little with structs and few elements, while these are in caches.
 * GPUs gain nothing and join in order. All else is as for accel_reduce. */
ACCEL_API accel_status accel_reduce_unordered(accel_queue *queue, accel_kernel *kernel, uint32_t dims,
                                              const size_t extent[], const void *args, size_t args_size,
                                              accel_buffer *result);

enum accel_scan_flag {
    ACCEL_SCAN_EXCLUSIVE =
        0, /* index i gets what the elements before it become; the first what the reducer starts with */
    ACCEL_SCAN_INCLUSIVE = 1 /* its own element included */
};

/* Scans n elements and writes n results into `result`, in the queue's order: on a non-blocking queue nothing waits. 0
 * elements are done at once. `result` has one dimension, at least n elements of the kernel's size, and is memory that
 * kernels of the queue use: of the queue's device; on CPUs also of the host and of other CPU devices. What another queue made
 * by accel_buffer_create_async, or the driver of a GPU has pinned, is refused. The result may be an array that the element of
 * the same index reads: then the scan is in place. For kernels with a final pass it may be NULL. `args` as for accel_launch.
 *
 * Up to 2048 elements are one launch. More take several, and memory as accel_reduce does. Errors: ACCEL_INVALID (a kernel
 * that is no scan, unknown flags, a result of other elements, with too few, or elsewhere), ACCEL_LIMIT (more elements
 * than an address space holds, or whose results between launches exceed the device's max_allocation; a kernel whose blocks may
 * not have 128 threads on the device), ACCEL_OUT_OF_MEMORY. After an error of these nothing was submitted. A driver may refuse
 * (ACCEL_DRIVER, ACCEL_DEVICE_LOST) one of several launches: then those before it have been submitted. */
ACCEL_API accel_status accel_scan(accel_queue *queue, accel_kernel *kernel, size_t n, const void *args,
                                  size_t args_size, accel_buffer *result, uint32_t flags);

/* ------------------------------------------------------------------------------------------ scatters -- */

/*
 * A scatter: cells that many threads of kernels add to (accel/kernel/scatter.h), without the host or the kernel saying how.
 *
 *     accel_scatter_create(queue, counts, 256, NULL, &scatter);     // `counts` is the kernel that ACCEL_SCATTER defines
 *     accel_scatter_info(scatter, &about);
 *     args.bins = about.view;
 *     accel_launch_over(queue, histogram, 1, &n, &args, sizeof args);
 *     accel_scatter_contribute(queue, scatter, bins);               // adds the cells to a buffer, and resets them
 */
typedef struct accel_scatter accel_scatter;

typedef struct accel_scatter_desc {
    uint32_t struct_size;
    /* Sets of the cells. 1: all threads add to one set, by atomics. 0: the device chooses: a GPU 1; a CPU compute_units + 1,
     * but 1 if all sets together would have more than 64 MiB. Of several sets a CPU adds to set 0 by atomics and to each other
     * one from one thread at a time; on GPUs block b adds to set b modulo copies, by atomics. */
    uint32_t copies;
} accel_scatter_desc;
#define ACCEL_SCATTER_DESC_INIT ACCEL_SIZED_INIT(accel_scatter_desc)

typedef struct accel_scatter_properties {
    uint32_t struct_size;
    uint32_t copies;         /* sets of the cells that there are; 1: all add by atomics */
    size_t count;            /* cells of a set */
    size_t element_size;     /* bytes of a cell */
    size_t bytes;            /* memory of the scatter on the device */
    accel_scatter_view view; /* for the arguments of kernels */
} accel_scatter_properties;
#define ACCEL_SCATTER_PROPERTIES_INIT ACCEL_SIZED_INIT(accel_scatter_properties)

/* Makes a scatter of `count` cells on the queue's device, for all queues of that device and its sub-devices. In the queue's
 * order the cells are set to what the reducer starts with. Errors: ACCEL_INVALID (a kernel that is of no scatter),
 * ACCEL_LIMIT (the sizes overflow, a buffer cannot be so large, or the kernel's blocks may not have 128 threads on the device),
 * ACCEL_OUT_OF_MEMORY. */
ACCEL_API accel_status accel_scatter_create(accel_queue *queue, accel_kernel *kernel, size_t count,
                                            const accel_scatter_desc *desc, accel_scatter **scatter);
ACCEL_API accel_scatter *accel_scatter_retain(accel_scatter *scatter);
ACCEL_API void accel_scatter_release(accel_scatter *scatter);
/* What was chosen, and the view for kernels. Never blocks. */
ACCEL_API accel_status accel_scatter_info(const accel_scatter *scatter, accel_scatter_properties *properties);
/* Joins all cells to the first `count` elements of the target, target[i] = target[i] op cell i, and resets them, in the
 * queue's order: one launch, and on a non-blocking queue nothing waits. The target has one dimension, elements of the cells'
 * size, and is memory that kernels of the queue use, as accel_scan's result. Errors: ACCEL_INVALID (a target that is none, a queue of
 * another device). */
ACCEL_API accel_status accel_scatter_contribute(accel_queue *queue, accel_scatter *scatter, accel_buffer *target);
/* Sets all cells to what the reducer starts with, in the queue's order. */
ACCEL_API accel_status accel_scatter_reset(accel_queue *queue, accel_scatter *scatter);

/* ------------------------------------------------------------------------------------------- scratch -- */

#define ACCEL_SCRATCH_VIEW_INIT ACCEL_SIZED_INIT(accel_scratch_view)

/* Prepares launches of `work` by a kernel whose blocks and threads want memory (accel/scratch.h, accel/kernel/scratch.h):
 * rounds the wishes of the view up, sets shared_bytes of the work to what level 0 takes, and makes a buffer for level 1 of all
 * blocks in the queue's order, as accel_buffer_create_async does; NULL if nothing is wished there. Pass the view as it is
 * then in the kernel's arguments. Launches that may run at once need a view each. The buffer may be released as soon as the
 * last launch on this queue was submitted. A launch refuses more on level 0 than the kernel may have. Errors:
 * ACCEL_INVALID (dims of the work), ACCEL_LIMIT (sizes overflow, or a buffer cannot be so large), ACCEL_OUT_OF_MEMORY. After
 * an error work, view and memory are as they were. */
ACCEL_API accel_status accel_scratch_prepare(accel_queue *queue, accel_work *work, accel_scratch_view *scratch,
                                             accel_buffer **memory);

#ifdef __cplusplus
}
#endif

#endif
