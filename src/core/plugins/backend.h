/* SPDX-License-Identifier: Apache-2.0 */
/* A backend of an instance: a plugin that was found, checked and perhaps opened. */
#ifndef ACCEL_CORE_BACKEND_H
#define ACCEL_CORE_BACKEND_H

#include <accel/plugin.h>

struct accel_tools; /* core/tools/tools.h */

/* Vtables are whole copies: slots the plugin did not fill are stubs that return ACCEL_UNSUPPORTED with a text, except
 * where plugin.h gives NULL a meaning of its own (allocate_async, free_async, after_fork, suggest, can_access: left
 * NULL). */
typedef struct accel_backend {
    accel_instance *instance;        /* not counted: the instance owns its backends */
    const struct accel_tools *tools; /* that watch it, once it is opened; NULL: none. The instance's */
    char name[32];
    uint32_t state;              /* ACCEL_BACKEND_* */
    char *path, *build, *reason; /* never NULL; owned */
    accel_impl_backend *impl;    /* NULL unless usable */
    accel_backend_vtable backend_vtable;
    accel_device_vtable device_vtable;
    accel_queue_vtable queue_vtable;
    accel_event_vtable event_vtable;
    accel_module_vtable module_vtable;
    size_t device_count; /* listed, after ACCEL_DEVICES */
    bool watched;        /* core/tools/watch.h exchanged the vtables and wraps all impls */
} accel_backend;

#endif
