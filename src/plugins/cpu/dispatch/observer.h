/* SPDX-License-Identifier: Apache-2.0 */
/* What a backend that watches its kernels is told of everything else. The others have none, and pay one comparison per
 * allocation, copy, fill and module. */
#ifndef ACCEL_CPU_OBSERVER_H
#define ACCEL_CPU_OBSERVER_H

#include "plugins/cpu/dispatch/launch.h"

#include <accel/plugin.h>

typedef struct cpu_observer {
    const char *targets; /* of the objects that it runs, as device properties list them */
    /* Contract: accel_device_vtable. */
    uint32_t (*target_rank)(const char *target, const char *format, char *reason, size_t reason_size);
    /* An object was loaded, perhaps not for the first time; `handle` is the dynamic loader's. A failure has its text in
     * host->error. */
    accel_status (*object)(const accel_image *, void *handle);
    /* Memory of a buffer in the place of the engine's own. NULL if memory is short. */
    void *(*allocate)(size_t size, size_t alignment);
    /* Gives it back: nothing that was submitted before uses it any more. */
    void (*release)(void *data);
    /* A copy or fill (src NULL) of rows of extent[dims - 1] bytes is done. The scratch is that of the queue. A failure of it is
     * the observer's to keep with the queue. */
    void (*transferred)(cpu_scratch *scratch, void *dst, const size_t *dst_pitch, const void *src,
                        const size_t *src_pitch, uint32_t dims, const size_t *extent);
    /* A backend was opened: exchanges tables. */
    void (*opened)(accel_open_result *);
    /* Threads of a warp of this kernel. */
    uint32_t (*warp_size)(const accel_descriptor *);
    /* The stack of a fiber of a launch has overflowed. */
    void (*overflowed)(const struct cpu_fiber_pool *);
    /* An assertion has failed. A kernel that is on a stack of the observer's is taken off it; it calls `fail` again. */
    void (*asserted)(const accel_launch_context *, accel_assertion *);
    size_t guard_size;   /* below each stack of a fiber */
    size_t stack_factor; /* stacks of fibers are longer by so much: the observer runs on them, too */
} cpu_observer;

#endif
