/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device's primary context: retained at the device's first use, given back with the device. A call makes it current.
 * If the program's thread had another one current, that is current again behind the call. If it had none, the device's
 * stays, as the vendors' runtimes leave it: the thread's next call only asks.
 */
#ifndef ACCEL_GPU_CONTEXT_H
#define ACCEL_GPU_CONTEXT_H

#include "plugins/gpu/engine/device.h"

/* Around calls of the driver. */
typedef struct gpu_scope {
    gpu_context previous;
    bool switched;
} gpu_scope;

/* Makes the device's context current, unless it is. `what` for the text of a failure. The context has been retained. */
accel_status gpu_scope_enter(gpu_scope *, accel_impl_device *, const char *what);
/* The same for a caller that has asked already which one is current. */
accel_status gpu_scope_enter_from(gpu_scope *, accel_impl_device *, gpu_context current, const char *what);
/* For a release, which has nobody to tell of a refusal: the driver is asked once more. */
bool gpu_scope_enter_to_release(gpu_scope *, accel_impl_device *, const char *what);
void gpu_scope_leave(const gpu_scope *, const accel_impl_device *);

/* The device's first use: retains its context, starts the engine's threads. Then as gpu_scope_enter. */
accel_status gpu_device_use(gpu_scope *, accel_impl_device *, const char *what);

/* Has no queue of the device anything to do? Asks the driver, but not for wrapped streams, which count as busy; not for
 * submitting calls, nor in driver callbacks. */
bool gpu_device_is_quiet(accel_impl_device *);

/* Waits until a stream's copies have left, or reached, memory that the caller frees then. A driver that refuses to wait goes
 * on copying, so it is asked again. The device's context is current. */
gpu_result gpu_stream_finish(const gpu_driver *, gpu_stream);

/* Questions that may also be asked in a host function, on the driver's own thread, which may not ask: there the watch
 * thread asks. */
gpu_result gpu_query_stream(accel_impl_device *, gpu_stream);
gpu_result gpu_query_event(accel_impl_device *, gpu_driver_event);

#endif
