/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver for tests of the GPU engine: two devices whose memory is the host's, streams that are threads, and a log of
 * the calls that reach a stream.
 */
#ifndef GPU_FAKE_H
#define GPU_FAKE_H

#include "plugins/gpu/engine/engine.h"
#include "run.h"

#include <stdatomic.h>

enum {
    FAKE_DEVICES = 2,
    FAKE_MAX_PITCH = 1 << 20,
    FAKE_REFUSED = 1,
    FAKE_SHORT = 2,
    FAKE_TOO_LARGE = 3,
    FAKE_NOT_READY = 600,
    FAKE_FAULT = 700
};

/* The engine, opened on the fake driver. */
typedef struct gpu_fake {
    accel_open_result plugin;
    accel_impl_device *devices[FAKE_DEVICES];
} gpu_fake;

gpu_fake gpu_fake_open(void);
/* Asserts that everything made was given back. */
void gpu_fake_close(gpu_fake *);

accel_impl_queue *gpu_fake_queue(gpu_fake *, unsigned device, uint32_t flags);
accel_impl_event *gpu_fake_event(gpu_fake *, unsigned device, uint32_t flags);
accel_impl_memory *gpu_fake_memory(gpu_fake *, unsigned device, uint32_t flags, size_t size, void **ptr);
/* A kernel "axpy" of a module for the device; the launch increments gpu_fake_launches. */
accel_impl_module *gpu_fake_module(gpu_fake *, unsigned device, accel_impl_kernel **);
accel_work gpu_fake_work(void);

/* What reached streams so far: "copy 100;fill8 3;"... Cleared by gpu_fake_forget. */
const char *gpu_fake_log(void);
void gpu_fake_forget(void);

extern _Atomic uint32_t gpu_fake_launches;
extern _Atomic int gpu_fake_launch_result;         /* of the next launches */
extern _Atomic bool gpu_fake_next_faults;          /* the next launch that runs ends its device with FAKE_FAULT */
extern _Atomic uint32_t gpu_fake_allocations_left; /* then FAKE_SHORT; UINT32_MAX: no end */
extern _Atomic bool gpu_fake_has_fill_2d;          /* when the driver is opened */
extern uint32_t gpu_fake_warp_size;                /* that objects tell of their kernels; 0: none */
extern _Atomic bool gpu_fake_peers;                /* may the devices use each other's memory? */

/* A door in a queue, as a host function. */
typedef struct gpu_gate {
    _Atomic bool entered, open;
} gpu_gate;
void gpu_gate_in(gpu_gate *, accel_impl_queue *);
void gpu_gate_entered(gpu_gate *);

/* Polls: true if it becomes so within 20 seconds. */
bool gpu_becomes(_Atomic uint32_t *, uint32_t value);

#endif
