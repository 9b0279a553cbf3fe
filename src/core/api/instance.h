/* SPDX-License-Identifier: Apache-2.0 */
/* An instance: backends, devices, configuration. Immutable after creation, but for the queue list of its devices. */
#ifndef ACCEL_CORE_INSTANCE_H
#define ACCEL_CORE_INSTANCE_H

#include "core/plugins/backend.h"
#include "core/base/guard.h"
#include "core/base/reference.h"
#include "core/tools/tools.h"

struct accel_config; /* config.h */

struct accel_instance {
    accel_reference reference;
    accel_deferred deferred;
    accel_backend *backends; /* all known, in order of preference */
    size_t backend_count;
    accel_device **devices; /* owned by the instance, not counted: a device that has references keeps its instance */
    size_t device_count;
    accel_device *host;
    accel_backend *checker; /* that finds errors of programs; NULL: none does */
    uint32_t released;      /* the generation of released.h; 0: it lives */
    struct accel_config *config;
    accel_tools tools; /* that watch it */
    /* Directories in order, NULL-terminated: ACCEL_KERNEL_PATH, the descriptor's, the executable's. */
    char **kernel_path;
    char *kernel_path_ignored; /* entries that are not in it, because they are not absolute; "" without any */
    char *kernel_path_lines;   /* for accel_instance_kernel_path */
    char **algorithm_path;     /* where libaccel's own kernels are: beside the plugins; NULL-terminated */
};

#endif
