/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device's primary context: retained at the device's first use, given back with the device; never made current for
 * longer than a call. The caller's current context is found as it was left.
 */
#ifndef ACCEL_GPU_CONTEXT_H
#define ACCEL_GPU_CONTEXT_H

#include "plugins/gpu/engine/engine.h"

/* Around calls of the driver. */
typedef struct gpu_scope {
    gpu_context previous;
    bool switched;
} gpu_scope;

/* Makes the device's context current, unless it is. `what` for the text of a failure. The context has been retained. */
accel_status gpu_scope_enter(gpu_scope *, accel_impl_device *, const char *what);
/* The same for a caller that has asked already which one is current. */
accel_status gpu_scope_enter_from(gpu_scope *, accel_impl_device *, gpu_context current, const char *what);
void gpu_scope_leave(const gpu_scope *, const accel_impl_device *);

/* The device's first use: retains its context, starts the engine's threads. Then as gpu_scope_enter. */
accel_status gpu_device_use(gpu_scope *, accel_impl_device *, const char *what);
/* The context and what the engine keeps in it; nothing of the device is in use any more. */
void gpu_context_end(accel_impl_device *);

#endif
