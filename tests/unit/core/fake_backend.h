/* SPDX-License-Identifier: Apache-2.0 */
/* A device without a plugin file: core's own structs over slots of the test, for what needs limits but no execution. */
#ifndef ACCEL_TEST_FAKE_BACKEND_H
#define ACCEL_TEST_FAKE_BACKEND_H

#include "core/api/device.h"
#include "core/launch/kernel.h"

typedef struct fake_backend {
    accel_device *device;
    accel_module *module;
    accel_queue *queue;             /* blocking */
    accel_kernel_properties kernel; /* what the next kernel of the module will say of itself */
    accel_suggestion suggestion;    /* answered by suggest; threads 0: it fails */
    size_t launches;
    accel_work launched; /* the last launch */
    const void *launched_args;
    accel_status answer;        /* of the next launch */
    const char *const *targets; /* "sm_90.cubin", the best first and NULL last: all that it runs; NULL: "rank-N.so" */
} fake_backend;

/* One fake at a time; its device has no limits (0) until the test sets properties. */
fake_backend *fake_open(char **kernel_path);
void fake_close(void);
/* A new kernel with fake.kernel's properties. */
accel_kernel *fake_kernel(const char *name);

#endif
