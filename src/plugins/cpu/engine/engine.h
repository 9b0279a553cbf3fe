/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU engine: everything of a CPU backend but the way in which it runs blocks (executor.h). It is one library beside
 * the plugins, libaccelcpu.so, so a process has one engine. A plugin is its descriptor and an executor. What plugins take
 * from the library is marked CPU_EXPORT.
 *
 * Lifetimes: a queue holds its device, a device its backend, each by a count of its own. libaccel's handle is one
 * reference; a queue that still has work outlives its handle, and the last one out frees the backend.
 */
#ifndef ACCEL_CPU_ENGINE_H
#define ACCEL_CPU_ENGINE_H

#include "plugins/cpu/engine/device.h"
#include "plugins/cpu/engine/process.h"

/* What a plugin's `open` does. */
CPU_EXPORT accel_status cpu_backend_open(const cpu_executor *, const accel_host_services *, accel_open_result *);

extern const accel_device_vtable cpu_device_vtable;
extern const accel_queue_vtable cpu_queue_vtable;
extern const accel_event_vtable cpu_event_vtable;

#endif
