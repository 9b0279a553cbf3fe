/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel objects, and their kernels. An object whose code ran stays until its device ends (semantics K9): launches that
 * are pending need no reference, and a fault can name the last kernels. The same file loaded again, when no module has
 * it, is that object.
 */
#ifndef ACCEL_GPU_OBJECT_H
#define ACCEL_GPU_OBJECT_H

#include "plugins/gpu/engine/device.h"

#include <sys/types.h>
#include <time.h>

/* Lives as long as its object. */
struct accel_impl_kernel {
    /* Read by launches. */
    gpu_function function;
    gpu_object *object;
    _Atomic uint32_t settled;        /* 1: its object is known as used, and it neither asserts nor prints */
    uint32_t own_shared;             /* bytes the descriptor wants at the start of the dynamic ones */
    _Atomic uint32_t shared_ceiling; /* dynamic bytes that need no asking; rises under the device's object_lock */

    struct accel_impl_kernel *next; /* of the object */
    union {                         /* a copy; `pattern` is the same with what a pattern has more */
        accel_descriptor descriptor;
        accel_pattern_descriptor pattern;
    };
    uint32_t static_shared, local_bytes, registers, max_threads, max_dynamic_shared;
    char name[]; /* of libaccel: without the prefix */
};

/* Does the kernel write a report? Does it print? */
static inline bool gpu_kernel_reports(const accel_impl_kernel *kernel)
{
    return (kernel->descriptor.flags & (ACCEL_KERNEL_ASSERTS | ACCEL_KERNEL_PRINTS)) != 0;
}
static inline bool gpu_kernel_prints(const accel_impl_kernel *kernel)
{
    return (kernel->descriptor.flags & ACCEL_KERNEL_PRINTS) != 0;
}

/* Which bytes an object was made from. A file that was replaced by another of the same content is another object, whose
 * globals begin again. */
typedef struct gpu_identity {
    size_t size;
    uint64_t digest[2];
    dev_t device; /* of files: these three */
    ino_t inode;
    struct timespec changed;
} gpu_identity;

struct gpu_object {
    gpu_object *next;          /* of the device; this and the rest guarded by its object_lock */
    accel_impl_device *device; /* not counted: it has the object */
    gpu_identity identity;
    gpu_code code;
    uint32_t warp_size;    /* of its kernels; 0: the device's */
    uint32_t modules;      /* that have it */
    _Atomic uint32_t used; /* 1: its code ran */
    accel_impl_kernel *kernels;
};

/* With the device's object_lock and the context current: loads it, or finds it among those that were kept. */
accel_status gpu_object_load(accel_impl_device *, const accel_image *, gpu_object **);
/* With the object_lock: a module has let go of it. */
void gpu_object_release(accel_impl_device *, gpu_object *);
/* The device ends; with its context current. */
void gpu_objects_end(accel_impl_device *);
/* The same, with a context that cannot be entered. */
void gpu_objects_forget(accel_impl_device *);

#endif
