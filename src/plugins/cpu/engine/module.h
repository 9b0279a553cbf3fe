/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel objects. One that was loaded stays for the rest of the process (semantics K9), and so do its descriptors: a
 * pending launch needs no reference, and loading the same object again costs nothing but a comparison.
 */
#ifndef ACCEL_CPU_MODULE_H
#define ACCEL_CPU_MODULE_H

#include "object/descriptor.h"
#include "plugins/cpu/engine/device.h"

#include <sys/types.h>
#include <time.h>

enum { CPU_MAX_ARGS_ALIGN = DESCRIPTOR_MAX_ARGS_ALIGN };

/* Lives as long as its module. A launch keeps only the descriptor. */
struct accel_impl_kernel {
    const accel_descriptor *descriptor; /* in the object */
    accel_impl_device *device;          /* the module's */
    struct accel_impl_kernel *next;     /* of the module; immutable once listed */
};

/* Which bytes an object was made from. A file that was replaced by another of the same path is another object. */
typedef struct cpu_object_identity {
    bool is_file;
    dev_t device; /* files: these four */
    ino_t inode;
    struct timespec changed;
    size_t size;
    uint64_t digest[2]; /* others: of the bytes, with size */
} cpu_object_identity;

typedef struct cpu_object cpu_object;
struct cpu_object {
    cpu_object *next; /* immutable once listed */
    cpu_object_identity identity;
    void *handle;        /* of dlopen */
    const void *dynamic; /* its dynamic section: which object a symbol belongs to */
};

struct accel_impl_module {
    accel_impl_device *device; /* retained */
    cpu_object *object;
    _Atomic(accel_impl_kernel *) kernels; /* owned; those that were asked for; grows at the front, with release */
};

/* Contract: accel_device_vtable. */
accel_status cpu_module_load(accel_impl_device *, const accel_image *, accel_impl_module **);
extern const accel_module_vtable cpu_module_vtable;

/* Loads the image's object, or finds it loaded. */
accel_status cpu_object_load(const accel_image *, cpu_object **);
/* The address of a data symbol that lies in the object itself, and its size; or NULL. */
void *cpu_object_data(const cpu_object *, const char *name, size_t *size);

/* ACCEL_OK, or ACCEL_INCOMPATIBLE with a text that says what is wrong with the descriptor; `size` is its symbol's. */
accel_status cpu_descriptor_check(const accel_descriptor *, size_t size, const char *name);

#endif
