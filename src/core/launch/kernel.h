/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel of a module. Created once per name. It belongs to its module and lives as long. */
#ifndef ACCEL_CORE_KERNEL_H
#define ACCEL_CORE_KERNEL_H

#include "core/api/device.h"
#include "core/api/queue.h"

/* Blocks of a grid: more than any device has time for, and so few that what a backend adds to them does not overflow. */
#define ACCEL_MAX_GRID_BLOCKS ((size_t)INT64_MAX)

/* More dimensions than a launch has: accel_launch refuses a pattern without a compare of its own. */
#define ACCEL_NO_DIMS UINT8_MAX

struct accel_kernel_divisions; /* launch_over.c */

/* The module that a kernel is of, as far as the kernel needs it. Strings live as long as the module. */
typedef struct accel_kernel_origin {
    accel_module *module; /* not counted: the module owns its kernels */
    accel_impl_module *impl;
    accel_device *device;
    uint32_t fork_generation;
    const char *library, *target, *path; /* path "" for bundles */
} accel_kernel_origin;

/* Immutable after creation, but for `next` and `divisions`. */
struct accel_kernel {
    /* Read by every launch: one cache line. Dimensions are x, y, z. A number of threads t is allowed if
     * threads_low <= t <= threads_low + threads_range, which covers "any", "at least one" and "fixed" alike. */
    _Alignas(ACCEL_CACHE_LINE) accel_impl_kernel *impl;
    accel_device *root; /* of the module's device */
    uint32_t args_size; /* of the argument struct; that of accel_no_args for kernels without arguments */
    uint16_t no_args;   /* 1: NULL, 0 is accepted */
    uint8_t min_dims;   /* 1 to 3: the dimensions that a fixed block has; ACCEL_NO_DIMS: no launch is allowed */
    uint8_t work_flags; /* ACCEL_WORK_* that the device has */
    uint32_t threads_low[3];
    uint32_t threads_range[3];
    uint32_t max_blocks[3]; /* not 0 */
    uint32_t max_threads;   /* of a block: at most ACCEL_MAX_BLOCK_THREADS, so products of three do not overflow */

    size_t max_shared; /* dynamic, bytes */
    accel_kernel_origin origin;
    accel_kernel *next;                                 /* in module->kernels, guarded by accel_guard_lock */
    _Atomic(struct accel_kernel_divisions *) divisions; /* what accel_launch_over remembers; NULL until then */
    char *name;
    accel_kernel_properties properties;
};
_Static_assert(offsetof(struct accel_kernel, max_shared) == ACCEL_CACHE_LINE, "what a launch reads is one cache line");

/* A new object, not yet listed. */
accel_status accel_kernel_create(const char *function, const accel_kernel_origin *, const char *name, accel_kernel **);
void accel_kernel_destroy(accel_kernel *);

/* What to do with it, for texts: "run it with accel_launch", or what runs the pattern. */
const char *accel_kernel_use(const accel_kernel *);
/* Not a pattern? Else ACCEL_INVALID, with the function that runs it. */
accel_status accel_kernel_check_plain(const char *function, const accel_kernel *);

/* Where kernels came from, for texts: the file, or a bundle, whose path is NULL or "". */
static inline const char *accel_kernel_file(const char *path)
{
    return path != NULL && path[0] != '\0' ? path : "a bundle";
}

#endif
