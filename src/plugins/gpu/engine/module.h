/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel objects. One whose code ran stays until its device ends (semantics K9): launches that are pending need no
 * reference, and a fault can name the last kernels. The same file loaded again, when no module has it, is that object.
 */
#ifndef ACCEL_GPU_MODULE_H
#define ACCEL_GPU_MODULE_H

#include "plugins/gpu/engine/engine.h"

#include <sys/types.h>
#include <time.h>

/* Lives as long as its object. */
struct accel_impl_kernel {
    /* Read by launches. */
    gpu_function function;
    gpu_object *object;
    uint32_t own_shared;             /* bytes the descriptor wants at the start of the dynamic ones */
    _Atomic uint32_t shared_ceiling; /* dynamic bytes that need no asking; rises under the device's object_lock */

    struct accel_impl_kernel *next; /* of the object */
    accel_kernel_descriptor descriptor;
    uint32_t static_shared, local_bytes, registers, max_threads, max_dynamic_shared;
    char name[]; /* of libaccel: without the prefix */
};

/* Which bytes an object was made from. A file that was replaced by another of the same content is another object, whose
 * globals begin anew. */
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

struct accel_impl_module {
    accel_impl_device *device; /* retained */
    gpu_object *object;
};

/* Raises what a block may have; `shared_bytes` is within the kernel's limit. With the context current. */
accel_status gpu_kernel_allow_shared(accel_impl_device *, accel_impl_kernel *, uint32_t shared_bytes);

/* kernel.c: with the device's object_lock and the context current. Finds or makes it. */
accel_status gpu_kernel_find(accel_impl_device *, gpu_object *, const char *name, accel_impl_kernel **);
void gpu_kernel_properties(accel_impl_device *, const accel_impl_kernel *, accel_kernel_properties *);
/* Contract of accel_module_vtable. */
accel_status gpu_kernel_suggest(accel_impl_device *, accel_impl_kernel *, size_t shared_bytes, accel_suggestion *);
accel_status gpu_kernel_resident_blocks(accel_impl_device *, accel_impl_kernel *, uint32_t threads, size_t shared_bytes,
                                        uint64_t *blocks);
/* The same with the context current; `shared_bytes` is all that the driver gives a block dynamically. */
gpu_result gpu_kernel_count_resident(const accel_impl_device *, const accel_impl_kernel *, uint32_t threads,
                                     size_t shared_bytes, uint64_t *blocks);

/* descriptor.c: ACCEL_OK; or, with a text that says what is wrong with it, ACCEL_INCOMPATIBLE; or ACCEL_LIMIT: more
 * arguments than the device takes. `size` is its symbol's. */
accel_status gpu_descriptor_check(const accel_kernel_descriptor *, size_t size, const char *name,
                                  const accel_impl_device *);

#endif
