/* SPDX-License-Identifier: Apache-2.0 */
/* What the calling thread is to the engine. */
#ifndef ACCEL_GPU_ROLE_H
#define ACCEL_GPU_ROLE_H

#include <stdint.h>

enum {
    GPU_THREAD_PROGRAM, /* the program's */
    GPU_THREAD_ENGINE,  /* of the engine: must not wait for what the engine's threads do */
    GPU_THREAD_DRIVER   /* of the driver, inside of a function of a stream: must not call the driver */
};

/* Before any role is set; again does nothing. Returns an error number, or 0. */
int gpu_thread_kind_make(void);
void gpu_thread_kind_set(uintptr_t);
uintptr_t gpu_thread_kind(void);

#endif
