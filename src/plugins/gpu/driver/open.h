/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a driver is opened, the same way for both: the library by its names, its version, its functions, its init, its
 * devices; and for whatever goes wrong the state and the sentence that the user sees. Makes no context.
 *
 * Done once per process; later calls give the same outcome, unless the process lacked memory or descriptors. A driver does not survive fork: in the child of a process in
 * which it was opened the outcome is ACCEL_FORKED.
 */
#ifndef ACCEL_GPU_OPEN_H
#define ACCEL_GPU_OPEN_H

#include "plugins/gpu/driver/driver.h"
#include "plugins/gpu/driver/library.h"

#include <stdatomic.h>

enum { GPU_OPEN_TEXT = 1024 };

/* What became of it. All zero before the first call. */
typedef struct gpu_open_outcome {
    _Atomic uint64_t
        stage; /* 0: not begun; else the fork generation times 4, plus 1: under way, or 2: done. The rest is
                               written before it is done, and only read afterwards. */
    accel_status status;
    uint32_t state;
    char text[GPU_OPEN_TEXT];
} gpu_open_outcome;

/* A code that init or the count of devices may return, and what it tells the user. */
typedef struct gpu_open_error {
    gpu_result result;
    uint32_t state;     /* ACCEL_BACKEND_* */
    const char *remedy; /* NULL: the driver's own words say it all */
} gpu_open_error;

/* What differs between the drivers. */
typedef struct gpu_recipe {
    gpu_driver *driver; /* to be filled */
    gpu_open_outcome *outcome;
    const char *variable;            /* the environment variable that names a library instead of those that follow */
    const char *const *libraries;    /* names, in the order in which they are tried; NULL ends them */
    const char *const *nodes;        /* see gpu_node_check */
    const char *const *kernel_nodes; /* without any of these there is no device; NULL: the library is asked */
    const char *root;                /* of the nodes' paths; "", but for tests */
    const char *install;             /* what to do without a library: "install NVIDIA's driver" */
    int minimum;                     /* version, as the driver counts */
    int version_unit, version_minor; /* version / unit % 1000 is the major one, version % unit / minor the minor one */
    const char *init_name;           /* "cuInit" */
    const char *count_name;
    const gpu_open_error *error_classes;
    size_t error_class_count;

    /* Finds the functions that tell the version, and with `all` every function. Returns NULL, or the name of a required
     * one that is missing. */
    const char *(*find)(const gpu_library *, bool all);
    /* *call: the function that failed. */
    gpu_result (*version)(int *driver_version, int *runtime_version, const char **call);
    /* Fills what depends on the functions that were found. */
    void (*complete)(gpu_driver *);
} gpu_recipe;

/* The gpu_family.open of a family with a recipe. */
accel_status gpu_driver_open(const gpu_family *, const accel_host_services *, const gpu_driver **, uint32_t *state);

#endif
